/// A command line text independent of the language: the key and the values of its placeholders.
package struct CommandText: Sendable, Equatable {
    /// The key of the text.
    package let key: CommandKey
    /// The values of its placeholders.
    package let values: TextValues

    /// Creates a text from a key and the values of its placeholders.
    package init(_ key: CommandKey, _ values: TextValues = [:]) {
        (self.key, self.values) = (key, values)
    }
}

extension Localizer {
    /// Returns a command line text with its placeholders replaced by values.
    package func callAsFunction(_ key: CommandKey, _ values: TextValues = [:]) -> String {
        text(key.rawValue, values)
    }

    /// Returns a command line text.
    package func callAsFunction(_ text: CommandText) -> String { self(text.key, text.values) }

    /// Returns a command line text with a number, in the plural form for that number.
    package func count(_ number: Int, _ key: CommandKey) -> String {
        counted(number, key.rawValue)
    }
}
