import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Runtime
import Synchronization
import Transport
import TripFeed
import TripModel

/// The active faults that this program injects into its own requests.
///
/// Polls pass ``transport(_:polling:)`` and token fetches ``source(_:)``. Requests with a fault that changes them are not sent, so
/// the service is not disturbed.
final class ClientFaults: Sendable {
    /// The names of the active faults, whenever they have changed.
    let changes: AsyncStream<[String]>
    private let continuation: AsyncStream<[String]>.Continuation
    private let injector = FaultInjector()
    /// The names of the faults and their numbers in the injector, in order.
    private let names = Mutex<[(id: String, number: Int)]>([])
    private let clock: any TripClock
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an injector without faults; `sleep` waits in real time.
    init(clock: any TripClock, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        (self.clock, self.sleep) = (clock, sleep)
        (changes, continuation) = AsyncStream.makeStream(of: [String].self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The names of the active faults.
    var active: [String] { names.withLock { $0.map(\.id) } }

    /// Adds a fault.
    func add(_ id: String, _ fault: Fault) {
        names.withLock { $0.append((id, injector.add(fault, at: clock.now().wall))) }
        continuation.yield(active)
    }

    /// Removes a fault.
    func remove(_ id: String) {
        names.withLock { names in
            for name in names where name.id == id { injector.clear(name.number) }
            names.removeAll { $0.id == id }
        }
        continuation.yield(active)
    }

    /// Returns the effects of the faults on a request; reports the faults that end with it.
    private func effects(on target: Fault.Target, _ request: String, _ authorization: String? = nil) -> FaultEffects? {
        let now = clock.now().wall
        let effects = injector.effects(on: target, request: request, authorization: authorization, at: now)
        let hasEnded = names.withLock { names in
            let numbers = Set(injector.all(at: now).map(\.id))
            let count = names.count
            names.removeAll { !numbers.contains($0.number) }
            return names.count < count
        }
        if hasEnded { continuation.yield(active) }
        return effects
    }

    // MARK: Polls

    /// Returns a transport that injects the faults into requests to a service, by its base URL.
    func transport(_ base: HTTPTransport, polling service: String) -> HTTPTransport {
        HTTPTransport { [self] request async throws(Failure) in
            guard request.url.hasPrefix(service + "/") else { return try await base.send(request) }
            let path = request.url.dropFirst(service.count)
            let header = request.headers.first { $0.name.lowercased() == "authorization" }?.value
            guard let effects = effects(on: .engine, "\(request.method) \(path)", header) else {
                return try await base.send(request)
            }
            try await delay(effects, within: request.timeout)
            if let error = effects.error { return error.response }
            var response = try await base.send(request)
            effects.apply(to: &response)
            return response
        }
    }

    /// Returns a transport that injects the faults into the calls over gRPC.
    func transport(_ base: FleetTransport) -> FleetTransport {
        FleetTransport { [self] call, authorization throws(Failure) in
            guard let effects = effects(on: .engine, call.request, authorization) else {
                return try await base.send(call, authorization)
            }
            try await delay(effects, within: FleetClient.deadline)
            if let error = effects.error {
                return FleetAnswer(error.response, remote: .init(status: StatusCode(httpStatus: error.status)))
            }
            var answer = try await base.send(call, authorization)
            effects.apply(to: &answer.response)
            return answer
        }
    }

    /// Waits as long as the answer is delayed, and fails if it does not arrive.
    private func delay(_ effects: FaultEffects, within timeout: Duration) async throws(Failure) {
        if effects.lateness > .zero {
            do {
                try await sleep(min(effects.lateness, timeout))
            } catch {
                throw .cancelled
            }
        }
        guard effects.lateness < timeout else { throw .timedOut }
        if effects.isLost { throw .connectionLost }
        if effects.isCutOff { throw .cutOff }
    }

    // MARK: Tokens

    /// Returns a source of tokens that injects the faults.
    func source(_ base: any TokenSource) -> any TokenSource { FaultyTokenSource(base: base, faults: self) }

    /// Returns the effects of the faults on a fetch, after their delay.
    fileprivate func fetchEffects(_ context: AuthorizationContext) async throws(Failure) -> FaultEffects? {
        guard let effects = effects(on: .tokens, context.request) else { return nil }
        if effects.lateness > .zero {
            do {
                try await sleep(effects.lateness)
            } catch {
                throw .sourceCancelled
            }
        }
        if effects.isLost || effects.isCutOff { throw .sourceUnreachable(.sourceInterrupted, reason: "") }
        if let error = effects.error {
            throw .sourceStatus(error.status, retryAfter: error.retryAfter.map { .seconds($0) })
        }
        return effects
    }
}

/// A source of tokens with the faults of a tester.
private struct FaultyTokenSource: RecordingTokenSource {
    let base: any TokenSource
    let faults: ClientFaults

    var name: String { base.name }

    func changes() -> AsyncStream<Void>? { base.changes() }

    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let effects = try await faults.fetchEffects(context)
        let token = try await base.fetch(context, reason: reason, recording: recorder)
        return effects?.token.changed(token) ?? token
    }
}

/// Requests in the form with which the paths of faults are compared.
extension FleetCall {
    fileprivate var request: String {
        switch self {
        case .getTrip(let request), .getTaskTrackingInfo(let request): "GET \(request.target)"
        case .searchTrips(_, let provider): "POST \(TripSearch.target(in: provider))"
        }
    }
}

extension AuthorizationContext {
    /// The path that the emulator's token endpoint has for the same token.
    fileprivate var request: String {
        switch self {
        case .trip: "GET /token/consumer"
        default: "GET /token"
        }
    }
}
