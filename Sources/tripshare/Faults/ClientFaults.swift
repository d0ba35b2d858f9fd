import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Runtime
import Synchronization
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
    /// The names of all faults by their numbers in the injector, also of those that have ended.
    private let known = Mutex<[Int: String]>([:])
    /// The names of the faults and their numbers in the injector, in order.
    private let names = Mutex<[(id: String, number: Int)]>([])
    /// The faults of the menu that the emulator has.
    private let emulated = Mutex<[TestFault]>([])
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
        names.withLock { names in
            let number = injector.add(fault, at: clock.now().wall)
            known.withLock { $0[number] = id }
            names.append((id, number))
        }
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

    /// Describes the faults of some effects.
    func fault(_ effects: FaultEffects, _ effect: InjectedFault.Effect) -> InjectedFault {
        let names = known.withLock { known in effects.numbers.compactMap { known[$0] } }
        return InjectedFault(names, .client, effect)
    }

    /// Describes the faults in an answer that was received with a status.
    private func fault(_ effects: FaultEffects, status: Int) -> InjectedFault {
        // What replaces the content of an error does not explain the error.
        fault(effects, effects.changesBody && (200..<300).contains(status) ? .replaced : .altered)
    }

    /// Sets the faults of the menu that the emulator has.
    func setEmulated(_ faults: [TestFault]) { emulated.withLock { $0 = faults } }

    /// Returns the fault of the emulator that closes the connection of a request; `nil` if the menu knows none.
    func emulatedClosing(of request: String) -> InjectedFault? {
        let names = emulated.withLock { faults in
            faults.filter { $0.emulated?.closesConnection(of: request) ?? false }.map(\.id)
        }
        return names.isEmpty ? nil : InjectedFault(names, .emulator, .replaced)
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
            try await delay(effects, within: request.timeout) { Exchange(request, ending: .failed($0)) }
            if let error = effects.error {
                var response = error.response
                response.exchange = Exchange(request, response).with(fault(effects, .unsent))
                return response
            }
            var response = try await base.send(request)
            effects.apply(to: &response)
            let exchange = response.exchange ?? Exchange(request, response)
            response.exchange = exchange.with(exchange.explanation ?? fault(effects, status: response.status))
            return response
        }
    }

    /// Returns a transport that injects the faults into the calls over gRPC.
    func transport(_ base: FleetTransport) -> FleetTransport {
        FleetTransport { [self] call, authorization throws(Failure) in
            guard let effects = effects(on: .engine, call.request, authorization) else {
                return try await base.send(call, authorization)
            }
            try await delay(effects, within: FleetClient.deadline) { Exchange(call, ending: .failed($0)) }
            if let error = effects.error {
                var response = error.response
                response.exchange = Exchange(call, response).with(fault(effects, .unsent))
                return FleetAnswer(response, remote: .init(status: StatusCode(httpStatus: error.status)))
            }
            var answer = try await base.send(call, authorization)
            effects.apply(to: &answer.response)
            let exchange = answer.response.exchange ?? Exchange(call, answer.response)
            let fault = exchange.explanation ?? fault(effects, status: answer.response.status)
            answer.response.exchange = exchange.with(fault)
            return answer
        }
    }

    /// Waits as long as the answer is delayed, and fails if it does not arrive; `exchange` describes the request that is not sent.
    private func delay(
        _ effects: FaultEffects,
        within timeout: Duration,
        _ exchange: (FailureCode) -> Exchange
    ) async throws(Failure) {
        func unsent(_ failure: Failure) -> Failure {
            failure.with(exchange(failure.code).with(fault(effects, .unsent)))
        }
        if effects.lateness > .zero {
            do {
                try await sleep(min(effects.lateness, timeout))
            } catch {
                throw .cancelled
            }
        }
        guard effects.lateness < timeout else { throw unsent(.timedOut) }
        if effects.isLost { throw unsent(.connectionLost) }
        if effects.isCutOff { throw unsent(.cutOff) }
    }

    // MARK: Tokens

    /// Returns a source of tokens that injects the faults.
    func source(_ base: any TokenSource) -> any TokenSource { FaultyTokenSource(base: base, faults: self) }

    /// Returns the effects of the faults on a fetch, after their delay; records the fault of one that is not sent.
    func fetchEffects(
        _ context: AuthorizationContext,
        from source: String,
        _ recorder: TokenAnswerRecorder
    ) async throws(Failure) -> FaultEffects? {
        guard let effects = effects(on: .tokens, context.request) else { return nil }
        if effects.lateness > .zero {
            do {
                try await sleep(effects.lateness)
            } catch {
                throw .sourceCancelled
            }
        }
        if effects.isLost || effects.isCutOff || effects.error != nil {
            recorder.record(Exchange(ofSource: source).with(fault(effects, .unsent)))
        }
        if effects.isLost || effects.isCutOff { throw .sourceUnreachable(.connectionLost, reason: "") }
        if let error = effects.error {
            throw .sourceStatus(error.status, retryAfter: error.retryAfter.map { .seconds($0) })
        }
        return effects
    }
}

/// Requests in the form with which the paths of faults are compared.
extension FleetCall {
    var request: String {
        switch self {
        case .getTrip(let request), .getTaskTrackingInfo(let request): "GET \(request.target)"
        case .searchTrips(_, let provider): "POST \(TripSearch.target(in: provider))"
        }
    }
}
