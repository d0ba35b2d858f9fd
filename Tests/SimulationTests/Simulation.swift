import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel

/// One run of a feed with its client and token provider, a bad network and an engine, and the rules that must hold.
///
/// ```
/// 0 s            60 s                 115 s        … end
/// chaos ────────▶ connections fail ──▶ all is well ─▶ every trip was seen to end
/// ```
///
/// What a seed adds:
///
/// | seed | content |
/// |---|---|
/// | every second, less those of a project | random commands until the network recovers, and then the usual settings |
/// | every third | a quota |
/// | every third, beginning with 2 | tokens that the service refuses before their end |
/// | every fourth, beginning with 1 | the service is called over gRPC |
/// | every fourth, beginning with 3 | a recording, which must show the same states |
/// | every fifth | all trips of a project are followed with searches |
final class Simulation: Sendable {
    /// The result of a run.
    struct Outcome: Sendable {
        /// The violated rules; empty for a good run.
        var broken: [String]
        /// The number of polls of all trips.
        var polls: Int
        /// What happened, in order.
        ///
        /// Two runs of a seed have the same trace.
        var trace: [String]
    }

    private struct State {
        var broken: [String] = []
        var underWay: [String: Set<Int>] = [:]
        var lastRequest = 0
        var asked: [String: Int] = [:]
        var lastAsked: [String: Duration] = [:]
        /// The number of polls caused by commands.
        var orders = 0
        var known: [JourneyID: TripState] = [:]
        /// The service's time of the last answer about each trip.
        var answered: [JourneyID: Date] = [:]
        var seenEnded: [JourneyID: Duration] = [:]
        var trace: [String] = []
        /// The last token that was sent to each path, if the client has received its refusal.
        var refused: [String: String] = [:]
    }

    static let interval = Duration.seconds(5)
    static let floor = Duration.seconds(1)
    static let limit = Duration.seconds(400)

    let seed: UInt64
    let clock = VirtualClock()
    private let network: BadNetwork
    let engine: SimulatedEngine
    /// The trips that are polled until they end.
    let trips: [TripID]
    /// A trip that is added and removed during the run.
    let guest: TripID
    var hasOrders: Bool { seed.isMultiple(of: 2) && !isProject }
    var quota: Int? { seed.isMultiple(of: 3) ? 40 : nil }
    var hasRevocations: Bool { seed % 3 == 2 }
    var isRemote: Bool { seed % 4 == 1 }
    var isProject: Bool { seed.isMultiple(of: 5) }
    private let recording: RecordedRun?
    private let state = Mutex(State())

    private init(seed: UInt64) throws {
        self.seed = seed
        network = BadNetwork(clock: clock, seed: seed)
        engine = try SimulatedEngine(clock: clock, seed: seed)
        trips = [try TripID("a"), try TripID("b")]
        guest = try TripID("c")
        recording =
            seed % 4 == 3
            ? RecordedRun(provider: try ProviderID(SimulatedEngine.provider), start: clock.now(), seed: seed) : nil
    }

    /// Runs a seed.
    static func run(seed: UInt64) async throws -> Outcome {
        let simulation = try Simulation(seed: seed)
        let isDone = await SerialLoop.run(
            advance: { simulation.clock.advance() },
            body: {
                await simulation.play()
                return true
            }
        )
        if isDone == nil { simulation.breach("all tasks wait for something that never comes, or run without waiting") }
        return simulation.state.withLock {
            Outcome(
                broken: $0.broken,
                polls: $0.asked.filter { $0.key.contains("engine") }.values.reduce(0, +),
                trace: $0.trace
            )
        }
    }

    func breach(_ what: String) {
        let time = clock.now().steady.seconds
        state.withLock { $0.broken.append("at \(time) s: \(what)") }
    }

    /// Adds a line to the trace.
    func note(_ what: String) {
        let time = clock.now().steady.milliseconds
        state.withLock { $0.trace.append("\(time) \(what)") }
    }

    // MARK: The run

    private func play() async {
        let transport = HTTPTransport { [self] request async throws(Failure) in try await send(request) }
        do {
            let tokens = TokenProvider(
                source: HTTPTokenSource(
                    template: try TokenURLTemplate("https://tokens.example/{tripId}"),
                    transport: transport
                ),
                clock: clock,
                policy: .standard.polling(every: Self.interval),
                seed: seed
            )
            let servers = TokenProvider(
                source: HTTPTokenSource(
                    template: try TokenURLTemplate("https://tokens.example/\(SimulatedEngine.server)"),
                    transport: transport
                ),
                clock: clock,
                policy: .standard.polling(every: Self.interval),
                seed: seed
            )
            let trip = try client(tokens, transport)
            if isProject {
                try await follow(project: TripFeed.Clients(server: try client(servers, transport), trip: trip))
            } else {
                try await follow(with: trip)
            }
            for provider in [tokens, servers] {
                await provider.close()
                if provider.counters.inFlight != 0 { breach("fetches are left") }
            }
        } catch {
            breach("could not begin: \(error)")
        }
        check()
    }

    var hasSeenAllEnds: Bool {
        let ends = engine.ends.withLock(\.self)
        return state.withLock { state in
            trips.allSatisfy { ends[$0] != nil && (state.seenEnded[.trip($0)] != nil || !isExpected($0, state)) }
        }
    }

    /// Whether the client can know of a trip: one without a name that ended before the first sweep was answered stays unknown.
    private func isExpected(_ trip: TripID, _ state: State) -> Bool {
        !isProject || trip == trips[0] || state.known[.trip(trip)] != nil
    }

    /// Lets the service refuse all tokens now and then, in the first phase: two refusals in turn cause a long backoff.
    func revokeTokens() async {
        var random = SeededGenerator(seed: seed ^ 0x5E)
        for _ in 0..<3 {
            let time = clock.now().steady + .seconds(Double.random(in: 10...50, using: &random))
            // Cancelled when everything has ended before.
            guard (try? await clock.sleep(until: time)) != nil, time < BadNetwork.chaosEnds else { return }
            note("tokens are revoked")
            engine.revokeTokens()
        }
    }

    /// Sets the client's wall clock now and then, by up to ten minutes in either direction.
    func jumpClocks() async {
        var random = SeededGenerator(seed: seed ^ 0xC10C)
        for _ in 0..<3 {
            let time = clock.now().steady + .seconds(Double.random(in: 5...25, using: &random))
            // Cancelled when everything has ended before.
            guard (try? await clock.sleep(until: time)) != nil, time < BadNetwork.chaosEnds else { return }
            clock.set(aheadBy: .seconds(Double.random(in: -600...600, using: &random)))
        }
    }

    // MARK: Rules

    private func send(_ request: HTTPTransportRequest) async throws(Failure) -> HTTPTransportResponse {
        let path = String(request.url.prefix { $0 != "?" })
        checkToken(request, path)
        checkSpacing(path)
        let number = state.withLock { state in
            state.lastRequest += 1
            state.underWay[path, default: []].insert(state.lastRequest)
            state.asked[path, default: 0] += 1
            state.trace.append("\(clock.now().steady.milliseconds) \(path)")
            return state.lastRequest
        }
        if state.withLock({ ($0.underWay[path]?.count ?? 0) > 1 }) { breach("two requests at once for \(path)") }
        let isOver: @Sendable () -> Void = { [self] in state.withLock { _ = $0.underWay[path]?.remove(number) } }
        defer { isOver() }
        let result = await withTaskCancellationHandler {
            () async -> Result<HTTPTransportResponse, Failure> in
            do throws(Failure) {
                return .success(try await network.send(request) { [engine] in engine.answer($0) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            // A cancelled request no longer counts as in flight.
            isOver()
        }
        if case .success(let response) = result, response.status == 401, let token = SimulatedEngine.token(of: request)
        {
            state.withLock { $0.refused[path] = token }
        }
        return try result.get()
    }

    /// An expired token, one for another trip or the one whose refusal was received last is never sent.
    private func checkToken(_ request: HTTPTransportRequest, _ path: String) {
        guard path.contains("engine.example") else { return }
        guard let claims = engine.claims(request), let end = claims.expiresAt else {
            return breach("a request without a token")
        }
        if end <= clock.truth { breach("a token was sent \(clock.truth.timeIntervalSince(end)) s after its end") }
        // Another token that was refused earlier may come back: from a cache of the endpoint.
        let refused = state.withLock { $0.refused.removeValue(forKey: path) }
        if let refused, refused == SimulatedEngine.token(of: request) {
            breach("a refused token was sent again to \(path)")
        }
        if let trip = claims.tripID, trip != "*", !path.hasSuffix("/\(trip)") {
            breach("the token of \(trip) was sent to \(path)")
        }
    }

    /// No URL of the service or of a token source is requested twice within a second, manual retries included.
    private func checkSpacing(_ path: String) {
        let now = clock.now().steady
        let last = state.withLock { $0.lastAsked.updateValue(now, forKey: path) }
        // Exempt are the one retry with another token, which follows at once, and a removed trip that is added again.
        guard let last, path.contains("tokens."), now - last < .seconds(1) else { return }
        breach("\(path) was asked again after \(now - last)")
    }

    /// Counts a poll caused by a command.
    func countOrder() { state.withLock { $0.orders += 1 } }

    func handle(_ event: FeedEvent) {
        recording?.add(event, at: clock.now())
        if case .ended(let trip, let end) = event { note("\(trip) \(end)") }
        switch event {
        case .polled(let report, let state, _):
            let now = clock.now().steady
            note("\(report.journey) \(report.failure?.nameInJSON ?? "ok")")
            let before = self.state.withLock { $0.known.updateValue(state, forKey: report.journey) }
            let answered = self.state.withLock { $0.answered[report.journey] }
            // The whole seconds of the header do not tell which of two answers that close is the later one.
            let isEarlier = report.serverDate.flatMap { date in
                answered.map { (-2..<0).contains(date.timeIntervalSince($0)) }
            }
            if let before, isEarlier != true { compare(before, state) }
            if let date = report.serverDate { self.state.withLock { $0.answered[report.journey] = date } }
            if state.journey?.status.isTerminal == true {
                self.state.withLock { $0.seenEnded[report.journey] = $0.seenEnded[report.journey] ?? now }
            }
        case .found(let trip, let findings):
            if findings.contains(where: { $0.rule == "pollsOverlap" }) { breach("polls of \(trip) overlap") }
        case .ended(let trip, .failed(let failure)): breach("\(trip) was given up: \(failure.nameInJSON)")
        case .ended(let trip, .left), .ended(let trip, .reached):
            // If the trip is added again, its state starts empty.
            state.withLock { $0.known[trip] = nil }
        case .polling, .scheduled, .omitted, .driver: break
        }
    }

    /// No state goes backwards.
    private func compare(_ before: TripState, _ after: TripState) {
        guard let old = before.journey else { return }
        guard let new = after.journey else { return breach("what was known of \(after.id) is gone") }
        if old.status.isTerminal, new.status != old.status { breach("\(after.id) went on after its end") }
        if let was = old.status.rank, let now = new.status.rank, now < was {
            breach("\(after.id) went back from \(old.status.name) to \(new.status.name)")
        }
        if let was = old.lastLocation?.serverTime, let now = new.lastLocation?.serverTime, now < was {
            breach("the position of \(after.id) went back by \(was.timeIntervalSince(now)) s")
        }
    }

    private func check() {
        let state = state.withLock { $0 }
        for trip in trips {
            guard let ended = engine.ends.withLock({ $0[trip] }) else { return breach("\(trip) never ended") }
            // Two intervals, two round trips and, with a quota, the turns of the other trips.
            let turns = quota == nil ? Duration.zero : .milliseconds(4500)
            var latest = max(BadNetwork.returns, ended) + Self.interval * 2 + .milliseconds(1500) + turns
            // A trip without a name is looked for by the next sweep.
            if isProject, trip != trips[0] { latest += .seconds(20) }
            guard isExpected(trip, state) else { continue }
            guard let seen = state.seenEnded[.trip(trip)] else {
                breach("\(trip) ended at \(ended.seconds) s and was never seen to")
                continue
            }
            if seen > latest { breach("\(trip) ended at \(ended.seconds) s and was seen to at \(seen.seconds) s") }
        }
        if clock.sleeping > 0 { breach("\(clock.sleeping) tasks are left that wait") }
        if let recording { compare(recording, state) }
        if state.underWay.values.contains(where: { !$0.isEmpty }) { breach("requests are left") }
        checkCounts(state)
    }

    /// A recording shows what the session saw.
    private func compare(_ recording: RecordedRun, _ state: State) {
        let (states, problem) = recording.replayed()
        if let problem { breach("the recording: \(problem)") }
        for trip in Set(state.known.keys).union(states.keys) where state.known[trip]?.journey != states[trip]?.journey {
            breach("the recording shows another state of \(trip)")
        }
    }

    private func checkCounts(_ state: State) {
        let seconds = clock.now().steady.seconds
        var polls = 0
        for (path, count) in state.asked {
            // At most one poll per interval less the jitter, plus one for each token that may have been refused, plus the
            // polls caused by commands. A token lives for at least 15 s, and a failing source is asked once per interval
            // less the jitter.
            let isPoll = path.contains("engine.example")
            if isPoll { polls += count }
            let interval = !isPoll || !hasOrders ? 3.75 : Self.shortestOrder.seconds * 0.75
            let most = seconds / interval + 10 + Double(isPoll ? state.orders : 0)
            if Double(count) > most { breach("\(count) requests in \(seconds) s for \(path)") }
        }
        guard let quota, Double(polls) > seconds * Double(quota) / 60 + Double(PollBudget.burst) + 1 else { return }
        breach("\(polls) polls in \(seconds) s with a quota of \(quota) a minute")
    }
}
