import Failures
import Runtime
import TripFeed
import TripModel

/// A planner against a service that answers after a random time, while journeys come and go and a user gives commands.
///
/// It checks what is asked by rules of its own.
struct PlannerRun {
    private struct Pending {
        let item: Planner.Item
        let time: Duration
        var isLeft = false
    }

    private enum Disturbance: CaseIterable {
        case end, leave, pause, resume, pollNow, interval, view
    }

    private static let most = 12
    /// Pages are this long.
    private static let pageSize = 5
    private let isProject: Bool
    private let quota: Int
    private let provider: ProviderID
    private var planner: Planner
    private var random: SeededGenerator
    private var now = Duration.zero
    private var nextDisturbance: Duration?
    private var pending: [Pending] = []
    private var created = 0
    /// The journeys that have not ended at the service.
    private var alive: Set<JourneyID> = []
    private var removed: Set<JourneyID> = []
    /// The journeys for which there is a reason to ask before their regular time.
    private var wanted: Set<JourneyID> = []
    private var lastAsked: [JourneyID: Duration] = [:]
    private var times: [Duration] = []
    /// When the last sweep began, and whether its last page was answered.
    private var sweep = (start: Duration.zero, isComplete: false)
    /// The journeys on its pages.
    private var listed: Set<JourneyID> = []
    private var ends = 0
    /// The rules that were broken.
    private(set) var complaints: [String] = []

    init(seed: UInt64, isProject: Bool) throws {
        self.isProject = isProject
        random = SeededGenerator(seed: seed)
        provider = try ProviderID("p")
        quota = Int.random(in: 120...600, using: &random)
        var policy = Planner.Policy(interval: .seconds(5), requestsPerMinute: quota)
        if !isProject {
            policy = Planner.Policy(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil)
            policy.requestsPerMinute = quota
        }
        planner = Planner(policy, at: .zero)
        for _ in 0..<Self.most / 2 { try come() }
    }

    /// Ten minutes of disturbances and failures, then the same time without them, and then the end of all journeys.
    mutating func run() throws {
        nextDisturbance = .zero
        try run(until: .seconds(600))
        nextDisturbance = nil
        for id in ordered(planner.followed) { planner.pause(id, false) }
        try run(until: .seconds(1200))
        for id in ordered(planner.followed) where !isPending(id) {
            let last = lastAsked[id] ?? .zero
            if now - last > .seconds(40) { complain("\(id) was last asked at \(last)") }
        }
        planner.isOpen = false
        alive = []
        try run(until: .seconds(1400))
        if planner.count > 0 || planner.size > 0 || planner.inFlight != pending.count {
            complain("\(planner.count) journeys and \(planner.size) entries are left")
        }
        if !isProject, planner.next(at: now) != .done { complain("it is not done") }
        if ends == 0 || times.count < 300 { complain("\(ends) ends and \(times.count) requests are no test") }
    }

    private mutating func complain(_ what: String) { complaints.append("at \(now): \(what)") }

    private func ordered(_ ids: Set<JourneyID>) -> [JourneyID] { ids.sorted { $0.rawValue < $1.rawValue } }

    private func isPending(_ id: JourneyID) -> Bool { pending.contains { $0.item == .journey(id) } }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: Time

    private mutating func run(until end: Duration) throws {
        while now < end {
            while let index = pending.indices.first(where: { pending[$0].time <= now }) {
                answer(pending.remove(at: index))
            }
            if let time = nextDisturbance, time <= now {
                try disturb()
                nextDisturbance = now + .milliseconds(Int.random(in: 100...5000, using: &random))
            }
            if planner.size > 5 * planner.count + ends {
                complain("\(planner.size) entries for \(planner.count) journeys")
            }
            let before = planner
            switch planner.next(at: now) {
            case .ask(let item):
                check(item, before)
                let latency = Duration.milliseconds(Int.random(in: 20...3000, using: &random))
                pending.append(Pending(item: item, time: now + latency))
            case .deferred(let id):
                if planner.schedule(of: id).next.map({ $0 > now }) != true { complain("\(id) has no later slot") }
            case .wait(let time):
                if time <= now { complain("it waits for \(time)") }
                advance(to: min(time, end))
            case .hold, .done: advance(to: end)
            }
        }
    }

    private mutating func advance(to time: Duration) {
        let events = pending.map(\.time) + [nextDisturbance].compactMap(\.self)
        now = max(now + .microseconds(1), min(time, events.min() ?? time))
    }

    // MARK: Rules

    private mutating func check(_ item: Planner.Item, _ before: Planner) {
        if pending.contains(where: { $0.item == item }) { complain("\(item) was asked twice at once") }
        times.append(now)
        // A paused journey keeps its slot.
        for gap in [1, 10, quota] where times.count > gap + PollBudget.burst + Self.most {
            let first = times[times.count - 1 - gap - PollBudget.burst - Self.most]
            if now - first < .seconds(60) / quota * (gap - 1) { complain("too many requests since \(first)") }
        }
        guard case .journey(let id) = item else { return checkPage(item) }
        if !before.isFollowed(id) { complain("\(id) is not followed") }
        let isDue = before.isShown(id) && before.schedule(of: id).next.map { $0 <= now } == true
        if wanted.remove(id) == nil, !isDue { complain("\(id) was asked before its time") }
        lastAsked[id] = now
    }

    private mutating func checkPage(_ item: Planner.Item) {
        guard item == .page(token: nil) else { return }
        if sweep.isComplete, now - sweep.start < .seconds(20) { complain("a sweep began too early") }
        sweep = (now, false)
        listed = []
    }

    // MARK: Disturbances

    private mutating func come() throws {
        created += 1
        let id = JourneyID.trip(try TripID("t\(created)"))
        alive.insert(id)
        if !isProject { planner.add([id], at: now) }
    }

    private mutating func disturb() throws {
        if alive.count < Self.most, chance(35) { return try come() }
        guard let disturbance = Disturbance.allCases.randomElement(using: &random),
            let id = ordered(planner.followed).randomElement(using: &random)
        else { return }
        switch disturbance {
        case .end: alive.remove(id)
        case .leave:
            alive.remove(id)
            removed.insert(id)
            planner.remove(id)
            for index in pending.indices where pending[index].item == .journey(id) { pending[index].isLeft = true }
        case .pause, .resume: planner.pause(id, disturbance == .pause)
        case .pollNow:
            planner.request(id, at: now)
            wanted.insert(id)
        case .interval: planner.setInterval(.seconds(Int.random(in: 1...10, using: &random)), of: id, at: now)
        case .view: if isProject { planner.view(Set(ordered(planner.followed).filter { _ in chance(30) })) }
        }
    }

    // MARK: Answers

    private mutating func answer(_ pending: Pending) {
        guard case .journey(let id) = pending.item else { return answerPage(pending) }
        guard !pending.isLeft else { return planner.dropped() }
        var end: FeedEnd?
        if nextDisturbance != nil, chance(30) {
            end = planner.failed(id, failure(), at: now, random: &random)
        } else if case .trip(let name) = id {
            var trip = Trip(id: name, provider: provider, status: alive.contains(id) ? .enrouteToPickup : .complete)
            trip.vehicleID = try? VehicleID("v")
            let isMoving = alive.contains(id) && (nextDisturbance == nil || chance(50))
            if isMoving { wanted.insert(id) }
            end = planner.answered(.trip(trip), isMoving: isMoving, at: now)
        }
        guard end != nil else { return }
        ends += 1
        planner.end(id)
        alive.remove(id)
        if planner.isFollowed(id) { complain("\(id) is over and followed") }
    }

    private mutating func answerPage(_ pending: Pending) {
        guard case .page(let token) = pending.item else { return }
        if nextDisturbance != nil, chance(20) { return planner.searchFailed(failure(), at: now, random: &random) }
        let all = ordered(alive)
        let first = min(all.count, token.flatMap { Int($0) } ?? 0)
        let last = min(all.count, first + Self.pageSize)
        let page = all[first..<last].filter { !removed.contains($0) }
        listed.formUnion(page)
        wanted.formUnion(page)
        sweep.isComplete = last == all.count
        if sweep.isComplete { wanted.formUnion(planner.followed.subtracting(listed)) }
        _ = planner.searched(page.map { ($0, true) }, pageToken: sweep.isComplete ? nil : String(last), at: now)
    }

    private mutating func failure() -> Failure {
        let failures: [Failure] = [
            .refused, .timedOut, .service(ServiceAnswer(httpStatus: 401), retryAfter: nil),
            .service(ServiceAnswer(httpStatus: 503), retryAfter: nil),
            .service(ServiceAnswer(httpStatus: 503), retryAfter: .seconds(20)),
            .service(ServiceAnswer(httpStatus: 429), retryAfter: .seconds(3)),
        ]
        return failures[Int.random(in: 0..<failures.count, using: &random)]
    }
}
