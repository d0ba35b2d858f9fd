/// The parts of a URL that determine whether a secret may be sent to it.
package struct URLOrigin: Sendable, Hashable {
    /// Whether the scheme is https.
    package let isSecure: Bool
    /// The host in lower case, without the brackets of an IPv6 address.
    package let host: String
    /// The port; `nil` if the URL contains none.
    package let port: Int?
    /// The rest after host and port: path, query, fragment.
    package let path: String

    /// Parses an absolute http or https URL; `nil` for other URLs, including those with user names or control characters.
    package init?(_ url: String) {
        // All characters are ASCII then, so that bytes can be compared.
        let bytes = url.utf8
        guard bytes.allSatisfy({ (0x21...0x7e).contains($0) }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        switch url[..<colon].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: return nil
        }
        let rest = bytes[bytes.index(colon, offsetBy: 3)...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        path = String(Substring(rest[authority.endIndex...]))
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")), !authority.contains(UInt8(ascii: "\\"))
        else { return nil }
        let hostEnd: String.Index
        if authority.first == UInt8(ascii: "[") {
            guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = Substring(authority[..<bracket].dropFirst()).lowercased()
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            host = Substring(authority[..<hostEnd]).lowercased()
        }
        guard !host.isEmpty else { return nil }
        let tail = authority[hostEnd...]
        if tail.isEmpty {
            port = nil
        } else {
            guard tail.first == UInt8(ascii: ":"), let number = UInt16(Substring(tail.dropFirst())) else { return nil }
            port = Int(number)
        }
    }

    /// The host, with the port unless the scheme implies it: `localhost:9000`, `[::1]:9000`.
    package var shownPlace: String {
        guard let port, port != (isSecure ? 443 : 80) else { return host }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether the host is a loopback address: `localhost`, 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { Self.isLoopback(host) }

    /// Returns whether a host, in lower case without brackets, is a loopback address: `localhost`, 127.0.0.0/8 or ::1.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
