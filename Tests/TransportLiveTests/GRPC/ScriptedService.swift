import Failures
import FleetEmulator
import FleetWire
import Foundation
import Synchronization
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// The gRPC listener of the emulator over a service that answers as a test wants.
enum ScriptedService {
    /// The answer of the service to the REST request with the same meaning.
    typealias Answer =
        @Sendable (HTTPTransportRequest) async throws(Failure) -> HTTPTransportResponse

    /// A trip that ``trip`` returns.
    static let request = JourneyRequest(provider: provider, journey: .trip(tripID))
    static var provider: ProviderID { checked { try ProviderID("p") } }
    static var tripID: TripID { checked { try TripID("t") } }

    /// An answer with a trip.
    static let trip = HTTPTransportResponse(
        status: 200,
        headers: [("date", "Thu, 01 Jan 2026 00:00:00 GMT")],
        body: Array(#"{"name":"providers/p/trips/t","tripStatus":"ENROUTE_TO_PICKUP"}"#.utf8)
    )

    /// Runs the service and a client of it.
    static func run<Result: Sendable>(
        isPlaintext: Bool = false,
        _ change: @escaping @Sendable (inout GRPCClientOptions) -> Void = { _ in },
        answer: @escaping Answer = { _ in trip },
        body: @escaping @Sendable (FleetTransport) async throws -> Result
    ) async throws -> Result {
        try await listening(isPlaintext: isPlaintext, answer: answer) { address in
            let scheme = isPlaintext ? "http" : "https"
            let endpoint = try ServiceEndpoint("\(scheme)://\(address.target)", over: .grpc)
            var options = GRPCClientOptions()
            options.deadline = .testTimeout
            options.roots = [address.rootCertificate].compactMap(\.self)
            change(&options)
            return try await withGRPCTransport(to: endpoint, options, body)
        }
    }

    /// Runs the service without a client.
    static func listening<Result: Sendable>(
        isPlaintext: Bool = false,
        answer: @escaping Answer = { _ in trip },
        body: @escaping @Sendable (GRPCAddress) async throws -> Result
    ) async throws -> Result {
        var options = GRPCOptions()
        options.isPlaintext = isPlaintext
        // Its limits are in real time, which passes while other tests have the processors; they have tests of their own.
        (options.limits.handshakeTime, options.limits.headTime) = (.testTimeout, .testTimeout)
        return try await GRPCListener.run(options, engine: HTTPTransport(send: answer), body: body)
    }

    /// Runs a client of a server on a port.
    static func client<Result: Sendable>(
        of url: String,
        deadline: Duration = .testTimeout,
        body: @escaping @Sendable (FleetTransport) async throws -> Result
    ) async throws -> Result {
        var options = GRPCClientOptions()
        options.deadline = deadline
        return try await withGRPCTransport(to: try ServiceEndpoint(url, over: .grpc), options, body)
    }

    private static func checked<Value>(_ make: () throws -> Value) -> Value {
        do { return try make() } catch { preconditionFailure("the ID is valid: \(error)") }
    }
}

extension FleetTransport {
    /// Requests the trip of ``ScriptedService``.
    func getTrip() async -> Result<FleetAnswer, Failure> {
        do throws(Failure) {
            return .success(try await send(.getTrip(ScriptedService.request), "Bearer t"))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<FleetAnswer, Failures.Failure> {
    /// The error of the connection; `nil` if there is an answer.
    var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// What a poll makes of it.
    var outcome: Swift.Result<Journey, Failure> {
        switch self {
        case .success(let answer): FleetClient.outcome(of: answer, for: ScriptedService.request, now: .distantPast)
        case .failure(let error): .failure(error)
        }
    }
}
