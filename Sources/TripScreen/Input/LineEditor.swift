/// A single-line text editor with a cursor.
package struct LineEditor: Sendable, Equatable {
    /// The characters without control characters, at most ``longest``.
    package private(set) var characters: [Character] = []
    /// The number of characters before the cursor.
    package private(set) var cursor = 0

    static let longest = 500

    /// Creates an editor with the cursor at the end.
    package init(_ text: String = "") {
        insert(text)
    }

    /// The text.
    package var text: String { String(characters) }

    /// Inserts text at the cursor; line feeds and tabs become blanks, other control characters are removed.
    mutating func insert(_ text: String) {
        for character in text where characters.count < Self.longest {
            let isSpace = character.isNewline || character == "\t"
            guard isSpace || character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                continue
            }
            characters.insert(isSpace ? " " : character, at: cursor)
            cursor += 1
        }
    }

    /// Replaces the whole text.
    mutating func set(_ text: String) {
        characters = []
        cursor = 0
        insert(text)
    }

    /// Processes a key.
    ///
    /// - Returns: Whether the key was used.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            characters.remove(at: cursor)
        case .delete:
            if cursor < characters.count { characters.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .control("u"):
            characters.removeSubrange(..<cursor)
            cursor = 0
        case .control("w"):
            let blanks = characters[..<cursor].reversed().prefix { $0 == " " }.count
            let word = characters[..<(cursor - blanks)].reversed().prefix { $0 != " " }.count
            characters.removeSubrange((cursor - blanks - word)..<cursor)
            cursor -= blanks + word
        default: return false
        }
        return true
    }
}
