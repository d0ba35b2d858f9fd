package import Failures

/// The base URL of a Fleet Engine, validated before any token is sent to it.
package struct ServiceEndpoint: Sendable, Hashable {
    /// The URL of Google's service.
    package static let google = "https://fleetengine.googleapis.com"

    /// The URL without a trailing slash.
    package let baseURL: String
    /// The host, without port or brackets.
    package let host: String
    /// The protocol of the calls.
    package let `protocol`: ServiceProtocol
    /// The host and the port as gRPC clients write them.
    package let target: String
    /// Whether the connection has no TLS.
    package let isPlaintext: Bool
    /// The options of the commands that are shown, with which they connect as the program does; `nil` if they need none.
    package var options: ConnectionOptions?
    /// The project that is charged for calls with an access token; `nil` for the credential's project.
    package var quotaProject: String?

    /// The host as displayed; with the port over gRPC, because gRPC has a port of its own.
    package var displayName: String { `protocol` == .grpc ? target : host }

    /// The reason why a URL is rejected.
    package enum Problem: Error, Sendable, Equatable {
        /// The scheme or the host is missing, or something unexpected follows the host.
        case notAURL(String)
        /// Plain `http` to a host that is not a loopback address.
        case insecure(host: String)
    }

    /// Validates a base URL: https, or plain http to a loopback address unless `allowPlainHTTP` is true.
    ///
    /// Over gRPC, the scheme says whether the connection has TLS. Throws ``Problem``.
    package init(
        _ text: String,
        over protocol: ServiceProtocol = .rest,
        allowPlainHTTP: Bool = false
    ) throws(Problem) {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let origin = URLOrigin(trimmed), origin.path.isEmpty else { throw .notAURL(text) }
        guard origin.isSecure || origin.isLoopback || allowPlainHTTP else { throw .insecure(host: origin.host) }
        baseURL = trimmed
        host = origin.host
        self.protocol = `protocol`
        isPlaintext = !origin.isSecure
        let name = host.contains(":") ? "[\(host)]" : host
        target = "\(name):\(origin.port ?? (origin.isSecure ? 443 : 80))"
    }

    /// Returns the project that is charged for a call with this `authorization`; `nil` for a JWT, whose project is its account's.
    package func quotaProject(for authorization: String?) -> String? {
        authorization?.hasPrefix("Bearer eyJ") == false ? quotaProject : nil
    }

    /// Whether this is Google's service, which requires at least five seconds between polls.
    package var isGoogle: Bool { host.lowercased().hasSuffix("googleapis.com") }

    /// The maximum number of requests per minute for all trips together; `nil` for no limit.
    ///
    /// For Google's service it is 6000, two thirds of the quota of 9000 that all clients of a project share.
    package var requestsPerMinute: Int? { isGoogle ? 6000 : nil }

    /// The minimum interval between two polls of one trip.
    package var shortestInterval: Duration { isGoogle ? .seconds(5) : .seconds(1) }
}
