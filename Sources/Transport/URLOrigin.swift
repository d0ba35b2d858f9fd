/// The parts of a URL that determine whether a secret may be sent to it.
public struct URLOrigin: Sendable, Hashable {
    /// Whether the scheme is https.
    public let isSecure: Bool
    /// The host in lower case, without the brackets of an IPv6 address.
    public let host: String
    /// The port; `nil` if the URL contains none.
    public let port: Int?
    /// The rest after host and port: path, query, fragment.
    public let path: String

    /// Parses an absolute http or https URL; `nil` for other URLs, including those with user names or control characters.
    public init?(_ url: String) {
        guard let scheme = url.range(of: "://"), url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        switch url[..<scheme.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: return nil
        }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        path = String(rest[end...])
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("\\") else { return nil }
        let hostEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<bracket].lowercased()
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
            host = authority[..<hostEnd].lowercased()
        }
        guard !host.isEmpty else { return nil }
        let tail = authority[hostEnd...]
        if tail.isEmpty {
            port = nil
        } else {
            guard tail.hasPrefix(":"), let number = UInt16(tail.dropFirst()) else { return nil }
            port = Int(number)
        }
    }

    /// Whether the host is a loopback address: `localhost`, 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { Self.isLoopback(host) }

    /// Returns whether a host, in lower case without brackets, is a loopback address: `localhost`, 127.0.0.0/8 or ::1.
    public static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
