import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// The memory of a session in which trips come and go without end.
@Suite("Bounded memory", .ends(within: .longTest))
struct BoundedMemoryTests {
    private static let now = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)
    private static let end = FeedEnd.failed(.invalidURL)

    /// The state that a session keeps about its trips.
    private struct StoredState<Output: SessionOutput> {
        var completion: CompletionTracker
        var output: Output
        var table = JourneyTable()
        let written: Lines

        init(
            _ output: Output,
            _ written: Lines,
            goal: CompletionTracker.Goal = .end,
            isOpen: Bool = true,
            trips: [TripID] = []
        ) {
            self.output = output
            self.written = written
            completion = CompletionTracker(goal: goal, trips: trips.map(JourneyID.trip), isOpen: isOpen)
        }

        mutating func handle(_ event: FeedEvent) -> CompletionTracker.Outcome? {
            let item = SessionItem(.feed(event), at: BoundedMemoryTests.now)
            let changes = table.apply(item)
            return SessionRunner.pass(item, changes, table, to: &output, &completion)
        }

        mutating func handle(_ event: TokenEvent) {
            let item = SessionItem(.token(event), at: BoundedMemoryTests.now)
            let changes = table.apply(item)
            output.receive(item, changes, table)
        }

        var timeout: CompletionTracker.Outcome { completion.timeout(table) }

        mutating func end(_ outcome: CompletionTracker.Outcome) {
            for (trip, word) in completion.unreportedOutcomes(overall: outcome) {
                output.tripEnded(trip, outcome: word, at: BoundedMemoryTests.now)
            }
        }

        var ends: [String] { written.all.withLock { $0.filter { $0.contains(#""type":"end""#) } } }
    }

    /// The lines that an output has written.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    private static func json(
        goal: CompletionTracker.Goal = .end,
        isOpen: Bool = true,
        trips: [TripID] = []
    ) throws -> StoredState<JSONOutput> {
        let lines = Lines()
        let output = JSONOutput(host: "h", provider: try ProviderID("p")) { lines.add($0) }
        return StoredState(output, lines, goal: goal, isOpen: isOpen, trips: trips)
    }

    private static func plain() -> StoredState<PlainOutput> {
        let lines = Lines()
        return StoredState(
            PlainOutput(PlainLines(host: "h", zone: .utc, namesTrips: true)) { lines.add($0) },
            lines
        )
    }

    private static func polling(_ trip: TripID) -> FeedEvent {
        .polling(.trip(trip), PollSchedule(interval: .seconds(5), next: nil))
    }

    /// Passes the events of many trips that come and go; nothing of them may be kept except their combined outcome.
    private static func passManyTrips(_ count: Int, to stored: inout StoredState<some SessionOutput>) throws {
        var outcomes = 0
        let ends: [FeedEnd] = [.reached(.trip(.complete)), Self.end, .left]
        for number in 0..<count {
            let trip = try TripID("t\(number)")
            if stored.handle(Self.polling(trip)) != nil { outcomes += 1 }
            if stored.handle(.ended(.trip(trip), ends[number % 3])) != nil { outcomes += 1 }
            if number % 1000 == 0 { stored.written.all.withLock { $0 = [] } }
        }
        #expect(outcomes == 0)
        #expect(stored.completion.trips.isEmpty)
        #expect(stored.completion.reported.isEmpty)
        // The first trip that failed decides the exit code, as if all trips were kept.
        #expect(stored.completion.close() == .failed(try .trip(TripID("t1")), .invalidURL))
    }

    @Test func `retains nothing of ended trips except their combined outcome with JSON output`() throws {
        var stored = try Self.json()
        try Self.passManyTrips(100_000, to: &stored)
    }

    @Test func `retains nothing of ended trips except their combined outcome with plain output`() throws {
        var stored = Self.plain()
        try Self.passManyTrips(20_000, to: &stored)
        #expect(stored.table.count == 0)
    }

    @Test func `retains a trip until it ends and prints its end once`() throws {
        var stored = try Self.json()
        let (first, second) = (try TripID("a"), try TripID("b"))
        for trip in [first, second] { #expect(stored.handle(Self.polling(trip)) == nil) }
        #expect(stored.completion.trips == [.trip(first), .trip(second)])
        #expect(stored.handle(.ended(.trip(first), .reached(.trip(.complete)))) == nil)
        #expect(stored.completion.trips == [.trip(second)])
        stored.end(.interrupted(2))
        #expect(stored.ends.count == 2)
        #expect(stored.ends.first?.contains(#""outcome":"reached""#) == true)
        #expect(stored.ends.last?.contains(#""outcome":"interrupted""#) == true)
    }

    @Test func `the last trip ends the session, and the outcomes of earlier trips count`() throws {
        var stored = try Self.json(goal: .status(.trip(.complete)))
        let (first, second) = (try TripID("a"), try TripID("b"))
        for trip in [first, second] { #expect(stored.handle(Self.polling(trip)) == nil) }
        #expect(stored.handle(.ended(.trip(first), .reached(.trip(.canceled)))) == nil)
        #expect(stored.handle(.ended(.trip(second), .left)) == nil)
        #expect(stored.completion.trips.isEmpty)
        #expect(stored.completion.close() == .missed(.trip(first), .trip(.canceled)))
    }

    @Test func `a trip that never answered counts at the timeout`() throws {
        var stored = try Self.json()
        let trip = try TripID("a")
        #expect(stored.handle(Self.polling(trip)) == nil)
        #expect(stored.handle(.ended(.trip(trip), Self.end)) == nil)
        #expect(stored.timeout == .timedOut(waiting: nil))
    }

    @Test func `a timeout of a project without any trip is no success`() throws {
        let project = CompletionTracker(goal: .end, trips: [], isOpen: true, needsTrip: true)
        #expect(project.timeout(JourneyTable()) == .timedOut(waiting: nil))
        let file = CompletionTracker(goal: .end, trips: [], isOpen: true)
        #expect(file.timeout(JourneyTable()) == .done)
    }

    @Test func `the timeout names a trip whose first poll is in progress`() throws {
        let (one, two) = (try TripID("one"), try TripID("two"))
        var stored = try Self.json(isOpen: false, trips: [one, two])
        #expect(stored.timeout == .timedOut(waiting: nil), "no poll has begun")
        #expect(stored.handle(Self.polling(two)) == nil)
        #expect(stored.timeout == .timedOut(waiting: .trip(two)))
        let failure = Failure.refused
        var report = PollReport(journey: .trip(two), started: Self.now)
        report.outcome = .failure(failure)
        #expect(
            stored.handle(.polled(report, TripState(id: .trip(two)), PollSchedule(interval: .seconds(5), next: nil)))
                == nil
        )
        #expect(stored.handle(Self.polling(two)) == nil)
        let cause = CompletionTracker.TripFailure(journey: .trip(two), failure: failure)
        #expect(stored.timeout == .timedOut(waiting: nil, cause: cause), "its failure has been reported")
        #expect(stored.timeout.status == .unavailable)
    }

    @Test(arguments: [(403, 77), (503, 69), (404, 78)])
    func `a failure that lasts until the timeout decides it, one that is over does not`(
        http: Int,
        expected: Int32
    ) throws {
        let (one, two) = (try TripID("one"), try TripID("two"))
        var stored = try Self.json(isOpen: false, trips: [one, two])
        func poll(_ trip: TripID, fails: Bool) throws {
            var report = PollReport(journey: .trip(trip), started: Self.now)
            let answer = Trip(id: trip, provider: try ProviderID("p"), status: .enrouteToPickup)
            var state = TripState(id: .trip(trip))
            if !fails { state.merge(.trip(answer), serverDate: nil, at: Self.now) }
            let failure = Failure.service(ServiceAnswer(httpStatus: http), retryAfter: nil)
            report.outcome = fails ? .failure(failure) : .success(.trip(answer))
            #expect(stored.handle(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))) == nil)
        }
        for trip in [one, two] { try poll(trip, fails: false) }
        #expect(stored.timeout == .done)
        for trip in [one, two] { try poll(trip, fails: true) }
        #expect(stored.timeout.exitCode == expected)
        // The answer of another trip does not end it.
        try poll(two, fails: false)
        #expect(stored.timeout.exitCode == expected)
        try poll(one, fails: false)
        #expect(stored.timeout == .done)
    }

    @Test(arguments: [nil, .once, .status(.trip(.complete))] as [CompletionTracker.Goal?])
    func `at the timeout, a failure counts although another trip still waits or was answered`(
        goal: CompletionTracker.Goal?
    ) throws {
        for isPermanent in [true, false] {
            for otherAnswers in [true, false] {
                let (one, two) = (try TripID("one"), try TripID("two"))
                var stored = try Self.json(goal: goal ?? .end, isOpen: false, trips: [one, two])
                #expect(stored.handle(Self.polling(two)) == nil)
                if otherAnswers, goal != .once {
                    var report = PollReport(journey: .trip(two), started: Self.now)
                    let answer = Trip(id: two, provider: try ProviderID("p"), status: .enrouteToPickup)
                    var state = TripState(id: .trip(two))
                    state.merge(.trip(answer), serverDate: nil, at: Self.now)
                    report.outcome = .success(.trip(answer))
                    #expect(stored.handle(.polled(report, state, Self.schedule)) == nil)
                }
                let failure = Failure.service(ServiceAnswer(httpStatus: 403), retryAfter: nil)
                var report = PollReport(journey: .trip(one), started: Self.now)
                report.outcome = .failure(failure)
                #expect(stored.handle(.polled(report, TripState(id: .trip(one)), Self.schedule)) == nil)
                if isPermanent { #expect(stored.handle(.ended(.trip(one), .failed(failure))) == nil) }
                #expect(stored.timeout.exitCode == 77, "\(isPermanent) \(otherAnswers)")
            }
        }
    }

    private static let schedule = PollSchedule(interval: .seconds(5), next: nil)

    @Test func `a search that fails at the timeout decides it`() throws {
        var project = CompletionTracker(goal: .end, trips: [], isOpen: true, needsTrip: true)
        project.searchFailure = .service(ServiceAnswer(httpStatus: 403), retryAfter: nil)
        #expect(project.timeout(JourneyTable()).exitCode == 77)
    }

    @Test func `with --once, later polls of a trip are excess, and JSON promises no retry`() throws {
        let trip = try TripID("a")
        let lines = Lines()
        let output = JSONOutput(host: "h", provider: try ProviderID("p"), isSummary: true) { lines.add($0) }
        var stored = StoredState(output, lines, goal: .once, isOpen: false, trips: [trip])
        var report = PollReport(journey: .trip(trip), started: Self.now)
        report.outcome = .failure(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil))
        let event = FeedEvent.polled(report, TripState(id: .trip(trip)), PollSchedule(interval: .seconds(5), next: nil))
        #expect(!stored.completion.isExcess(event))
        #expect(stored.handle(event) != nil)
        #expect(stored.completion.isExcess(event))
        #expect(!stored.completion.isExcess(.ended(.trip(trip), Self.end)))
        let line = try #require(lines.all.withLock { $0.first })
        #expect(line.contains(#""advice":"Try again in a while.""#), "\(line)")
    }

    @Test func `retains all trips to the end if they are known from the start`() throws {
        let trips = [try TripID("a"), try TripID("b")]
        var stored = try Self.json(isOpen: false, trips: trips)
        #expect(stored.handle(.ended(.trip(trips[0]), .reached(.trip(.complete)))) == nil)
        #expect(stored.completion.trips == trips.map(JourneyID.trip))
        #expect(stored.handle(.ended(.trip(trips[1]), .reached(.trip(.complete)))) == .done)
        stored.end(.done)
        #expect(stored.ends.count == 2)
    }

    // MARK: Printed lines

    @Test func `prints every stored token, and a repeated event only once`() async throws {
        var stored = try Self.json()
        let trip = try TripID("t")
        var status = TokenStatus(state: .fresh, source: "s")
        func event(_ kind: TokenEvent.Kind) -> TokenEvent {
            TokenEvent(context: .trip(trip), at: Self.now, kind: kind, status: status)
        }
        stored.handle(event(.clockDisagreement(.seconds(9))))
        stored.handle(event(.stored(generation: 1)))
        status.fetches = 2
        stored.handle(event(.stored(generation: 2)))
        stored.handle(event(.clockDisagreement(.seconds(9))))
        let names = stored.written.all.withLock(\.self).compactMap { $0.firstMatch(of: /"event":"(\w+)"/)?.1 }
        #expect(names == ["clock_disagreement", "stored", "stored"])
    }

    @Test func `a trip that is active at the timeout does not count as removed`() throws {
        let (one, two) = (try TripID("1"), try TripID("2"))
        var stored = try Self.json(isOpen: false, trips: [one, two])
        _ = stored.handle(.ended(.trip(one), .left))
        stored.end(.done)
        #expect(stored.ends.map { $0.contains(#""outcome":"left""#) } == [true, false])
        #expect(stored.ends.last?.contains(#""outcome":"timed_out""#) == true)
    }
}
