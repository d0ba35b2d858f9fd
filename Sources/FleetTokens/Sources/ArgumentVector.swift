/// A command line split into words as a POSIX shell quotes them; nothing is expanded and no shell is run.
public struct ArgumentVector: Sendable, Equatable {
    /// Why a text can't be split.
    public enum Problem: Error, Sendable, Equatable {
        /// There is no word in it.
        case empty
        /// A quotation mark at a column, counted from 1, has no partner.
        case openQuote(Character, column: Int)
        /// It ends with a backslash that quotes nothing.
        case trailingBackslash
    }

    /// The words, at least one; the first is the command.
    public let words: [String]

    /// Splits at blanks; `'…'` keeps everything, `"…"` all but `\"`, `\\`, `\$` and `` \` ``, and `\` the next character.
    public init(parsing text: String) throws(Problem) {
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
