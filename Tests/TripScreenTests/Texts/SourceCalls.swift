/// The calls in a Swift file, found without a compiler: by its brackets, strings and comments.
struct SourceCalls {
    /// A call with its arguments.
    struct Call {
        /// The name before the parenthesis with what it is a member of, such as `state.localizer` or `$0`.
        let callee: String
        /// The places of the arguments, without the white space around them.
        let arguments: [Range<Int>]
    }

    /// An implicit member, such as `.delayed`, that is not called.
    struct Member {
        let name: String
        /// Its place with the dot.
        let place: Range<Int>
    }

    private(set) var calls: [Call] = []
    private(set) var members: [Member] = []
    private let bytes: [UInt8]
    /// The elements of each pair of square brackets, by the place of the first one.
    private var lists: [Int: [Range<Int>]] = [:]

    init(_ source: String) {
        bytes = Array(source.utf8)
        scan()
    }

    // MARK: Reading

    /// Returns the source at a place.
    func text(_ place: Range<Int>) -> String { String(decoding: bytes[place], as: UTF8.self) }

    /// Returns the line of a place, starting at 1.
    func line(_ place: Range<Int>) -> Int { bytes[..<place.lowerBound].count { $0 == Self.newline } + 1 }

    /// Returns the names in a literal such as `["time": clock]`; `nil` if an argument is something else.
    func names(_ argument: Range<Int>) -> [String]? {
        guard let elements = lists[argument.lowerBound], !elements.isEmpty else { return nil }
        let names = elements.map { element -> String? in
            let parts = text(element).split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].isEmpty, parts[2].hasPrefix(":") else { return nil }
            return String(parts[1])
        }
        return names.allSatisfy { $0 != nil } ? names.compactMap(\.self) : nil
    }

    /// Returns the members that an argument can be: one for `.a`, two for `condition ? .a : .b`; empty for anything else.
    func choices(_ argument: Range<Int>) -> [Member] {
        let inside = members.filter { argument.contains($0.place.lowerBound) }
        guard let last = inside.last, last.place.upperBound == argument.upperBound else { return [] }
        if last.place == argument { return [last] }
        guard let first = inside.dropLast().last, before(last.place) == UInt8(ascii: ":"),
            before(first.place) == UInt8(ascii: "?"),
            text(first.place.upperBound..<last.place.lowerBound).allSatisfy({ $0.isWhitespace || $0 == ":" })
        else { return [] }
        return [first, last]
    }

    /// Returns the last byte before a place that is not white space.
    private func before(_ place: Range<Int>) -> UInt8? { bytes[..<place.lowerBound].last { !Self.isSpace($0) } }

    // MARK: Scanning

    /// A string literal that is not complete.
    private struct Literal {
        let quotes: Int
        let hashes: Int
    }

    /// An open bracket.
    private struct Bracket {
        let start: Int
        /// The string literal that continues after the bracket of an interpolation.
        var literal: Literal?
        var elements: [Range<Int>] = []
        var elementStart: Int

        init(at start: Int, in literal: Literal? = nil) {
            (self.start, self.literal, elementStart) = (start, literal, start + 1)
        }
    }

    private static let newline = UInt8(ascii: "\n")

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == newline || byte == 9 }

    private static func isName(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte > 127
    }

    private func has(_ text: String, at place: Int) -> Bool {
        bytes[min(place, bytes.count)...].starts(with: text.utf8)
    }

    private mutating func scan() {
        var open: [Bracket] = []
        var literal: Literal?
        var place = 0
        while place < bytes.count {
            if let inside = literal {
                place = scan(inside, at: place, &literal, &open)
                continue
            }
            switch bytes[place] {
            case UInt8(ascii: "/") where has("//", at: place):
                place = bytes[place...].firstIndex(of: Self.newline) ?? bytes.count
            case UInt8(ascii: "/") where startsPattern(at: place): place = endOfPattern(at: place)
            case UInt8(ascii: "#") where has("#/", at: place): place = endOfPattern(at: place + 1) + 1
            case UInt8(ascii: "#"), UInt8(ascii: "\""):
                let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
                let quotes = has("\"\"\"", at: place + hashes) ? 3 : has("\"", at: place + hashes) ? 1 : 0
                if quotes > 0 { literal = Literal(quotes: quotes, hashes: hashes) }
                place += hashes + quotes
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(Bracket(at: place))
                place += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                literal = open.popLast().flatMap { close($0, at: place) }
                place += 1
            case UInt8(ascii: ","):
                if let last = open.indices.last { endElement(of: &open[last], at: place) }
                place += 1
            case UInt8(ascii: "."): place = scanMember(at: place)
            default: place += 1
            }
        }
    }

    /// Continues in a string literal; returns the next place.
    private func scan(_ inside: Literal, at place: Int, _ literal: inout Literal?, _ open: inout [Bracket]) -> Int {
        func hasHashes(at place: Int) -> Bool {
            bytes[place...].prefix(inside.hashes).allSatisfy { $0 == UInt8(ascii: "#") }
        }
        if bytes[place] == UInt8(ascii: "\\"), hasHashes(at: place + 1) {
            let next = place + 1 + inside.hashes
            guard next < bytes.count, bytes[next] == UInt8(ascii: "(") else { return next + 1 }
            open.append(Bracket(at: next, in: inside))
            literal = nil
            return next + 1
        }
        guard bytes[place] == UInt8(ascii: "\""), inside.quotes == 1 || has("\"\"\"", at: place),
            hasHashes(at: place + inside.quotes)
        else { return place + 1 }
        literal = nil
        return place + inside.quotes + inside.hashes
    }

    /// Whether a slash starts a regular expression instead of dividing.
    private func startsPattern(at place: Int) -> Bool {
        guard place + 1 < bytes.count, !Self.isSpace(bytes[place + 1]), let before = before(place..<place) else {
            return false
        }
        return "(,=:[".utf8.contains(before)
    }

    private func endOfPattern(at start: Int) -> Int {
        var place = start + 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "/") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place + 1
    }

    private mutating func scanMember(at place: Int) -> Int {
        let end = bytes[(place + 1)...].firstIndex { !Self.isName($0) } ?? bytes.count
        let previous = place > 0 ? bytes[place - 1] : Self.newline
        let isImplicit = !Self.isName(previous) && !")]}?!.>\"`$\\".utf8.contains(previous)
        if isImplicit, end > place + 1, end == bytes.count || bytes[end] != UInt8(ascii: "(") {
            members.append(Member(name: text(place + 1..<end), place: place..<end))
        }
        return end
    }

    private func endElement(of bracket: inout Bracket, at place: Int) {
        let element = bracket.elementStart..<place
        bracket.elementStart = place + 1
        guard let first = bytes[element].firstIndex(where: { !Self.isSpace($0) }),
            let last = bytes[element].lastIndex(where: { !Self.isSpace($0) })
        else { return }
        bracket.elements.append(first..<last + 1)
    }

    /// Records a pair of brackets; returns the string literal that continues after it.
    private mutating func close(_ bracket: Bracket, at place: Int) -> Literal? {
        var bracket = bracket
        endElement(of: &bracket, at: place)
        switch bytes[bracket.start] {
        case UInt8(ascii: "["): lists[bracket.start] = bracket.elements
        case UInt8(ascii: "(") where bracket.literal == nil:
            let name = bytes[..<bracket.start].reversed().prefix {
                Self.isName($0) || ".$?".utf8.contains($0)
            }
            calls.append(Call(callee: String(decoding: name.reversed(), as: UTF8.self), arguments: bracket.elements))
        default: break
        }
        return bracket.literal
    }
}
