import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// The sentences on the screens of generated sessions, compared with the claims of the moment, which are compared with the world.
@Suite("Truth of screens", .ends(within: .longTest))
struct ScreenTruthTests {
    /// The places that choose claims, by the key that opens them.
    private static let views: [(name: String, key: Character)] = [("trip", "1"), ("presenter", "P"), ("list", "2")]
    private static let sizes = [(80, 24), (120, 40), (45, 30)]
    /// English and German have the longest sentences, which are cut first.
    private static let languages: [Language] = [
        .english, .english, .german, .german, .korean, .simplifiedChinese, .traditionalChinese,
    ]
    private static let moments = 6

    @Test(arguments: ClaimTruthTests.groups(200))
    func `no screen says what no claim supports`(_ seeds: Range<UInt64>) throws {
        for seed in seeds {
            let session = GeneratedSession(seed: seed)
            var random = SeededGenerator(seed: seed)
            let localizer = Localizer(Self.languages.randomElement(using: &random) ?? .english)
            var events = try SessionEvents(session)
            var state = State(
                trips: [try session.world.id()],
                settings: State.Settings(host: "engine.example", localizer: localizer, speed: seed % 4 == 0 ? 8 : 1),
                now: session.moment(0),
                width: 80,
                height: 24
            )
            for second in session.seconds(Self.moments) {
                while let (time, event) = try events.next(until: second) {
                    _ = state.update(.tick(session.moment(time)))
                    _ = state.update(.feed(event))
                }
                _ = state.update(.tick(session.moment(second)))
                let view = Self.views.randomElement(using: &random) ?? Self.views[0]
                for (width, height) in Self.sizes.shuffled(using: &random).prefix(2) {
                    var shown = state
                    _ = shown.update(.resized(width: width, height: height))
                    _ = shown.update(.key(.character(view.key)))
                    let problems = try ShownScreen(shown, of: view.name, session.world.kind).problems
                    let place = "seed \(seed), second \(second), \(localizer.language), \(view.name) \(width)x\(height)"
                    if !problems.isEmpty { Issue.record("\(place): \(problems)\n\(TripScreen.view(shown).text)") }
                }
            }
        }
    }

    @Test(arguments: ClaimTruthTests.groups(200))
    func `no line says what no claim supports`(_ seeds: Range<UInt64>) throws {
        for seed in seeds {
            let session = GeneratedSession(seed: seed)
            let localizer = Localizer(Language.allCases[Int(seed % UInt64(Language.allCases.count))])
            var (events, table) = (try SessionEvents(session), JourneyTable())
            var plain = PlainLines(host: "engine.example", zone: .utc, localizer: localizer, namesTrips: false)
            while let (time, event) = try events.next(until: session.end) {
                let now = session.moment(time)
                let lines = plain.lines(for: table.apply(event, at: now), table)
                let claims = table[try session.world.id()]?.claims(at: now)?.all ?? []
                let sentences = ShownSentence.all + ShownSentence.ofLines
                for line in lines {
                    let unsupported = ShownSentence.found(sentences, in: line, of: session.world.kind, localizer).filter
                    { found in
                        !sentences.contains { sentence in
                            sentence.kind == found.kind
                                && claims.contains { sentence.supports(found, $0, .utc, localizer) }
                        }
                    }
                    if !unsupported.isEmpty { Issue.record("seed \(seed), second \(time): \(line)") }
                }
            }
        }
    }
}

/// A drawn screen with the claims of its moment.
private struct ShownScreen {
    private let claims: Claims
    private let status: JourneyStatus?
    private let name: String
    private let text: String
    private let zone: Zone
    private let localizer: Localizer
    private let found: Set<ShownSentence.Found>

    init(_ state: State, of name: String, _ kind: JourneyKind) throws {
        let trip = try #require(state.trip)
        (claims, status) = (trip.claims(at: state.now), trip.state.journey?.status)
        (self.name, zone, localizer) = (name, state.settings.zone, state.settings.localizer.about(kind))
        // Columns are filled with blanks.
        text = view(state).rows
            .map { $0.split(separator: " ").joined(separator: " ") }
            .joined(separator: "\n")
        let sentences = ShownSentence.all.filter { $0.view == nil || $0.view == name }
        found = ShownSentence.found(sentences, in: text, of: kind, localizer)
    }

    var problems: [String] { unsupported + contradictions + omissions }

    /// The sentences that no claim of the moment supports.
    private var unsupported: [String] {
        found.filter { found in
            !ShownSentence.all.contains { sentence in
                sentence.kind == found.kind
                    && claims.all.contains { sentence.supports(found, $0, zone, localizer) }
            }
        }.map { "no claim: \($0.text)" }
    }

    /// The sentences that say the opposite of a claim about the next arrival or about the news.
    private var contradictions: [String] {
        let isLate = claims.next.map { !Self.isExpected($0) } ?? false
        let isSilent = claims.all.contains { if case .noReport(_, nil) = $0.kind { true } else { false } }
        let isOver = claims.all.contains { $0.kind.name == "ended" }
        var problems: [String] = []
        if name == "presenter", isLate, text.contains(localizer(.asPromised)) {
            problems.append("late and as promised")
        }
        if name == "presenter", claims.next?.strength == .estimatedLongAgo, comparesWithPromise {
            problems.append("estimated long ago and compared with the promise")
        }
        if isSilent, text.contains(localizer.speed(9)) { problems.append("no news and moving") }
        if isOver, found.contains(where: { $0.kind != "reached" }) { problems.append("over and open") }
        return problems + otherStatuses
    }

    /// Whether the text says how the arrival differs from the first estimate.
    private var comparesWithPromise: Bool {
        let words = [Text.asPromised, .promiseLater(duration: "\u{1}"), .promiseEarlier(duration: "\u{1}")]
        return words.contains { localizer($0).split(separator: "\u{1}").allSatisfy(text.contains) }
    }

    /// The sentences of trips about one status each.
    private static let statuses: [(status: JourneyStatus, words: Text)] = [
        (.trip(.enrouteToPickup), .statusToPickup), (.trip(.arrivedAtPickup), .statusAtPickup),
        (.trip(.enrouteToIntermediateDestination), .statusToStop),
        (.trip(.arrivedAtIntermediateDestination), .statusAtStop), (.trip(.enrouteToDropoff), .statusToDropoff),
        (.trip(.complete), .statusComplete), (.trip(.canceled), .statusCanceled),
    ]

    /// The sentences about another status than that of the trip; the Trip view lists those of the past.
    private var otherStatuses: [String] {
        guard name != "trip", let status, case .trip = status else { return [] }
        let own = Self.statuses.filter { $0.status == status }.map { localizer($0.words) }
        return Self.statuses.filter { $0.status != status }.map { localizer($0.words) }
            .filter { words in text.contains(words) && !own.contains { $0.contains(words) } }
            .map { "another status: \($0)" }
    }

    /// The claims about the next arrival that are missing while the status is shown.
    private var omissions: [String] {
        guard let next = claims.next, claims.final == nil, claims.all.allSatisfy({ $0.kind.name != "atStop" }) else {
            return []
        }
        guard !Self.isExpected(next) else {
            let isNow = if case .expected(_, _, let left) = next.kind { left.seconds < 1 } else { false }
            return isNow || name == "presenter" || found.contains { $0.kind == "expected" } ? [] : ["nothing expected"]
        }
        return found.contains { $0.kind == next.kind.name } ? [] : ["dropped: \(next.kind.name)"]
    }

    private static func isExpected(_ claim: Claim) -> Bool {
        if case .expected = claim.kind { true } else { false }
    }
}
