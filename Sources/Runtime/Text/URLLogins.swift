/// Removes user and password from the URLs of a text, in one pass over its bytes.
///
/// The slashes may be spelled as in JSON (`\/`, `\u002f`), also as in JSON within a text of JSON, or percent-encoded. A URL
/// without a scheme (`//user:password@host`) counts only with a password.
struct URLLogins {
    /// Returns the text without logins; `nil` if there are none.
    static func removed(from bytes: [UInt8]) -> [UInt8]? {
        var logins = URLLogins(text: URLText(bytes: bytes))
        return logins.removed()
    }

    /// Returns whether an `@` belongs to the path or the query of a single URL, as in the name of a service account, and not
    /// to a login.
    static func isInPath(_ at: Int, of bytes: [UInt8]) -> Bool {
        let text = URLText(bytes: bytes)
        guard let scheme = bytes.indices.dropLast(2).first(where: { bytes[$0...].starts(with: "://".utf8) }) else {
            return false
        }
        let start = scheme + 3
        guard let end = bytes[start...].firstIndex(where: { "/?#".utf8.contains($0) }), end < at else { return false }
        return text.isPath(host: start..<end, to: at, isEncoded: false)
    }

    private let text: URLText
    /// The latest word of each spelling, plain and percent-encoded, so that a word is read only once.
    private var words: [Bool: Word] = [:]

    /// The rest of a word.
    private struct Word {
        var end: Int
        /// Where its last `@` begins.
        var lastAt: Int?
    }

    private mutating func removed() -> [UInt8]? {
        let bytes = text.bytes
        // No login ends later.
        guard let last = bytes.indices.last(where: text.mayBeAt) else { return nil }
        var result: [UInt8] = []
        var (position, copied) = (0, 0)
        while position < last {
            guard "/\\%".utf8.contains(bytes[position]) else {
                position += 1
                continue
            }
            let first = text.symbol(at: position, isEncoded: true)
            let next = position + first.length
            guard first.byte == UInt8(ascii: "/"), next < bytes.count,
                case let second = text.symbol(at: next, isEncoded: true), second.byte == UInt8(ascii: "/")
            else {
                position = next
                continue
            }
            let start = next + second.length
            let isEncoded = bytes[position] == UInt8(ascii: "%")
            let hasScheme = text.hasColon(before: position)
            let (login, resume) = login(from: start, isEncoded: isEncoded, hasScheme: hasScheme)
            if let login {
                result += bytes[copied..<start] + Array(login.name.utf8)
                copied = login.end
            }
            position = resume
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// Returns the login after two slashes with the name that replaces it, and where the search goes on.
    private mutating func login(
        from start: Int,
        isEncoded: Bool,
        hasScheme: Bool
    ) -> (login: (end: Int, name: String)?, resume: Int) {
        var (end, host, at) = (start, start, Int?.none)
        var hasColon = false
        while end < text.bytes.count {
            let symbol = text.symbol(at: end, isEncoded: isEncoded)
            if symbol.byte == UInt8(ascii: "/") || symbol.isSpace && symbol.length == 1 { break }
            if symbol.byte == UInt8(ascii: "@") { (at, host) = (end, end + symbol.length) }
            if symbol.byte == UInt8(ascii: ":"), at == nil { hasColon = true }
            // In a password that is not encoded, these are letters.
            if symbol.isSpace || "\"<>?#".utf8.contains(symbol.byte),
                !hasScheme || text.isHidden(at: end) || symbol.byte != UInt8(ascii: "<") && host == end
                    || host < end && text.host(host..<end, isEncoded) != .none
            {
                break
            }
            end += symbol.length
        }
        let user = at.map { (end: $0, name: "<user>") }
        guard hasScheme else { return (hasColon ? user : nil, end) }
        let isOfPath = end < text.bytes.count && "/?#".utf8.contains(text.symbol(at: end, isEncoded: isEncoded).byte)
        guard isOfPath, end > start, let last = word(at: end, isEncoded).lastAt, last > end,
            !text.isPath(host: host..<end, to: last, isEncoded: isEncoded)
        else { return (user, end) }
        // The text may be a host or part of a password with a slash, so it is hidden.
        return ((last, "<hidden>"), last)
    }

    /// Returns the rest of the word at an index: up to white space, a quotation mark or an angle bracket.
    private mutating func word(at index: Int, _ isEncoded: Bool) -> Word {
        if let word = words[isEncoded], index < word.end { return word }
        var word = Word(end: index)
        while word.end < text.bytes.count {
            let symbol = text.symbol(at: word.end, isEncoded: isEncoded)
            if symbol.isSpace || "\"<>".utf8.contains(symbol.byte) { break }
            if symbol.byte == UInt8(ascii: "@") { word.lastAt = word.end }
            word.end += symbol.length
        }
        words[isEncoded] = word
        return word
    }
}
