import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A plan against a simulated service with a quota: the ages of what is known, at the scale of a large project.
@Suite("Sweep of a large project", .ends(within: .longTest))
struct PlannerLoadTests {
    /// An answer that is on its way.
    private struct Answer {
        let time: Duration
        let item: Planner.Item
    }

    /// What was measured.
    private struct Measurement {
        var requests: [Duration] = []
        var refused = 0
        /// The longest time between two answers that contained the status of a trip.
        var oldestStatus = Duration.zero
        var oldestViewed = Duration.zero
        var oldestDetail = Duration.zero
    }

    @Test(arguments: [100, 1000])
    func `10,000 trips respect a quota of 9,000 requests a minute`(pageSize: Int) throws {
        let trips = try (0..<10_000).map { try TripID("t\($0)") }
        let viewed = Array(trips.prefix(20))
        let result = try measure(trips, viewed: viewed, pageSize: pageSize, quota: 9000, for: .seconds(200))
        #expect(result.refused == 0)
        #expect(result.oldestStatus <= .seconds(60), "\(result.oldestStatus)")
        #expect(result.oldestViewed <= .milliseconds(5500), "\(result.oldestViewed): 5 s and the latencies")
        #expect(result.oldestDetail <= .seconds(100), "\(result.oldestDetail): every trip moves")
    }

    /// Runs a plan for a while against a service that answers within 50 to 400 ms and counts requests over a moving minute.
    private func measure(
        _ trips: [TripID],
        viewed: [TripID],
        pageSize: Int,
        quota: Int,
        for duration: Duration
    ) throws -> Measurement {
        let provider = try ProviderID("p")
        var random = SeededGenerator(seed: 1)
        var plan = Planner(Planner.Policy(interval: .seconds(5), requestsPerMinute: quota), at: .zero)
        plan.view(Set(viewed.map(JourneyID.trip)))
        var result = Measurement()
        var answers: [Answer] = []
        var statuses: [TripID: Duration] = [:]
        var details: [TripID: Duration] = [:]
        var oldestRequest = 0
        var now = Duration.zero
        let isViewed = Set(viewed)

        /// Records that a trip was answered; the first sweep and the first round of all trips are the beginning.
        func see(_ trip: TripID, in times: inout [TripID: Duration], _ oldest: inout Duration) {
            if let before = times[trip] { oldest = max(oldest, now - before) }
            times[trip] = now
        }

        while now < duration {
            while let index = answers.indices.first(where: { answers[$0].time <= now }) {
                let answer = answers.remove(at: index)
                switch answer.item {
                case .page(let token):
                    let start = token.flatMap(Int.init) ?? 0
                    let end = min(trips.count, start + pageSize)
                    for trip in trips[start..<end] { see(trip, in: &statuses, &result.oldestStatus) }
                    _ = plan.searched(
                        trips[start..<end].map { (.trip($0), true) },
                        pageToken: end == trips.count ? nil : String(end),
                        at: now
                    )
                case .journey(.trip(let trip)):
                    if isViewed.contains(trip) {
                        see(trip, in: &details, &result.oldestViewed)
                    } else {
                        see(trip, in: &details, &result.oldestDetail)
                    }
                    let answer = Trip(id: trip, provider: provider, status: .enrouteToDropoff)
                    plan.answered(.trip(answer), isMoving: true, at: now)
                case .journey(.shipment): break
                }
            }
            switch plan.next(at: now) {
            case .ask(let item):
                while oldestRequest < result.requests.count, now - result.requests[oldestRequest] > .seconds(60) {
                    oldestRequest += 1
                }
                if result.requests.count - oldestRequest >= quota { result.refused += 1 }
                result.requests.append(now)
                let latency = Duration.milliseconds(Int.random(in: 50...400, using: &random))
                answers.append(Answer(time: now + latency, item: item))
            case .wait(let time):
                now = max(now + .microseconds(1), min(time, answers.map(\.time).min() ?? time))
            case .hold, .deferred, .done: now = max(now + .microseconds(1), answers.map(\.time).min() ?? duration)
            }
        }
        return result
    }
}
