import Canvas
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// Each kind of sentence names the events that hold its fact; here they are counted among the messages of the session.
@Suite("Events of sentences", .ends(within: .quickTest))
struct SentenceEventTests {
    /// The messages of a session, and the screen after them.
    private struct Session {
        let messages: [Message]
        var state: State

        init(_ messages: [Message]) throws {
            self.messages = messages
            let settings = State.Settings(host: "127.0.0.1", speed: 1)
            state = State(trips: [try Ride().id()], settings: settings, now: Ride.moment(0), width: 120, height: 60)
            for message in messages { _ = state.update(message) }
        }

        /// Returns the number of the last event that fits, counted from 1.
        func number(_ fits: (Message) -> Bool) throws -> Int {
            let events = messages.filter { message in
                switch message {
                case .feed, .token: true
                default: false
                }
            }
            let index = events.lastIndex(where: fits)
            return try #require(index) + 1
        }

        /// Returns the number of the poll that began at a second.
        func poll(_ second: Double) throws -> Int {
            try number {
                if case .feed(.polled(let report, _, _)) = $0 { report.started == Ride.moment(second) } else { false }
            }
        }

        func lastToken() throws -> Int { try number { if case .token = $0 { true } else { false } } }

        func lastFinding() throws -> Int { try number { if case .feed(.found) = $0 { true } else { false } } }

        /// Returns the numbers of each sentence of a kind in a view.
        func numbers(_ kind: Statement.Kind, in view: Character) throws -> [[Int]] {
            var state = state
            _ = state.update(.key(.character(view)))
            let evidence = Evidence(view: TripView(state: state, trip: try #require(state.trip)))
            let all = kind == .receipt ? evidence.receipt : state.panels[state.view].statements(of: evidence)
            return all.filter { $0.kind == kind }.map { $0.evidence.compactMap(\.stamp?.number.rawValue) }
        }
    }

    /// A kind whose evidence are calls of a log; `SidesViewTests` judges it.
    private struct NoEvent: Error {}

    private static let views: [Statement.Kind: Character] = [
        .token: "3", .tokenFetch: "3", .tokenRefusal: "3", .tokenUse: "3", .finding: "6", .log: "7",
    ]

    private static func found(at second: Double, by rule: FindingRule = "arrivalJumped") throws -> [Message] {
        let journey = try Ride().id()
        let time = Ride.moment(second + 0.02).wall
        let finding = Finding(
            time: time,
            journey: journey,
            rule: rule,
            severity: .warning,
            evidence: [Evidence("shift", .seconds(75))]
        )
        var messages = try Ride().messages(until: second)
        let poll = try #require(messages.lastIndex { if case .feed(.polled) = $0 { true } else { false } })
        messages.insert(.feed(.found(journey, [finding])), at: poll)
        return messages
    }

    private static func refused(at second: Double) throws -> [Message] {
        let context = AuthorizationContext.journey(try Ride().id())
        let now = Ride.moment(second)
        var status = TokenStatus(state: .invalidated, source: "http endpoint")
        status.lastRejected = RejectedToken(
            FakeToken(context, issuedAt: now.wall).text,
            for: context,
            .service(status: .http(401)),
            at: now,
            clockOffset: nil
        )
        let kind = TokenEvent.Kind.rejected(status: .http(401))
        var ride = Ride()
        let answer = ServiceAnswer(httpStatus: 401, status: "UNAUTHENTICATED", message: "")
        (ride.failsFrom, ride.failure) = (second, .service(answer, retryAfter: nil))
        var messages = try ride.messages(until: second)
        let poll = try #require(messages.lastIndex { if case .feed(.polled) = $0 { true } else { false } })
        messages.insert(.token(TokenEvent(context: context, at: now, kind: kind, status: status)), at: poll)
        return messages
    }

    /// Returns a session with a sentence of a kind, and the numbers of its events.
    private static func session(_ kind: Statement.Kind) throws -> (Session, expected: [Int]) {
        var ride = Ride()
        switch kind {
        case .arrival:
            let session = try Session(ride.messages(until: 20))
            return (session, [try session.poll(20)])
        case .status, .log:
            // The vehicle is on its way from second 12 on.
            let session = try Session(ride.messages(until: 20))
            return (session, [try session.poll(15)])
        case .position:
            ride.silentFrom = 20
            let session = try Session(ride.messages(until: 35))
            return (session, [try session.poll(20)])
        case .positionAge:
            // The answer of second 50 is the first that shows a position of more than 30 s.
            ride.silentFrom = 20
            let session = try Session(ride.messages(until: 60))
            return (session, [try session.poll(50), try session.poll(20)])
        case .caption:
            let caption = Message.caption("The rider is on the way.", while: "status ENROUTE_TO_PICKUP")
            let session = try Session(ride.messages(until: 20) + [caption])
            return (session, [try session.poll(15), try session.poll(20)])
        case .failure:
            ride.failsFrom = 15
            let session = try Session(ride.messages(until: 20))
            return (session, [try session.poll(20)])
        case .token, .tokenFetch:
            let session = try Session(ride.messages(until: 20))
            return (session, [try session.lastToken()])
        case .tokenRefusal:
            let session = try Session(refused(at: 20))
            return (session, [try session.poll(20), try session.lastToken()])
        case .tokenUse:
            let session = try Session(ride.messages(until: 20))
            return (session, [try session.poll(0), try session.poll(20)])
        case .sides: throw NoEvent()
        case .finding:
            let session = try Session(found(at: 25))
            return (session, [try session.poll(25), try session.lastFinding()])
        case .receipt:
            // The vehicle is at the pickup from second 62 to 77.
            let session = try Session(ride.messages(until: 100))
            return (session, [try session.poll(65), try session.poll(80)])
        }
    }

    @Test(arguments: Statement.Kind.allCases.filter { $0 != .sides })
    func `each kind of sentence names the events that hold its fact`(_ kind: Statement.Kind) throws {
        let (session, expected) = try Self.session(kind)
        let numbers = try session.numbers(kind, in: Self.views[kind] ?? "1")
        #expect(numbers.contains(expected), "\(kind): \(numbers), not \(expected)")
        // A row of the receipt may be a count, and each line of the log has an event of its own.
        if kind != .receipt, kind != .log, kind != .arrival { #expect(numbers.count == 1, "\(kind): \(numbers)") }
    }

    @Test func `the evidence of a finding of a log is the poll before it`() throws {
        var messages = try Self.found(at: 25)
        let place = try #require(messages.firstIndex { if case .feed(.found) = $0 { true } else { false } })
        messages.swapAt(place, place + 1)
        let session = try Session(messages)
        let expected = [try session.poll(25), try session.lastFinding()]
        #expect(try session.numbers(.finding, in: "6") == [expected])
    }

    @Test func `the evidence of a finding about no known poll is its own event`() throws {
        var messages = try Self.found(at: 25)
        let place = try #require(messages.firstIndex { if case .feed(.found) = $0 { true } else { false } })
        let found = messages.remove(at: place)
        messages.insert(found, at: 0)
        let session = try Session(messages)
        #expect(try session.numbers(.finding, in: "6") == [[try session.lastFinding()]])
    }

    @Test(arguments: Language.allCases)
    func `the evidence of a finding is shown in its view`(_ language: Language) throws {
        let session = try Session(Self.found(at: 25))
        var state = session.state
        state.settings.localizer = Localizer(language)
        for key: Key in [.character("6"), .enter] { _ = state.update(.key(key)) }
        let shown = view(state).text
        let event = Localizer(language)(.claimEvent(number: String(try session.poll(25))))
        #expect(state.overlay == .details(.evidence, row: 0) && shown.contains(event), "\(shown)")
        #expect(shown.contains("arrivalJumped") && shown.contains("GetTrip"), "\(shown)")
    }

    @Test func `the panel has the sentence, the rule, the poll and the finding in this order`() throws {
        var state = try Session(Self.found(at: 25)).state
        for key in "6y" { _ = state.update(.key(.character(key))) }
        let lines = view(state).text.split(separator: "\n")
        let poll = try #require(lines.firstIndex { $0.contains("GetTrip, HTTP 200, 17:00:25, event 15") })
        #expect(lines[poll - 2].contains(/17:00:25  \S/) && lines[poll - 1].contains("  arrivalJumped "))
        #expect(lines[poll + 1].contains("found 17:00:25, event 14"))
    }

    @Test func `a caption says under which conditions it is shown`() throws {
        var state = try Self.session(.caption).0.state
        _ = state.update(.key(.character("y")))
        let shown = view(state).text
        #expect(shown.contains("holds while status ENROUTE_TO_PICKUP"), "\(shown)")
    }

    @Test func `a refused poll that began after a refusal is not its evidence`() throws {
        var messages = try Self.refused(at: 20)
        let place = try #require(messages.lastIndex { if case .token = $0 { true } else { false } })
        guard case .token(let event) = messages[place] else { return }
        // The poll of the refusal is unknown; the next one, which began later, is refused, too.
        let earlier = TokenEvent(context: event.context, at: Ride.moment(17), kind: event.kind, status: event.status)
        messages[place] = .token(earlier)
        let session = try Session(messages)
        #expect(try session.numbers(.tokenRefusal, in: "3") == [[try session.lastToken()]])
    }

    @Test func `a caption of a recording says the conditions that were recorded with it`() throws {
        var state = try Ride().screen(at: 20, width: 120, height: 60)
        let caption = SessionRemark.Content.caption("A taxi comes.", while: "status ENROUTE_TO_PICKUP")
        let line = RecordingLine.bytes(RecordedEvent(.init(SessionRemark(caption, at: state.now.wall)), at: state.now))
        let remark = try #require(try SessionRemark(RecordingLine.event(line.dropLast())))
        _ = state.update(.remark(remark))
        _ = state.update(.key(.character("y")))
        let shown = view(state).text
        #expect(shown.contains("A taxi comes.") && shown.contains("holds while status ENROUTE_TO_PICKUP"), "\(shown)")
    }

    @Test func `an answer from a page of a search leads to the page`() throws {
        var state = try Ride().screen(at: 20, width: 120, height: 60)
        let trip = try #require(state.trip)
        let now = state.now.advanced(by: .seconds(1))
        let url = "https://fleet.example/v1/providers/p/trips:search"
        let call = Call(
            .searchTrips,
            about: "",
            Call.Request(own: "POST", url, body: Array(#"{"pageSize":200}"#.utf8), options: nil),
            Call.Answer(status: 200, body: []),
            started: now,
            ended: now
        )
        var report = PollReport(journey: trip.id, started: now)
        report.call = call
        report.outcome = .success(try #require(trip.state.journey))
        _ = state.update(.search(SearchEvent(call, started: now, finished: now, failure: nil)))
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        _ = state.update(.feed(.polled(report, trip.state, schedule)))
        _ = state.update(.key(.character("y")))
        for _ in 0..<20 where !view(state).text.contains("Enter: open the call") { _ = state.update(.key(.down)) }
        _ = state.update(.key(.enter))
        let opened = try #require(state.panels.network.chosenCall(in: state))
        #expect(state.view == .network && opened.call == call, "\(opened.call.operation)")
    }

    @Test(arguments: ["y", "R"] as [Character])
    func `the receipt is explained by the key for evidence`(closing: Character) throws {
        var state = try Session(Ride().messages(until: 100)).state
        for key in "Ry" { _ = state.update(.key(.character(key))) }
        #expect(state.overlay == .details(.receiptEvidence, row: 0))
        let shown = view(state).text
        #expect(shown.contains(/GetTrip, HTTP 200, 17:01:05, event \d+/), "\(shown)")
        _ = state.update(.key(.character(closing)))
        #expect(state.overlay == nil)
    }

    @Test func `Enter opens the call of the line of the cursor in the Network view`() throws {
        let session = try Session(Self.found(at: 25))
        var state = session.state
        for key in "6y" { _ = state.update(.key(.character(key))) }
        #expect(view(state).text.contains("Enter: open the call"))
        _ = state.update(.key(.enter))
        let (call, poll) = (try #require(state.panels.network.chosenCall(in: state)), try session.poll(25))
        #expect(state.view == .network && state.overlay == .details(.call(call.number), row: 0))
        #expect(call.event?.rawValue == poll)
    }

    @Test func `the cursor moves over all lines, and Enter closes the panel where no call is`() throws {
        var state = try Session(Self.found(at: 25)).state
        for key in "6y" { _ = state.update(.key(.character(key))) }
        // The last line is the event of the finding, which the program made itself.
        _ = state.update(.key(.end))
        guard case .details(.evidence, let row)? = state.overlay else {
            Issue.record("no evidence: \(view(state).text)")
            return
        }
        #expect(row > 0 && !view(state).text.contains("Enter: open the call"))
        _ = state.update(.key(.enter))
        #expect(state.overlay == nil && state.view == .findings)
    }
}
