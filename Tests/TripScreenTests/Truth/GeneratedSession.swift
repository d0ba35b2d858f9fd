import Failures
import Foundation
import Runtime
import TripFeed
import TripModel

/// A session that follows a generated journey: the polls, their failures, caches and delays, and the clocks.
///
/// All times are seconds after the start.
struct GeneratedSession {
    enum Step {
        /// The end of a poll; `nil` if it fails.
        case poll(Way?)
        /// The polls are paused, or go on.
        case pause(Bool)
    }

    /// How an answer came.
    struct Way {
        /// How long the request and the answer took.
        var request = 0.0
        var answer = 0.0
        /// How long the answer was in a cache before.
        var cached = 0.0
    }

    static let start = Date(timeIntervalSince1970: 1_773_476_000)

    let seed: UInt64
    let world: GeneratedWorld
    let interval: Double
    let failure: Failure
    private(set) var steps: [(time: Double, step: Step)] = []
    /// When nothing happens any more.
    let end: Double
    /// The longest time that a request or an answer takes; 0 if all are immediate.
    let longestWay: Double
    /// How exactly a client can know the service's time, in seconds: a slow answer that has it hides when it was right.
    var clockError: Double { serviceAhead == 0 && clockStep.by == 0 ? 0 : 2 * longestWay }
    /// How far the clock of the service is ahead of the local one at the start.
    private let serviceAhead: Double
    /// When the local clock is set, and by how much.
    private let clockStep: (time: Double, by: Double)

    init(seed: UInt64) {
        (self.seed, world) = (seed, GeneratedWorld(seed: seed))
        var random = SeededGenerator(seed: ~seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        func chance(_ share: Double) -> Bool { number(0...1) < share }
        serviceAhead = chance(0.5) ? 0 : number(-300...300)
        clockStep = (number(0...400), chance(0.25) ? number(-900...900) : 0)
        interval = number(2...25)
        end = world.end + 90
        let failures: [Failure] = [
            .refused, .timedOut, .service(ServiceAnswer(httpStatus: 503), retryAfter: nil),
            .service(ServiceAnswer(httpStatus: 429), retryAfter: .seconds(5)),
        ]
        failure = failures.randomElement(using: &random) ?? .refused
        let outages = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            let begin = number(0...400)
            return begin...(begin + number(5...150))
        }
        let begin = number(20...300)
        let pause = begin...(begin + (chance(0.15) ? number(10...120) : 0))
        if pause.lowerBound < pause.upperBound {
            steps = [(pause.lowerBound, .pause(true)), (pause.upperBound, .pause(false))]
        }
        let isCached = chance(0.25)
        var delays = SeededGenerator(seed: seed ^ 0xDE1A)
        longestWay = seed % 4 == 1 ? .random(in: 0.1...8, using: &delays) / 2 : 0
        var received = 0.0
        for planned in stride(from: number(0...5), to: end, by: interval) where !pause.contains(planned) {
            let age = isCached ? min(planned, number(0...40)) : 0
            // There is one poll at a time.
            let time = max(planned, received)
            var way = Way(cached: age)
            if longestWay > 0 {
                way.request = .random(in: 0...longestWay, using: &delays)
                way.answer = .random(in: 0...longestWay, using: &delays)
            }
            received = time + way.request + way.answer
            steps.append((received, .poll(outages.contains { $0.contains(time) } ? nil : way)))
        }
        steps.sort { $0.time < $1.time }
    }

    /// Returns the moment by the local clocks.
    func moment(_ second: Double) -> Moment {
        let wall = Self.start + second + (second >= clockStep.time ? clockStep.by : 0)
        return Moment(wall: wall, steady: .seconds(1000 + second))
    }

    /// Returns a time of the service's clock.
    func service(_ second: Double) -> Date { Self.start + second + serviceAhead }

    /// Returns the second of a time of the service's clock.
    func second(_ date: Date) -> Double { date.timeIntervalSince(Self.start) - serviceAhead }

    /// Returns random seconds at which the session is looked at, in order.
    func seconds(_ count: Int) -> [Double] {
        var random = SeededGenerator(seed: seed &+ 1)
        return (0..<count).map { _ in .random(in: 0...end, using: &random) }.sorted()
    }
}

/// The events of a generated session, one after the other.
struct SessionEvents {
    /// What an answered poll shows, and the number of its event.
    struct Answer {
        let known: GeneratedWorld.Knowledge
        /// When the service, or a cache, sent the answer.
        let sent: Double
        let event: Int
    }

    let session: GeneratedSession
    /// The answered polls up to the last event.
    private(set) var answers: [Answer] = []
    private var steps: ArraySlice<(time: Double, step: GeneratedSession.Step)>
    private var state: TripState
    private var schedule: PollSchedule
    private var count = 0

    init(_ session: GeneratedSession) throws {
        self.session = session
        steps = session.steps[...]
        state = TripState(id: try session.world.id())
        schedule = PollSchedule(interval: .seconds(session.interval), next: nil)
    }

    /// Returns the next event that happens up to a second, with its time; `nil` if there is none.
    mutating func next(until second: Double) throws -> (time: Double, event: FeedEvent)? {
        guard let (time, step) = steps.first, time <= second else { return nil }
        count += 1
        if let last = answers.last, last.known.status.isTerminal, last.event == count - 1, count > 1,
            answers.dropLast().last?.known.status == last.known.status
        {
            steps = []
            return (time, .ended(state.id, .reached(last.known.status)))
        }
        steps.removeFirst()
        switch step {
        case .pause(let isPaused):
            schedule.isPaused = isPaused
            return (time, .scheduled(state.id, schedule))
        case .poll(let way): return (time, try polled(at: time, way))
        }
    }

    private mutating func polled(at time: Double, _ way: GeneratedSession.Way?) throws -> FeedEvent {
        let duration = way.map { $0.request + $0.answer } ?? 0
        var report = PollReport(journey: state.id, started: session.moment(time - duration))
        report.finished = session.moment(time)
        if let way {
            let sent = time - way.answer
            let created = sent - way.cached
            let answer = try session.world.answer(at: created, clock: session.service)
            report.outcome = .success(answer)
            // The header has whole seconds.
            let date = session.service(sent).timeIntervalSince1970.rounded(.down)
            report.serverDate = Date(timeIntervalSince1970: date)
            report.cacheAge = .seconds(way.cached)
            state.merge(answer, of: report)
            answers.append(Answer(known: session.world.knowledge(at: created), sent: sent, event: count))
        } else {
            report.outcome = .failure(session.failure)
        }
        schedule.failures = way == nil ? schedule.failures + 1 : 0
        schedule.reason = way == nil ? .backOff : .interval
        return .polled(report, state, schedule)
    }
}
