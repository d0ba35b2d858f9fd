/// A text about a token: its key and the values of its placeholders.
///
/// The texts are in `Assets/Strings`, one file for each language.
public struct TokenSentence: Sendable, Equatable {
    /// A value of a placeholder.
    public enum Value: Sendable, Equatable {
        /// A text that is the same in every language, such as a claim; it comes from outside and is not yet printable.
        case text(String)
        /// A length of time in seconds.
        case span(Double)
    }

    /// The key of the text.
    public let key: Key
    /// The values by the names of their placeholders.
    public let values: [String: Value]

    /// A text with the values of its placeholders.
    public init(_ key: Key, _ values: [String: Value] = [:]) {
        self.key = key
        self.values = values
    }
}
