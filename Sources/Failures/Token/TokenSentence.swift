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

        /// Claims in quotation marks.
        package static func quoted(_ claims: String...) -> Self { quoted(claims) }

        /// Claims in quotation marks, separated by commas.
        package static func quoted(_ claims: some Sequence<String>) -> Self {
            .text(claims.map(TokenSentence.quoted).joined(separator: ", "))
        }
    }

    /// The key of the text: `verdict…` for what was found, `remedy…` for what to change.
    public let key: TextKey
    /// The values by the names of their placeholders.
    public let values: [String: Value]

    /// A text with the values of its placeholders.
    public init(_ key: TextKey, _ values: [String: Value] = [:]) {
        self.key = key
        self.values = values
    }

    /// Returns a claim in English quotation marks, truncated after 120 characters; other languages replace the marks.
    package static func quoted(_ claim: String) -> String { "“\(claim.prefix(120))\(claim.count > 120 ? "…" : "")”" }
}
