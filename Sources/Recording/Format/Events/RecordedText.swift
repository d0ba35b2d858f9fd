import Failures
import Runtime

/// Redacts texts when they are recorded.
enum RecordedText {
    /// The maximum number of characters of a note.
    static let longestNote = 2000
    /// The maximum number of characters of an error message or a name.
    static let longest = 500

    /// Returns a bounded text without possible tokens.
    static func redacted(_ text: String, limit: Int = longest) -> String {
        // Redact first: a truncated token is harder to recognize.
        String(AnswerText.redacted(refusal: String(text.prefix(limit * 8))).prefix(limit))
    }
}
