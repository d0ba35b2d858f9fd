import Failures
import FleetTokens
import FleetWire
import Foundation
import HTTPTransport
import Synchronization
import TripFeed
import TripModel

/// The active faults that this program injects into its own requests.
///
/// Polls pass ``transport(_:polling:)`` and token fetches ``source(_:)``. Requests with a fault that changes them are not sent, so
/// the service is not disturbed.
final class ClientFaults: Sendable {
    /// What happens to one request.
    struct Plan: Equatable {
        var delay = Duration.zero
        /// The answer without sending the request; `nil` to send it.
        var answer: TestFault.ClientEffect?
        /// How far the answer's `Date` header is shifted.
        var shift = Duration.zero
    }

    private struct State {
        /// The active effects by the names of their faults, in order.
        var active: [(id: String, effect: TestFault.ClientEffect)] = []
        /// Hashes of the tokens that were sent, so that no token is kept; bounded.
        var sent: Set<Int> = []
        /// Hashes of the tokens that are refused.
        var expired: Set<Int> = []
    }

    /// The maximum number of hashes of tokens.
    private static let maximumTokens = 10_000

    /// The names of the active faults, whenever they have changed.
    let changes: AsyncStream<[String]>
    private let continuation: AsyncStream<[String]>.Continuation
    private let state = Mutex(State())
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an injector without faults; `sleep` waits in real time.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.sleep = sleep
        (changes, continuation) = AsyncStream.makeStream(of: [String].self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The names of the active faults.
    var active: [String] { state.withLock { $0.active.map(\.id) } }

    /// Adds a fault.
    func add(_ id: String, _ effect: TestFault.ClientEffect) {
        state.withLock { state in
            state.active.append((id, effect))
            if effect == .expireTokens { state.expired = state.sent }
        }
        continuation.yield(active)
    }

    /// Removes a fault.
    func remove(_ id: String) {
        state.withLock { state in
            if state.active.contains(where: { $0.id == id && $0.effect == .expireTokens }) { state.expired = [] }
            state.active.removeAll { $0.id == id }
        }
        continuation.yield(active)
    }

    // MARK: Polls

    /// Returns what happens to a poll with this `Authorization` header, and updates the faults that end by themselves.
    func plan(authorization: String) -> Plan {
        let (plan, hasChanged) = state.withLock { state -> (Plan, Bool) in
            var plan = Plan()
            let token = authorization.hashValue
            let isExpired = state.expired.contains(token)
            if state.sent.count >= Self.maximumTokens { state.sent = [] }
            state.sent.insert(token)
            var kept: [(id: String, effect: TestFault.ClientEffect)] = []
            for (id, effect) in state.active {
                var next: TestFault.ClientEffect? = effect
                switch effect {
                case .answer, .cutOff: plan.answer = plan.answer ?? effect
                case .delay(let delay): plan.delay += delay
                case .shiftDate(let shift): plan.shift += shift
                case .lose(let count) where plan.answer == nil:
                    plan.answer = effect
                    next = count > 1 ? .lose(count - 1) : nil
                case .expireTokens:
                    // A new token ends the fault; the old ones of other trips stay refused.
                    if !isExpired { next = nil }
                case .lose, .refuseToken, .delayToken, .otherTrip: break
                }
                if let next { kept.append((id, next)) }
            }
            if isExpired { plan.answer = plan.answer ?? .answer(status: 401, name: "UNAUTHENTICATED") }
            let hasChanged = kept.count != state.active.count
            state.active = kept
            return (plan, hasChanged)
        }
        if hasChanged { continuation.yield(active) }
        return plan
    }

    /// Returns a transport that injects the faults into requests to a service, by its base URL.
    func transport(_ base: HTTPTransport, polling service: String) -> HTTPTransport {
        HTTPTransport { [self] request async throws(Failure) in
            guard request.url.hasPrefix(service + "/") else { return try await base.send(request) }
            let header = request.headers.first { $0.name.lowercased() == "authorization" }?.value ?? ""
            let plan = plan(authorization: header)
            if plan.delay > .zero { try await wait(min(plan.delay, request.timeout)) }
            guard plan.delay < request.timeout else { throw .timedOut }
            switch plan.answer {
            case .answer(let status, let name, let retryAfter): return Self.answer(status, status, name, retryAfter)
            case .cutOff: throw .cutOff
            case .lose: throw .connectionLost
            default: break
            }
            var response = try await base.send(request)
            if plan.shift != .zero { response.shiftDate(by: plan.shift) }
            return response
        }
    }

    /// Returns a transport that injects the faults into the calls over gRPC.
    func transport(_ base: FleetTransport) -> FleetTransport {
        FleetTransport { [self] call, authorization throws(Failure) in
            let plan = plan(authorization: authorization ?? "")
            if plan.delay > .zero { try await wait(min(plan.delay, FleetClient.deadline)) }
            guard plan.delay < FleetClient.deadline else { throw .timedOut }
            switch plan.answer {
            case .answer(let status, let name, let retryAfter):
                let code = StatusCode(name: name) ?? StatusCode(httpStatus: status)
                let answer = Self.answer(status, code.rawValue, name, retryAfter)
                return FleetAnswer(answer, remote: FleetAnswer.Remote(status: code))
            case .cutOff: throw .cutOff
            case .lose: throw .connectionLost
            default: break
            }
            var answer = try await base.send(call, authorization)
            if plan.shift != .zero { answer.response.shiftDate(by: plan.shift) }
            return answer
        }
    }

    private func wait(_ time: Duration) async throws(Failure) {
        do {
            try await sleep(time)
        } catch {
            throw .cancelled
        }
    }

    /// Returns an answer with an error whose number is `code`: the HTTP status or the gRPC status.
    private static func answer(
        _ status: Int,
        _ code: Int,
        _ name: String,
        _ retryAfter: Int?
    ) -> HTTPTransportResponse {
        let body = #"{"error":{"code":\#(code),"message":"An injected fault.","status":"\#(name)"}}"#
        var headers = [(name: "Content-Type", value: "application/json; charset=UTF-8")]
        if let retryAfter { headers.append(("Retry-After", "\(retryAfter)")) }
        return HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8))
    }

    // MARK: Tokens

    /// The active effects on token fetches.
    fileprivate var tokenEffects: [TestFault.ClientEffect] { state.withLock { $0.active.map(\.effect) } }

    /// Returns a source of tokens that injects the faults.
    func source(_ base: any TokenSource) -> any TokenSource { FaultyTokenSource(base: base, faults: self) }

    fileprivate func waitForToken(_ time: Duration) async throws(TokenSourceError) {
        do {
            try await sleep(time)
        } catch {
            throw .cancelled
        }
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
    ) async throws(TokenSourceError) -> IssuedToken {
        let effects = faults.tokenEffects
        for case .delayToken(let time) in effects { try await faults.waitForToken(time) }
        if effects.contains(.refuseToken) { throw .refusedStatus(503, retryAfter: nil) }
        let token = try await base.fetch(context, reason: reason, recording: recorder)
        return effects.contains(.otherTrip) ? token.forAnotherTrip : token
    }
}

extension IssuedToken {
    /// The token with another trip in its claims; a token that is not a JWT with such a claim is unchanged.
    ///
    /// Its signature is wrong then, but the token provider refuses it before it is sent.
    var forAnotherTrip: IssuedToken {
        var parts = revealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1].utf8),
            // Claims that are not JSON can't be changed.
            var claims = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            var authorization = claims["authorization"] as? [String: Any]
        else { return self }
        authorization["tripid"] = "another-trip"
        claims["authorization"] = authorization
        // The claims were read from JSON, so they can be written.
        guard let changed = try? JSONSerialization.data(withJSONObject: claims) else { return self }
        parts[1] = Base64URL.encode([UInt8](changed))
        var token = IssuedToken(
            parts.joined(separator: "."),
            issuedAt: issuedAt,
            expiry: expiry,
            serverDate: serverDate
        )
        (token.isNew, token.isCached) = (isNew, isCached)
        return token
    }
}

extension HTTPTransportResponse {
    /// Shifts the `Date` header; an answer without one is unchanged.
    fileprivate mutating func shiftDate(by shift: Duration) {
        guard let index = headers.firstIndex(where: { $0.name.lowercased() == "date" }),
            let date = HTTPDate.date(headers[index].value)
        else { return }
        headers[index].value = HTTPDate.text(date.addingTimeInterval(shift.seconds))
    }
}
