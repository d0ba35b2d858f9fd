package import FleetWire
import HTTPTransport
import NIOCore

/// Which `Host` and `Origin` headers a listener answers, so that no web page can drive it.
///
/// A page may send requests to loopback addresses, and its own name may be made to lead to one (DNS rebinding). The first
/// kind of request bears the page's `Origin`, the second the page's name as `Host`.
///
/// | header | answered |
/// |---|---|
/// | `Host` | `localhost`, 127.0.0.0/8, `::1`, the address listened on, the names that were allowed |
/// | `Host`, listening on all addresses (`0.0.0.0`, `::`) | the same, and every IP address: a name is what rebinding needs |
/// | `Origin` | none, `localhost`, 127.0.0.0/8, `::1`, or the same host and port as `Host` |
package struct HostPolicy: Sendable {
    /// How the message to a request for an unknown host begins.
    package static let unknownHost = "The host"

    /// The address listened on; `nil` for all addresses of the machine.
    private let address: String?
    private let names: Set<String>

    /// - Parameters:
    ///   - host: The address or name that is listened on.
    ///   - names: Further names by which the listener may be called.
    package init(listeningOn host: String, allowing names: [String] = []) {
        let host = Self.withoutBrackets(host)
        address = ["", "0.0.0.0", "::"].contains(host) ? nil : host
        self.names = Set(names.map(Self.withoutBrackets))
    }

    /// Judges a request by its headers.
    ///
    /// - Parameters:
    ///   - hosts: The values of all `Host` headers.
    ///   - origins: The values of all `Origin` headers.
    /// - Returns: The error that it gets; `nil` where it may be answered.
    package func refusal(hosts: [String], origins: [String]) -> ServiceError? {
        guard hosts.count == 1, let host = hosts.first, let called = URLOrigin("http://" + host), called.path.isEmpty
        else { return .invalidArgument("A request needs one Host header with a host and perhaps a port.") }
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
        if called.isLoopback || names.contains(called.host) { return true }
        guard let address else { return Self.ipAddress(called.host) != nil }
        if called.host == address { return true }
        guard let own = Self.ipAddress(address) else { return false }
        return own == Self.ipAddress(called.host)
    }

    /// An opaque origin (`null`) is one of a page too.
    private func isAllowed(origin: String, of called: URLOrigin) -> Bool {
        guard let origin = URLOrigin(origin), origin.path.isEmpty else { return false }
        return origin.isLoopback || (origin.host == called.host && (origin.port ?? 80) == (called.port ?? 80))
    }

    /// Two spellings of one address are equal.
    private static func ipAddress(_ text: String) -> SocketAddress? {
        // A name is no address; nothing else can be wrong here.
        try? SocketAddress(ipAddress: text, port: 0)
    }

    private static func withoutBrackets(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Text from outside as it may be repeated: printable ASCII, bounded.
    private static func quoted(_ text: String) -> String {
        let clean = text.unicodeScalars.prefix(100).map {
            (0x20...0x7E).contains($0.value) && $0 != "\"" ? Character($0) : "?"
        }
        return "\"" + String(clean) + "\""
    }
}
