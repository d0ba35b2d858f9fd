/// A text with URLs whose characters may be escaped.
struct URLText {
    /// The bytes of the text.
    let bytes: [UInt8]

    /// A character, and how many bytes spell it.
    struct Symbol {
        var byte: UInt8
        var length: Int

        /// Whether it is white space.
        var isSpace: Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    }

    /// Whether a text is the name of a host, with or without a port.
    enum Host {
        /// A name of a domain, an address, or this machine; empty in URLs of files.
        case certain
        /// It may be a user with the beginning of a password, too.
        case possible
        case none
    }

    /// Returns the character at an index; percent-encoded ones are decoded in an encoded text only.
    ///
    /// A sequence of backslashes or percent signs without a meaning is one character, so that it is read only once.
    func symbol(at index: Int, isEncoded: Bool) -> Symbol {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\\") { return escaped(at: index) }
        guard isEncoded, byte == UInt8(ascii: "%") else { return Symbol(byte: byte, length: 1) }
        var next = index + 1
        // An encoded percent sign.
        while self.byte(next) == UInt8(ascii: "2"), self.byte(next + 1) == UInt8(ascii: "5") { next += 2 }
        guard let value = number(at: next, digits: 2) else { return Symbol(byte: byte, length: next - index) }
        return Symbol(byte: value, length: next + 2 - index)
    }

    /// Returns the character of an escape sequence of JSON, which may be escaped again.
    private func escaped(at index: Int) -> Symbol {
        var next = index
        while byte(next) == UInt8(ascii: "\\") { next += 1 }
        switch byte(next) {
        case UInt8(ascii: "/"), UInt8(ascii: "\""): return Symbol(byte: bytes[next], length: next + 1 - index)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return Symbol(byte: 0x20, length: next + 1 - index)
        case UInt8(ascii: "u"):
            guard let value = number(at: next + 1, digits: 4) else { break }
            return Symbol(byte: value, length: next + 5 - index)
        default: break
        }
        return Symbol(byte: UInt8(ascii: "\\"), length: next - index)
    }

    /// Returns whether an `@` may begin or end at an index: plain, percent-encoded, or as an escape sequence.
    func mayBeAt(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "@") || bytes[index] == UInt8(ascii: "4") && byte(index + 1) == UInt8(ascii: "0")
    }

    /// Returns whether a login that was hidden before begins at an index.
    func isHidden(at index: Int) -> Bool { bytes[index...].starts(with: "<hidden>".utf8) }

    /// Returns whether a colon, as it may be spelled, is before an index.
    func hasColon(before index: Int) -> Bool {
        if byte(index - 1) == UInt8(ascii: ":") { return true }
        guard byte(index - 1).map({ $0 | 0x20 }) == UInt8(ascii: "a"), byte(index - 2) == UInt8(ascii: "3") else {
            return false
        }
        // `%3A`, `%253A` and `\u003a`.
        return byte(index - 3).map("%50".utf8.contains) ?? false
    }

    /// Returns whether an `@` after a host belongs to the path or the query of the URL.
    ///
    /// The authority ends with the first `/`, `?` or `#` (RFC 3986, section 3.2). A password may contain one by mistake. So a
    /// name that may be a user's name needs a path with a folder, or a parameter.
    func isPath(host: Range<Int>, to at: Int, isEncoded: Bool) -> Bool {
        switch self.host(host, isEncoded) {
        case .certain: return true
        case .none: return false
        case .possible: break
        }
        var position = host.upperBound
        var isQuery = false
        while position < at {
            let symbol = symbol(at: position, isEncoded: isEncoded)
            switch symbol.byte {
            case UInt8(ascii: "/") where position > host.upperBound: return true
            case UInt8(ascii: "="): if isQuery { return true }
            case UInt8(ascii: "?"): isQuery = true
            default: break
            }
            position += symbol.length
        }
        return false
    }

    /// Returns what a part of the text is as the name of a host.
    func host(_ range: Range<Int>, _ isEncoded: Bool) -> Host {
        guard range.count <= 255 * 3 else { return .none }
        guard !range.isEmpty else { return .certain }
        var name: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let symbol = symbol(at: position, isEncoded: isEncoded)
            name.append(symbol.byte)
            position += symbol.length
        }
        if name[0] == UInt8(ascii: "[") {
            guard let end = name.firstIndex(of: UInt8(ascii: "]")), Self.isPort(name[(end + 1)...]) else {
                return .none
            }
            return name[1..<end].allSatisfy { Self.hexDigit($0) != nil || ":.".utf8.contains($0) } ? .certain : .none
        }
        let end = name.firstIndex(of: UInt8(ascii: ":")) ?? name.count
        guard Self.isPort(name[end...]) else { return .none }
        let labels = name[..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isOfLabel) }) else { return .none }
        let isAddress =
            labels.count == 4
            && labels.allSatisfy { $0.count <= 3 && UInt8(String(decoding: $0, as: UTF8.self)) != nil }
        if isAddress || name[..<end].elementsEqual("localhost".utf8) { return .certain }
        let isDomain =
            labels.count > 1 && end == name.count && !name.contains(UInt8(ascii: "_"))
            && labels[labels.count - 1].count > 1 && labels[labels.count - 1].allSatisfy(Self.isLetter)
        return isDomain ? .certain : .possible
    }

    /// Whether a text is empty or a colon with the number of a port.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        guard let colon = text.first else { return true }
        guard colon == UInt8(ascii: ":"), 2...6 ~= text.count, text.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return false
        }
        return UInt16(String(decoding: text.dropFirst(), as: UTF8.self)) != nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 && byte > 0x40 }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        isLetter(byte) || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    /// Returns the ASCII character with a hexadecimal number.
    private func number(at index: Int, digits: Int) -> UInt8? {
        var value: UInt16 = 0
        for offset in 0..<digits {
            guard let digit = byte(index + offset).flatMap(Self.hexDigit) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value < 0x80 ? UInt8(value) : nil
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }
}
