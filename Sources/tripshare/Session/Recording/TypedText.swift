import Runtime
import TripScreen

/// The text that is being typed, so that a token in it is not recorded key by key.
///
/// Each key is a line of its own in a recording, so that the redaction of lines does not find a token. From the character
/// with which the word is recognized as a part of a token, each character of the word is recorded as a bullet.
struct TypedText {
    private static let longestWord = 4096

    private let secrets: KnownSecrets
    private var word = ""

    init(secrets: KnownSecrets = .ofProcess) { self.secrets = secrets }

    /// Returns the key as it is recorded.
    mutating func recorded(_ key: Key) -> Key {
        switch key {
        case .character(let character) where !character.isWhitespace:
            if word.utf8.count < Self.longestWord { word.append(character) }
            return secrets.redacted(word) == word && word.withoutTokens == word ? key : .character("•")
        case .backspace:
            word = String(word.dropLast())
            return key
        default:
            word = ""
            return key
        }
    }
}
