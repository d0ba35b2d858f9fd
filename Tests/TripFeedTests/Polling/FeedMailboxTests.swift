import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Feed mailbox", .ends(within: .quickTest))
struct FeedMailboxTests {
    private let trip: TripID
    private let other: TripID
    private let calls = Counter()
    private let mailbox: FeedMailbox

    private final class Counter: Sendable {
        let count = Locked(0)
    }

    init() throws {
        trip = try TripID("t")
        other = try TripID("o")
        mailbox = FeedMailbox { [calls] in calls.count.withLock { $0 += 1 } }
    }

    private func state(_ trip: TripID, _ answers: [TripStatus], at second: Int = 0) throws -> TripState {
        var state = TripState(id: .trip(trip))
        for (index, status) in answers.enumerated() {
            let answer = Trip(id: trip, provider: try ProviderID("p"), status: status)
            state.merge(
                .trip(answer),
                serverDate: nil,
                at: Moment(wall: .distantPast, steady: .seconds(second + index))
            )
        }
        return state
    }

    private func polled(_ trip: TripID, _ answers: TripStatus...) throws -> FeedEvent {
        let state = try state(trip, answers)
        let known = try #require(state.journey)
        return try polled(trip, .success(known), state)
    }

    private func polled(
        _ trip: TripID,
        _ outcome: Result<Journey, Failure>,
        _ state: TripState? = nil,
        body: Int = 0
    ) throws -> FeedEvent {
        var report = PollReport(journey: .trip(trip), started: Moment(wall: .distantPast, steady: .zero))
        report.outcome = outcome
        report.call = .sample(body: [UInt8](repeating: 0, count: body), at: report.started)
        return .polled(report, try state ?? self.state(trip, []), PollSchedule(interval: .seconds(5), next: nil))
    }

    private func dequeueAll() -> [FeedEvent] {
        mailbox.dequeueAll().compactMap { if case .feed(let event) = $0 { event } else { nil } }
    }

    /// One word for each item.
    private func words(_ items: [FeedMailbox.Item]) -> [String] {
        items.map { item in
            switch item {
            case .token(let event): event.kind.name
            case .search(let search): search.failure?.nameInJSON ?? "page"
            case .feed(.polled(let report, _, _)): report.failure?.nameInJSON ?? "ok"
            case .feed(.omitted(_, let omission)): "\(omission.total) left out"
            case .feed(.polling): "polling"
            case .feed(.found): "found"
            case .feed(.scheduled): "scheduled"
            case .feed(.driver): "driver"
            case .feed(.ended): "ended"
            }
        }
    }

    private func statuses(_ events: [FeedEvent]) -> [TripStatus?] {
        events.compactMap { event -> TripStatus?? in
            guard case .polled(_, let state, _) = event else { return nil }
            return state.journey?.status.trip
        }
    }

    @Test func `a prompt subscriber gets every event`() throws {
        for status in [TripStatus.new, .enrouteToPickup, .arrivedAtPickup] {
            mailbox.post(try polled(trip, status))
            #expect(statuses(dequeueAll()) == [status])
        }
        #expect(calls.count.withLock { $0 } == 3)
        #expect(mailbox.dequeueAll().isEmpty)
    }

    private func driverCall(at time: Duration) throws -> Call {
        .sample(at: Moment(wall: .distantPast, steady: time))
    }

    @Test func `the calls of a driver are retained one by one up to a limit, and are not counted as polls`() throws {
        for second in 1...20 {
            mailbox.post(.driver(.trip(trip), try driverCall(at: .seconds(second))))
            mailbox.post(try polled(trip, .new))
        }
        let words = words(mailbox.dequeueAll())
        #expect(words.count { $0 == "driver" } == 20)
        #expect(words.suffix(2) == ["19 left out", "ok"])
        for second in 1...1000 { mailbox.post(.driver(.trip(trip), try driverCall(at: .seconds(second)))) }
        let times = dequeueAll().compactMap { event in
            if case .driver(_, let call) = event { call.ended.steady.seconds } else { nil }
        }
        #expect(times.count == Backlog<FeedMailbox.Item>.maximumOutcomes)
        #expect(times.last == 1000 && times == times.sorted())
    }

    @Test
    func `a slow subscriber gets the newest pages of searches, of which only two have bodies, and all other events`()
        throws
    {
        let now = Moment(wall: .distantPast, steady: .zero)
        mailbox.post(
            TokenEvent(context: .server, at: now, kind: .stored(generation: 1), status: TokenStatus(source: "s"))
        )
        for second in 1...1000 {
            let ended = Moment(wall: .distantPast, steady: .seconds(second))
            let failure: Failure? = second.isMultiple(of: 100) ? .refused : nil
            let call = Call.sample(
                .searchTrips,
                about: "",
                body: [UInt8](repeating: 0, count: 1000),
                at: now,
                until: ended
            )
            mailbox.post(SearchEvent(call, started: now, finished: ended, failure: failure))
        }
        mailbox.post(try polled(trip, .new))
        let items = mailbox.dequeueAll()
        let searches = items.compactMap { if case .search(let search) = $0 { search } else { nil } }
        #expect(searches.count == Backlog<FeedMailbox.Item>.maximumOutcomes)
        #expect(searches.count { $0.failure != nil } == 10, "pages are dropped before failures")
        #expect(searches.last?.finished.steady == .seconds(1000))
        #expect(searches.compactMap { $0.call?.answer?.body }.count == 2)
        #expect(searches.suffix(2).allSatisfy { $0.call?.answer?.body != nil })
        #expect(Set(words(items)) == ["stored", "page", Failure.refused.nameInJSON, "ok"], "\(words(items))")
    }

    @Test func `a slow subscriber gets the newest poll of each status with all changes since`() throws {
        mailbox.post(try polled(trip, .new))
        mailbox.post(try polled(trip, .new, .new))
        mailbox.post(try polled(trip, .new, .new, .new))
        mailbox.post(try polled(trip, .new, .new, .new, .enrouteToPickup))
        let events = dequeueAll()
        #expect(statuses(events) == [.new, .enrouteToPickup])
        guard case .omitted(_, let omission)? = events.first, case .polled(_, let state, _)? = events.dropFirst().first
        else {
            Issue.record("what was left out is reported first")
            return
        }
        #expect(omission == EventOmission(successes: 2))
        #expect(state.changed.isSuperset(of: [.tripStatus, .pickupPoint]))
        #expect(calls.count.withLock { $0 } == 1)
    }

    @Test func `delivers a refusal and the missing token after it in order, with the token events between them`() throws
    {
        let refusal = Failure.service(ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED"), retryAfter: nil)
        let error = TokenError.rejectedByService(status: 403, retryAfter: .seconds(10))
        func token(_ kind: TokenEvent.Kind) -> TokenEvent {
            let now = Moment(wall: .distantPast, steady: .zero)
            return TokenEvent(context: .trip(trip), at: now, kind: kind, status: TokenStatus(source: "s"))
        }
        for _ in 0..<2 {
            mailbox.post(token(.fetching(.needed)))
            mailbox.post(token(.stored(generation: 1)))
            mailbox.post(token(.rejected(status: 403)))
            mailbox.post(try polled(trip, .failure(refusal)))
            mailbox.post(token(.failed(error)))
            mailbox.post(try polled(trip, .failure(error.failure.with(History(refusal: refusal)))))
        }
        let round = ["fetching", "stored", "rejected", "PERMISSION_DENIED", "failed", "TOKEN_REJECTED_BY_SERVICE"]
        #expect(words(mailbox.dequeueAll()) == round + round)
    }

    /// The reader reads after a random number of polls.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `every poll is either delivered or counted as omitted`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let failures: [Failure] = [
            .refused, .timedOut, .redirected(httpStatus: 302),
            .service(ServiceAnswer(httpStatus: 503, message: "later"), retryAfter: nil),
            .service(ServiceAnswer(httpStatus: 503, message: "busy"), retryAfter: nil),
        ]
        var made: [JourneyID: (good: Int, bad: Int)] = [:]
        var reported: [JourneyID: (good: Int, bad: Int)] = [:]
        func read() {
            for event in dequeueAll() {
                switch event {
                case .polled(let report, _, _):
                    if report.failure == nil { reported[report.journey, default: (0, 0)].good += 1 }
                    if report.failure != nil { reported[report.journey, default: (0, 0)].bad += 1 }
                case .omitted(let trip, let omission):
                    reported[trip, default: (0, 0)].good += omission.successes
                    reported[trip, default: (0, 0)].bad += omission.failureCount
                default: break
                }
            }
        }
        for _ in 0..<300 {
            let id = Bool.random(using: &random) ? trip : other
            mailbox.post(.polling(.trip(id), PollSchedule(interval: .seconds(5), next: nil)))
            if Int.random(in: 0..<3, using: &random) == 0 {
                mailbox.post(.driver(.trip(id), try driverCall(at: .zero)))
            }
            if Int.random(in: 0..<5, using: &random) < 2, let failure = failures.randomElement(using: &random) {
                mailbox.post(try polled(id, .failure(failure)))
                made[.trip(id), default: (0, 0)].bad += 1
            } else {
                mailbox.post(try polled(id, Bool.random(using: &random) ? .new : .enrouteToPickup))
                made[.trip(id), default: (0, 0)].good += 1
            }
            if Int.random(in: 0..<Int(seed) * 4, using: &random) == 0 { read() }
        }
        read()
        for id in [trip, other] {
            #expect(made[.trip(id)]?.good == reported[.trip(id)]?.good)
            #expect(made[.trip(id)]?.bad == reported[.trip(id)]?.bad)
        }
    }

    /// The reader reads after a random number of events.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `every stored token is delivered once with its number, or counted as omitted`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stored = 0
        var delivered: [Int] = []
        var omitted = 0
        func read() {
            for case .token(let event) in mailbox.dequeueAll() {
                switch event.kind {
                case .stored(let generation): delivered.append(generation)
                case .omitted(let omission): omitted += omission.successes
                default: break
                }
            }
        }
        for _ in 0..<200 {
            func post(_ kind: TokenEvent.Kind) {
                let now = Moment(wall: .distantPast, steady: .zero)
                mailbox.post(
                    TokenEvent(context: .trip(trip), at: now, kind: kind, status: TokenStatus(source: "s"))
                )
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: mailbox.post(try polled(trip, .enrouteToPickup))
            case 1: post(.failed(.closed))
            default:
                stored += 1
                post(.fetching(.ahead))
                post(.stored(generation: stored))
            }
            if Int.random(in: 0..<Int(seed) * 2, using: &random) == 0 { read() }
        }
        read()
        #expect(Set(delivered).count == delivered.count && delivered == delivered.sorted())
        #expect(delivered.count + omitted == stored)
    }

    @Test func `two tokens before the first poll are two events`() throws {
        let now = Moment(wall: .distantPast, steady: .zero)
        for kind in [TokenEvent.Kind.fetching(.needed), .stored(generation: 1), .stored(generation: 2)] {
            mailbox.post(TokenEvent(context: .trip(trip), at: now, kind: kind, status: TokenStatus(source: "s")))
        }
        mailbox.post(try polled(trip, .new))
        #expect(words(mailbox.dequeueAll()).count { $0 == "stored" } == 2)
    }

    @Test func `retains only the bodies of the newest polls`() throws {
        for number in 0..<100 {
            let failure = Failure.other(reason: "\(number)")
            mailbox.post(try polled(trip, .failure(failure), body: 1000))
        }
        let bodies = dequeueAll().compactMap { event -> StoredBody?? in
            guard case .polled(let report, _, _) = event else { return nil }
            return report.answer?.body
        }
        #expect(bodies.suffix(2).allSatisfy { $0?.size == 1000 })
        #expect(bodies.dropLast(2).allSatisfy { $0 == nil })
        #expect((3...32).contains(bodies.count))
    }

    @Test func `never loses findings and ends, and delivers an end last`() throws {
        let finding = Finding(
            time: .distantPast,
            journey: .trip(trip),
            rule: "offRoute",
            severity: .warning,
            evidence: []
        )
        mailbox.post(try polled(trip, .new))
        mailbox.post(.found(.trip(trip), [finding]))
        mailbox.post(try polled(trip, .new, .complete))
        mailbox.post(.found(.trip(trip), [finding]))
        mailbox.post(.ended(.trip(trip), .reached(.trip(.complete))))
        let events = dequeueAll()
        #expect(statuses(events) == [.new, .complete])
        let findings = events.compactMap { event -> [Finding]? in
            guard case .found(_, let findings) = event else { return nil }
            return findings
        }
        #expect(findings.joined().count == 2)
        guard case .ended? = events.last else {
            Issue.record("the end comes last")
            return
        }
    }

    @Test func `holds only a few events per trip, whatever is posted`() throws {
        let finding = Finding(
            time: .distantPast,
            journey: .trip(trip),
            rule: "offRoute",
            severity: .warning,
            evidence: []
        )
        for _ in 0..<1000 {
            for id in [trip, other] {
                mailbox.post(.polling(.trip(id), PollSchedule(interval: .seconds(5), next: nil)))
                mailbox.post(try polled(id, .new))
                mailbox.post(.found(.trip(id), [finding]))
            }
        }
        let events = dequeueAll()
        #expect(events.count <= 2 * (Backlog<FeedMailbox.Item>.maximumNotes + 3))
        #expect(events.first?.journey == .trip(trip))
    }

    @Test("a batch comes with what was made of its events, and of no later one")
    func judgedTogether() async throws {
        let judged = Counter()
        let mailbox = FeedMailbox(posted: { _ in judged.count.withLock { $0 += 1 } }, hasMail: {})
        let trips = try (0..<8).map { try TripID("t\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for trip in trips {
                group.addTask { for _ in 0..<500 { mailbox.post(.found(.trip(trip), [])) } }
            }
            group.addTask {
                for _ in 0..<500 {
                    let (_, posted, made) = mailbox.dequeueBatch { judged.count.withLock(\.self) }
                    #expect(made == posted)
                }
            }
            try await group.waitForAll()
        }
        let (_, posted, all) = mailbox.dequeueBatch { judged.count.withLock(\.self) }
        #expect(posted == all && all == trips.count * 500)
    }
}
