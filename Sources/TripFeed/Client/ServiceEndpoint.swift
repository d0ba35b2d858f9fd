import HTTPTransport

/// Where a Fleet Engine listens: a scheme and a host, checked before a token is ever sent there.
package struct ServiceEndpoint: Sendable, Hashable {
    /// Google's own.
    package static let google = "https://fleetengine.googleapis.com"

    /// The URL without a trailing slash.
    package let baseURL: String
    /// The host, without port or brackets.
    package let host: String

    /// Why a URL can't be a Fleet Engine.
    package enum Problem: Error, Sendable, Equatable {
        /// No scheme or no host, or something behind the host that does not belong there.
        case notAURL(String)
        /// Plain `http` to a host that is not loopback.
        case insecure(host: String)
    }

    /// Checks a base URL: https, or plain http to a loopback address unless that is allowed everywhere.
    ///
    /// Throws ``Problem``.
    package init(_ text: String, allowPlainHTTP: Bool = false) throws(Problem) {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let origin = URLOrigin(trimmed), origin.path.isEmpty else { throw .notAURL(text) }
        guard origin.isSecure || origin.isLoopback || allowPlainHTTP else { throw .insecure(host: origin.host) }
        baseURL = trimmed
        host = origin.host
    }

    /// Whether this is Google's own service, which asks for polls no faster than every five seconds.
    package var isGoogle: Bool { host.lowercased().hasSuffix("googleapis.com") }

    /// How many requests all our trips together make in a minute at most: two thirds of what Google lets all clients of a
    /// project make (reference, section 6); `nil` for no limit elsewhere.
    package var requestsPerMinute: Int? { isGoogle ? 6000 : nil }

    /// The shortest interval between two polls of one trip that this service gets from us.
    package var shortestInterval: Duration { isGoogle ? .seconds(5) : .seconds(1) }
}
