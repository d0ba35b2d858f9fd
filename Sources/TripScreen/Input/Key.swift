/// A key, independent of the terminal.
package enum Key: Sendable, Hashable {
    /// A printable character.
    case character(Character)
    /// A character with the Control key, in lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)
}

extension Key {
    private static let named: [(name: String, key: Key)] = [
        ("Space", .character(" ")), ("Tab", .tab), ("S-Tab", .backTab), ("Enter", .enter), ("Esc", .escape),
        ("Backspace", .backspace), ("Delete", .delete), ("Up", .up), ("Down", .down), ("Left", .left),
        ("Right", .right), ("Home", .home), ("End", .end), ("PgUp", .pageUp), ("PgDn", .pageDown),
    ]

    /// The name of the key: `q`, `Space`, `PgDn`, `C-r`, `F1`.
    package var name: String {
        if let row = Self.named.first(where: { $0.key == self }) { return row.name }
        switch self {
        case .character(let character): return String(character)
        case .control(let character): return "C-\(character)"
        case .function(let number): return "F\(number)"
        case .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown:
            return ""
        }
    }

    /// Returns a key by name; `nil` if there is none.
    ///
    /// Names of more than one letter are case-insensitive.
    package init?(named name: String) {
        if let row = Self.named.first(where: { $0.name.lowercased() == name.lowercased() }) {
            self = row.key
        } else if name.count == 3, name.lowercased().hasPrefix("c-"), let letter = name.lowercased().last,
            ("a"..."z").contains(letter)
        {
            self = .control(letter)
        } else if name.first == "F" || name.first == "f", let number = Int(name.dropFirst()), (1...12).contains(number)
        {
            self = .function(number)
        } else if name.count == 1, let character = name.first, !character.isWhitespace,
            character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        {
            self = .character(character)
        } else {
            return nil
        }
    }
}
