import Failures
package import FleetWire
import NIOCore

/// Decides which `Host` and `Origin` headers a listener accepts, so that web pages cannot control it.
///
/// A page can send requests to loopback addresses; these have the page's `Origin`. A page's own name can also resolve to a
/// loopback address (DNS rebinding); these requests have the page's name as `Host`.
///
/// | header | accepted |
/// |---|---|
/// | `Host` | `localhost`, 127.0.0.0/8, `::1`, the listening address, the allowed names |
/// | `Host`, listening on all addresses (`0.0.0.0`, `::`) | the same and every IP address, because rebinding needs a name |
/// | `Origin` | none, `localhost`, 127.0.0.0/8, `::1`, or the same host and port as `Host` |
package struct HostPolicy: Sendable {
    /// The start of the error message for an unknown host.
    package static let unknownHost = "The host"

    /// The listening address; `nil` for all addresses of the machine.
    private let address: String?
    private let names: Set<String>
    private let acceptsEveryName: Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - host: The listening address or name.
    ///   - names: Further accepted names.
    ///   - acceptsEveryName: Whether a request may have any name, because the content is public.
    package init(listeningOn host: String, allowing names: [String] = [], acceptsEveryName: Bool = false) {
        self.acceptsEveryName = acceptsEveryName
        let host = Self.withoutBrackets(host)
        address = ["", "0.0.0.0", "::"].contains(host) ? nil : host
        self.names = Set(names.map(Self.withoutBrackets))
    }

    /// Checks the headers of a request.
    ///
    /// - Parameters:
    ///   - hosts: The values of all `Host` headers.
    ///   - origins: The values of all `Origin` headers.
    /// - Returns: The error for a refused request; `nil` if it is accepted.
    package func refusal(hosts: [String], origins: [String]) -> ServiceError? {
        guard hosts.count == 1, let host = hosts.first, let called = URLOrigin("http://" + host), called.path.isEmpty
        else {
            return .invalidArgument("A request must have exactly one Host header with a host and an optional port.")
        }
        guard isOurs(called) else {
            return .permissionDenied(
                "\(Self.unknownHost) \(Self.quoted(host)) is not one of this emulator, so that no web page can reach it by DNS "
                    + "rebinding. Use 127.0.0.1, localhost or the address it listens on, or start it with --allow-host."
            )
        }
        for origin in origins where !isAllowed(origin: origin, of: called) {
            return .permissionDenied(
                "Requests of web pages of another origin are refused, and this one comes from \(Self.quoted(origin))."
            )
        }
        return nil
    }

    private func isOurs(_ called: URLOrigin) -> Bool {
        if acceptsEveryName || called.isLoopback || names.contains(called.host) { return true }
        guard let address else { return Self.ipAddress(called.host) != nil }
        if called.host == address { return true }
        guard let own = Self.ipAddress(address) else { return false }
        return own == Self.ipAddress(called.host)
    }

    /// Returns whether an origin is accepted; an opaque origin (`null`) is a web page's and is refused.
    private func isAllowed(origin: String, of called: URLOrigin) -> Bool {
        guard let origin = URLOrigin(origin), origin.path.isEmpty else { return false }
        return origin.isLoopback || (origin.host == called.host && (origin.port ?? 80) == (called.port ?? 80))
    }

    /// Parses an IP address, so that different spellings compare equal.
    private static func ipAddress(_ text: String) -> SocketAddress? {
        // The only possible error is that the text is a name.
        try? SocketAddress(ipAddress: text, port: 0)
    }

    private static func withoutBrackets(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Returns untrusted text in a form safe to echo: printable ASCII of limited length.
    private static func quoted(_ text: String) -> String {
        let clean = text.unicodeScalars.prefix(100).map {
            (0x20...0x7E).contains($0.value) && $0 != "\"" ? Character($0) : "?"
        }
        return "\"" + String(clean) + "\""
    }
}
