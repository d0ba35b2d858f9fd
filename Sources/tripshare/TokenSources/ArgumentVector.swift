/// A command line split into words with POSIX shell quoting; nothing is expanded and no shell runs.
struct ArgumentVector: Sendable, Equatable {
    /// The reason why a text cannot be split.
    enum Problem: Error, Sendable, Equatable {
        /// The text contains no words.
        case empty
        /// A quotation mark at a column, starting at 1, is not closed.
        case openQuote(Character, column: Int)
        /// The text ends with a backslash.
        case trailingBackslash
    }

    /// The words; the first one is the command.
    let words: [String]

    /// Splits at white space.
    ///
    /// `'…'` preserves everything, `"…"` everything except `\"`, `\\`, `\$` and `` \` ``, and `\` the next character.
    init(parsing text: String) throws(Problem) {
        var words: [String] = []
        var word: String?
        var quote: (mark: Character, column: Int)?
        var isEscaped = false
        for (column, character) in text.enumerated() {
            if isEscaped {
                isEscaped = false
                if quote != nil, !"\"\\$`".contains(character) { word?.append("\\") }
                word = (word ?? "") + String(character)
            } else if character == "\\", quote?.mark != "'" {
                isEscaped = true
                word = word ?? ""
            } else if let open = quote {
                if character == open.mark { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = (character, column + 1)
                word = word ?? ""
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw .openQuote(quote.mark, column: quote.column) }
        guard !isEscaped else { throw .trailingBackslash }
        if let word { words.append(word) }
        guard let command = words.first, !command.isEmpty else { throw .empty }
        self.words = words
    }
}
