import Failures

/// The address of a host and a port that is used instead of looking the host up, as with `--resolve` of curl.
package struct HostAddress: Sendable, Hashable {
    /// The host name in lower case.
    package let host: String
    /// The port, 1 to 65535.
    package let port: Int
    /// The address, without brackets.
    package let address: String

    /// Parses `HOST:PORT:ADDRESS`; `nil` for other text.
    ///
    /// An address of IPv6 may have brackets. The host must be a name: the certificate for another address would be no proof.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[1].allSatisfy({ ("0"..."9").contains($0) }),
            let origin = URLOrigin("http://\(parts[0]):\(parts[1])"), let port = origin.port, port > 0,
            origin.host == parts[0].lowercased(), origin.host.allSatisfy(Self.isInName),
            IPNetwork.address(origin.host) == nil
        else { return nil }
        let hasBrackets = parts[2].hasPrefix("[") && parts[2].hasSuffix("]")
        let address = hasBrackets ? String(parts[2].dropFirst().dropLast()) : parts[2]
        guard let bytes = IPNetwork.address(address), !hasBrackets || bytes.count == 16 else { return nil }
        (host, self.port, self.address) = (origin.host, port, address)
    }

    private static func isInName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-._".contains(character)
    }

    /// The value of the option.
    package var text: String { "\(host):\(port):\(address.contains(":") ? "[\(address)]" : address)" }
}
