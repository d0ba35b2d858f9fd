import Failures
import Foundation
import TransportLive
import TripFeed
import TripText

/// How the calls of a session are sent: over the HTTP transport, or over gRPC with these options.
enum ServiceCalls: Sendable {
    case rest
    case grpc(GRPCClientOptions)

    /// The variable with the path of the certificates that gRPC clients trust instead of the system's.
    private static let rootsVariable = "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"

    /// Decides how the calls to an endpoint are sent, and reads the certificates for it.
    ///
    /// - Parameters:
    ///   - endpoint: The service.
    ///   - rootCertificate: The certificate file of an emulator's ready file.
    ///   - connections: How connections are made.
    ///   - environment: The variables of the process.
    /// - Throws: ``CommandFailure`` if certificates can't be read.
    init(
        to endpoint: ServiceEndpoint,
        rootCertificate: String?,
        _ connections: ConnectionSettings,
        environment: [String: String] = ProcessContext.current.environment
    ) throws(CommandFailure) {
        guard endpoint.protocol == .grpc else {
            self = .rest
            return
        }
        var options = GRPCClientOptions()
        options.connections = connections
        if endpoint.isPlaintext {
            options.connections.roots = nil
        } else {
            if let path = rootCertificate { options.roots = [try Self.certificate(path)] }
            if connections.roots == nil || connections.roots?.source == NetworkOptions.rootsVariable,
                let roots = try TrustedRoots(variable: Self.rootsVariable, in: environment)
            {
                options.connections.roots = roots
            }
        }
        self = .grpc(options)
    }

    /// Returns the options of the commands that are shown, with which they connect as the calls do.
    ///
    /// - Parameters:
    ///   - endpoint: The service.
    ///   - announced: The certificate file of an emulator's ready file, for a connection with TLS.
    ///   - connections: How connections are made.
    /// - Returns: The options; `nil` if the commands need none.
    func options(
        for endpoint: ServiceEndpoint,
        announced: String?,
        _ connections: ConnectionSettings
    ) -> ConnectionOptions? {
        guard let origin = URLOrigin(endpoint.baseURL) else { return nil }
        guard case .grpc(let options) = self else { return connections.options(for: origin) }
        return ConnectionOptions([
            .cacert: announced ?? options.connections.roots?.path,
            .resolve: connections.address(of: origin)?.text,
        ])
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

    /// Returns the certificate that an emulator announced.
    private static func certificate(_ path: String) throws(CommandFailure) -> String {
        // The message names the file; why it can't be read does not change the remedy.
        guard let data = try? ReadableFile.bytes(path, limit: InputFile.maximumBytes, kinds: .regular),
            let text = String(data: data, encoding: .utf8),
            TrustedRoots(text, path: path, source: "") != nil
        else { throw CommandFailure(.badConfiguration, .failureRoots(path: excerpt(path: path))) }
        return text
    }
}
