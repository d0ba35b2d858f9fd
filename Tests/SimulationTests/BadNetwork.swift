import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import TripModel

/// A network that delays, loses, repeats, truncates and fails requests and answers, at random by a seed.
final class BadNetwork: Sendable {
    /// The end of the phase in which everything can go wrong.
    ///
    /// Later failures never cause long backoffs.
    static let chaosEnds = Duration.seconds(60)
    /// The end of the phase in which all connections fail.
    ///
    /// Requests in flight at this time are reset; later ones succeed.
    static let returns = Duration.seconds(115)

    private struct State {
        var random: SeededGenerator
        var lastGood: [String: HTTPTransportResponse] = [:]
        /// The first good body of each path in which every trip has its vehicle's position.
        ///
        /// It is replayed as an outdated answer.
        var dated: [String: [UInt8]] = [:]
    }

    private let clock: VirtualClock
    private let state: Mutex<State>

    init(clock: VirtualClock, seed: UInt64) {
        self.clock = clock
        state = Mutex(State(random: SeededGenerator(seed: seed ^ 0xBAD)))
    }

    private enum Fate: CaseIterable {
        case well, slow, lostOnTheWay, lostOnTheWayBack, refused, unknownHost, reset
        case repeated, cut, old, replayed, proxyPage, overloaded, unavailable

        /// The failures that can happen after the first phase: none that causes a long backoff.
        static let ofConnections: [Fate] = [
            .well, .slow, .lostOnTheWay, .lostOnTheWayBack, .refused, .unknownHost, .reset, .repeated,
        ]
    }

    /// Sends a request through the network to a server.
    func send(
        _ request: HTTPTransportRequest,
        to server: @Sendable (HTTPTransportRequest) -> HTTPTransportResponse
    ) async throws(Failure) -> HTTPTransportResponse {
        let now = clock.now().steady
        let (fate, share) = state.withLock { state -> (Fate, Double) in
            let share = Double.random(in: 0..<1, using: &state.random)
            guard now < Self.returns else { return (.well, share * 0.1) }
            let fates = now < Self.chaosEnds ? Fate.allCases : Fate.ofConnections
            // Half of the requests succeed.
            return (
                Bool.random(using: &state.random) ? .well : fates.randomElement(using: &state.random) ?? .well, share
            )
        }
        let deadline = min(now + request.timeout, max(Self.returns, now + .milliseconds(100)))
        switch fate {
        case .refused: throw .refused
        case .unknownHost: throw .unknownHost
        case .reset:
            try await wait(.seconds(share))
            throw .connectionLost
        case .lostOnTheWay: throw try await lost(until: deadline)
        case .well, .slow, .lostOnTheWayBack, .repeated, .cut, .old, .replayed, .proxyPage, .overloaded, .unavailable:
            break
        }
        try await wait(min(.seconds(fate == .slow ? share * 12 : share * 0.2), deadline - now))
        var response = server(request)
        if fate == .repeated { response = server(request) }
        try await wait(.seconds(fate == .slow ? share * 2 : share * 0.2))
        return try await deliver(response, to: request, fate, deadline)
    }

    private func deliver(
        _ response: HTTPTransportResponse,
        to request: HTTPTransportRequest,
        _ fate: Fate,
        _ deadline: Duration
    ) async throws(Failure) -> HTTPTransportResponse {
        let path = String(request.url.prefix { $0 != "?" })
        var response = response
        switch fate {
        case .lostOnTheWayBack: throw try await lost(until: deadline)
        case .cut: response.body = Array(response.body.prefix(response.body.count / 2))
        case .old where path.contains("engine"): return state.withLock { $0.lastGood[path] } ?? response
        case .old:
            // A backend that repeats an old body with the current time: an old `Date` header would look like another
            // clock.
            response.body = state.withLock { $0.lastGood[path] }?.body ?? response.body
            response.status = state.withLock { $0.lastGood[path] }?.status ?? response.status
        case .replayed:
            // A cache in between that sets the current time on the body it has kept.
            response.body = state.withLock { $0.dated[path] } ?? response.body
        case .proxyPage:
            return HTTPTransportResponse(status: 502, body: Array("<html><title>Bad Gateway</title></html>".utf8))
        case .overloaded: return HTTPTransportResponse(status: 429, headers: [(name: "Retry-After", value: "20")])
        case .unavailable: return HTTPTransportResponse(status: 503)
        case .well, .slow, .lostOnTheWay, .refused, .unknownHost, .reset, .repeated:
            if response.status == 200 { store(response, of: path) }
        }
        return response
    }

    private func store(_ response: HTTPTransportResponse, of path: String) {
        state.withLock { state in
            if state.lastGood[path] == nil { state.lastGood[path] = response }
            if state.dated[path] == nil, Self.hasPositions(response.body, path) { state.dated[path] = response.body }
        }
    }

    /// Whether every trip of a body has its vehicle's position, without which nothing shows that a trip is outdated.
    private static func hasPositions(_ body: [UInt8], _ path: String) -> Bool {
        let trips =
            path.hasSuffix("trips:search")
            ? (try? TripPage(body: body))?.trips : (try? TripCoding.decode(body)).map { [$0] }
        return trips?.isEmpty == false && trips?.allSatisfy { $0.lastLocation != nil } == true
    }

    private func wait(_ duration: Duration) async throws(Failure) {
        do {
            try await clock.sleep(until: clock.now().steady + duration)
        } catch {
            throw .cancelled
        }
    }

    private func lost(until deadline: Duration) async throws(Failure) -> Failure {
        try await wait(max(.zero, deadline - clock.now().steady))
        return clock.now().steady >= Self.returns ? .connectionLost : .timedOut
    }
}
