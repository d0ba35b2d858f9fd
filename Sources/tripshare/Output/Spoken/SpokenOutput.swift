import AsyncAlgorithms
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Runtime
import SystemPackage
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// Writes sentences for a listener, and answers what is typed on standard input.
///
/// A terminal does not echo what is typed, so that a sentence never comes between the letters of a word. The end of the input ends
/// only the questions.
struct SpokenOutput: SessionOutput {
    private var plain: PlainOutput
    private let localizer: Localizer
    private let isTerminal: Bool
    /// Whether standard input has lines to read; otherwise it has the trips or the log.
    private let isAsked: Bool
    private var arrivals = SpokenArrivals()
    /// What is known of each journey, also after its end.
    private var facts: [JourneyID: JourneyFacts] = [:]
    /// The journeys in the order of their first events.
    private var journeys: [JourneyID]
    /// The time of the last event, on the clocks of a recording or a log.
    private var latest: Moment?
    private var now: Moment
    /// The time for notices at the end of the session; `nil` before they are awaited.
    private var noticeWait: Duration?
    /// Whether it was said that notices are awaited.
    private var hasSaidWait = false
    /// How the session ends, as soon as it does; then, that notices are not awaited any longer.
    private var result: Result<CompletionTracker.Outcome, any Error>?
    /// The chapter of the tour, and its captions; `nil` without a tour.
    private let tour: TourGuide?
    private let captions: AsyncStream<SceneCaption>?
    private let clock: ScaledClock

    /// What the listener types, and what the tour says.
    enum Input: Sendable {
        case line(String)
        case tour(TourGuide.Event)
        case caption(SceneCaption)
    }

    /// Thrown to end a tour before its last chapter.
    struct TourEnd: Error {}

    let inputs = AsyncChannel<Input>()
    let isInteractive = false

    /// Creates an output that writes its events in the form of another one.
    init(_ plain: PlainOutput, _ configuration: SessionConfiguration, _ localizer: Localizer) {
        (self.plain, self.localizer) = (plain, localizer)
        journeys = configuration.trips
        now = configuration.clock.now()
        tour = configuration.tour
        clock = configuration.clock
        captions = tour == nil ? nil : configuration.captions
        // A program that reads its terminal in the background is stopped.
        isAsked = !configuration.readsStandardInput && !TypedInput.isInBackground
        let context = ProcessContext.current
        isTerminal =
            isAsked && [STDIN_FILENO, STDOUT_FILENO].allSatisfy(context.isTerminal) && TypedInput.hideEcho()
        if configuration.readsStandardInput { Printing.warning(.warningAskOff) }
        if isTerminal { self.plain.answer([localizer(.askReady(word: SpokenQuestion.help.word(in: localizer)))]) }
    }

    // MARK: Events

    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        note(event.journey, table, at: now)
        plain.update(event, arrivals.completed(changes), table, at: now)
    }

    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        if let journey = event.context.journey { note(journey, table, at: now) }
        plain.update(event, changes, table, at: now)
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) { plain.update(remark, at: now) }

    mutating func update(_ step: LiveLog.Step, at now: Moment) { plain.update(step, at: now) }

    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment) {
        plain.tripEnded(journey, outcome: outcome, at: now)
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        plain.update(results, changed: changed, at: now)
    }

    private mutating func note(_ journey: JourneyID, _ table: JourneyTable, at now: Moment) {
        latest = now
        guard let known = table[journey] else { return }
        if facts[journey] == nil, !journeys.contains(journey) { journeys.append(journey) }
        facts[journey] = known
    }

    // MARK: Questions

    func sendInputs() async {
        await withTaskGroup(of: Void.self) { group in
            if let tour {
                // An error means that the session has ended first.
                group.addTask { try? await tour.play(clock) { await inputs.send(.tour($0)) } }
            }
            if let captions {
                group.addTask { for await caption in captions { await inputs.send(.caption(caption)) } }
            }
            await sendLines()
        }
    }

    private func sendLines() async {
        // Tests give a command its input as bytes, which are not typed.
        guard isAsked, ProcessContext.current.ownsProcess else { return }
        for await line in LineInput(.standardInput) { await inputs.send(.line(line)) }
        if isTerminal { TypedInput.restore() }
    }

    mutating func advance(to now: Moment) { self.now = now }

    /// Says once that notices are awaited, if that takes a second or longer.
    mutating func update(_ progress: NoticeProgress) {
        guard case .ending(let count, let left) = progress, count > 0 else { return }
        let limit = noticeWait ?? left
        noticeWait = limit
        guard isAsked, !hasSaidWait, limit - left >= .seconds(1) else { return }
        hasSaidWait = true
        plain.answer([progress.text(localizer, quit: SpokenQuestion.quit.word(in: localizer))])
    }

    mutating func update(_ input: Input) {
        switch input {
        case .line(let line): answer(line)
        case .caption(let caption):
            plain.answer([localizer.caption(caption.text, translations: caption.translations)])
        case .tour(.message(.page(let page?))): say(page)
        case .tour(.next): result = .failure(DemoRestart(stage: (tour?.index ?? 0) + 1))
        // What the screen would show in another way.
        case .tour(.message): break
        }
    }

    /// Says the title of a chapter; after the last chapter, what the tour has shown.
    private mutating func say(_ page: TitlePage) {
        guard page.isLast else {
            let title = "\(page.number) \(page.title)"
            return plain.answer([localizer(.labelled(label: title, value: page.about))])
        }
        plain.answer([page.title] + Recap(nil, localizer).sentences + [page.about])
        result = .success(.done)
    }

    private mutating func answer(_ input: String) {
        let line = TypedLine(input, localizer)
        if line == .empty { return }
        if isTerminal { plain.repeatQuestion(input) }
        switch line {
        case .empty: break
        case .unknown(let text): plain.answer(localizer.answer(toUnknown: text))
        case .question(.help, _): plain.answer([localizer.askableWords])
        case .question(.quit, _): quit()
        case .question(let question, let name): answer(question, about: name)
        }
    }

    mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
        defer { result = nil }
        return result
    }

    func close() async -> CommandFailure? {
        if isTerminal { TypedInput.restore() }
        return await plain.close()
    }

    /// The time of the events: it goes on after the last one as the time of the session does.
    private var present: Moment {
        latest.map { $0.advanced(by: max(.zero, now.steady - $0.steady)) } ?? now
    }

    private mutating func quit() {
        guard noticeWait == nil else {
            result = .success(.done)
            return
        }
        result = tour == nil ? .success(.done) : .failure(TourEnd())
        guard journeys.count == 1, let known = facts[journeys[0]] else {
            plain.answer([localizer(.askQuitting)])
            return
        }
        plain.answer(plain.lines.answers(known, street: nil, at: present).answer(.quit))
    }

    private mutating func answer(_ question: SpokenQuestion, about name: String?) {
        let found = journeys.filter { name == nil || $0.rawValue.lowercased() == name?.lowercased() }
        guard found.count == 1 else {
            plain.answer(localizer.answer(question, unknown: name, journeys))
            return
        }
        guard let known = facts[found[0]] else {
            plain.answer([localizer(.askNothing)])
            return
        }
        let (state, now) = (known.answer?.value, present)
        let answers = plain.lines.answers(known, street: plain.street(of: state), at: now)
        plain.answer(answers.answer(question))
        guard let state else { return }
        if question == .position, let words = answers.positionWords { plain.told(state, words, at: now) }
        if question == .arrival { arrivals.told(state) }
    }
}

extension SessionConfiguration {
    /// Whether the output is for a listener who may ask while the session runs.
    var isAskable: Bool { output.options.accessible && !isSummary }

    /// Whether standard input has the trips or the log.
    var readsStandardInput: Bool { source.tripsFile?.isStandardInput == true || source.log?.path == "-" }
}
