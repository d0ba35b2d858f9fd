import Failures
import FleetTransportGRPC
import Foundation
import HTTPTransport
import HTTPTransportLive
import TripFeed
import TripText

/// How the calls of a session are sent: over the HTTP transport, or over gRPC with these options.
enum ServiceCalls: Sendable {
    case rest
    case grpc(GRPCClientOptions)

    /// The variable with the path of the certificates that gRPC clients trust instead of the system's.
    private static let rootsVariable = "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"

    /// Reads the certificates for an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The service.
    ///   - rootCertificate: The certificate file of an emulator's ready file.
    ///   - environment: The variables of the process.
    /// - Throws: ``CommandFailure`` if certificates can't be read.
    init(
        to endpoint: ServiceEndpoint,
        rootCertificate: String?,
        environment: [String: String] = ProcessContext.current.environment
    ) throws(CommandFailure) {
        guard endpoint.protocol == .grpc else {
            self = .rest
            return
        }
        var options = GRPCClientOptions()
        options.proxies = ProxySettings(environment: environment)
        if !endpoint.isPlaintext {
            options.roots = try rootCertificate.map { path throws(CommandFailure) in [try Self.text(path)] } ?? []
            if let path = environment[Self.rootsVariable], !path.isEmpty {
                options.replacedRoots = [try Self.text(path)]
            }
        }
        self = .grpc(options)
    }

    /// Returns the file of the certificate that a client of an endpoint has to trust; `nil` for the system's.
    ///
    /// - Parameters:
    ///   - endpoint: The service.
    ///   - announced: The certificate file of an emulator's ready file.
    ///   - environment: The variables of the process.
    /// - Returns: The path, for the commands that are shown.
    static func rootCertificate(
        of endpoint: ServiceEndpoint,
        announced: String?,
        environment: [String: String] = ProcessContext.current.environment
    ) -> String? {
        guard endpoint.protocol == .grpc, !endpoint.isPlaintext else { return nil }
        return announced ?? environment[rootsVariable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Runs a closure with the transport for calls.
    ///
    /// Throws a ``CommandFailure`` for invalid certificates, or the error of the closure.
    func run<Result: Sendable>(
        to endpoint: ServiceEndpoint,
        over transport: HTTPTransport,
        _ body: @Sendable @escaping (FleetTransport) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .rest: try await body(.rest(transport, at: endpoint))
        case .grpc(let options): try await withGRPCTransport(to: endpoint, options, body)
        }
    }

    private static func text(_ path: String) throws(CommandFailure) -> String {
        // The message names the file; why it can't be read does not change the remedy.
        guard let data = try? ReadableFile.bytes(path, limit: InputFile.maximumBytes, kinds: .regular),
            let text = String(data: data, encoding: .utf8), GRPCClientOptions.areCertificates(text)
        else { throw CommandFailure(.badConfiguration, .failureRoots, ["path": excerpt(path: path)]) }
        return text
    }
}
