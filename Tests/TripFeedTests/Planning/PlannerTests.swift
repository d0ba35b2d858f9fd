import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Planner", .ends(within: .longTest))
struct PlannerTests {
    @Test(arguments: 1...30 as ClosedRange<UInt64>, [false, true])
    func `asks in time, not too early and within the quota, and forgets what is over`(
        seed: UInt64,
        isProject: Bool
    ) throws {
        var run = try PlannerRun(seed: seed, isProject: isProject)
        try run.run()
        #expect(run.complaints.isEmpty, "\(run.complaints.prefix(5).joined(separator: "\n"))")
    }

    /// Answers every request of a planner at once, until a time; returns how many journeys have ended.
    private func answer(
        _ planner: inout Planner,
        from start: Duration,
        until end: Duration,
        page: (String?) -> (trips: ArraySlice<TripID>, next: String?) = { _ in ([], nil) }
    ) throws -> Int {
        let provider = try ProviderID("p")
        var (now, ends) = (start, 0)
        while now < end {
            switch planner.next(at: now) {
            case .ask(.page(let token)):
                let (trips, next) = page(token)
                _ = planner.searched(trips.map { (.trip($0), false) }, pageToken: next, at: now)
            case .ask(.journey(let id)):
                let trip = Trip(id: try #require(id.trip), provider: provider, status: .complete)
                guard planner.answered(.trip(trip), isMoving: false, at: now) != nil else { continue }
                planner.end(id)
                ends += 1
            case .deferred: continue
            case .wait(let time): now = time
            case .hold, .done: return ends
            }
        }
        return ends
    }

    @Test func `10,000 journeys that come and go leave it as small as it was`() throws {
        let policy = Planner.Policy(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil)
        var planner = Planner(policy, at: .zero)
        var ends = 0
        for batch in 0..<100 {
            let start = Duration.seconds(batch * 60)
            planner.add(try (0..<100).map { .trip(try TripID("t\(batch)-\($0)")) }, at: start)
            ends += try answer(&planner, from: start, until: start + .seconds(60))
            #expect(planner.count == 0 && planner.size == 0 && planner.inFlight == 0)
        }
        #expect(ends == 10_000)
    }

    @Test func `10,000 trips of a project that come and go leave it as small as it was`() throws {
        let trips = try (0..<10_000).map { try TripID("t\($0)") }
        var planner = Planner(Planner.Policy(interval: .seconds(5), requestsPerMinute: 9000), at: .zero)
        var ends = 0
        for batch in 0..<20 {
            // Each sweep lists 500 trips on five pages, which the next one does not list.
            let start = Duration.seconds(batch * 20)
            ends += try answer(&planner, from: start, until: start + .seconds(20)) { token in
                let first = batch * 500 + (token.flatMap { Int($0) } ?? 0) * 100
                let page = (first - batch * 500) / 100
                return (trips[first..<(first + 100)], page == 4 ? nil : String(page + 1))
            }
            #expect(planner.count == 500 && planner.size <= 5 * planner.count + 2 * 500)
        }
        ends += try answer(&planner, from: .seconds(400), until: .seconds(480))
        #expect(ends == 10_000)
        #expect(planner.count == 0 && planner.size == 0 && planner.inFlight == 0)
    }
}
