import Foundation

/// The hosts that are reached without a proxy: the value of `NO_PROXY`, with the rules of curl.
///
/// Entries are separated by commas or white space. A name matches itself and its subdomains; a dot before or after it has
/// no meaning. An address matches itself, and with the length of a prefix, such as 10.0.0.0/8, a network; names and addresses
/// are not looked up. Only the whole value `*` matches all hosts. Ports have no meaning.
struct ProxyExceptions: Sendable, Equatable {
    private let isForAll: Bool
    private let names: [String]
    private let networks: [IPNetwork]

    /// Reads the value of the variable.
    init(_ text: String = "") {
        isForAll = text == "*"
        let entries = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        networks = entries.compactMap(IPNetwork.init)
        names = entries.map { Self.withoutDot($0.lowercased()[...]) }
            .map { String($0.hasPrefix(".") ? $0.dropFirst() : $0) }
    }

    /// Returns whether a host, in lower case without brackets, is reached without a proxy.
    func contains(_ host: String) -> Bool {
        if isForAll { return true }
        if let address = IPNetwork.address(host) { return networks.contains { $0.contains(address) } }
        let host = Self.withoutDot(host[...])
        return names.contains { !$0.isEmpty && (host == $0 || host.hasSuffix("." + $0)) }
    }

    private static func withoutDot(_ name: Substring) -> Substring { name.hasSuffix(".") ? name.dropLast() : name }
}

/// An IP address, or all addresses that begin with the same bits.
struct IPNetwork: Sendable, Equatable {
    private let address: [UInt8]
    /// The number of bits that are compared.
    private let bits: Int

    /// Reads an address, with or without the length of a prefix; `nil` for other text.
    ///
    /// As for curl, a prefix of 0 bits means a single address.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = Self.address(String(parts[0])) else { return nil }
        let all = address.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(bits) else { return nil }
        (self.address, self.bits) = (address, bits == 0 ? all : bits)
    }

    /// Returns whether an address is in the network.
    func contains(_ other: [UInt8]) -> Bool {
        guard other.count == address.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard other.prefix(whole) == address.prefix(whole) else { return false }
        return rest == 0 || (other[whole] ^ address[whole]) >> UInt8(8 - rest) == 0
    }

    /// Returns the bytes of an address of IPv4 or IPv6; `nil` for other text.
    static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
