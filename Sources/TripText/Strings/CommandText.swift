/// A command line text independent of the language: the key and the values of its placeholders.
package struct CommandText: Sendable, Equatable {
    /// The key of the text.
    package let key: CommandKey
    /// The values, in the order of the key's parameters.
    package let values: [String]

    /// Creates a text from a key and the values of its placeholders.
    package init(_ key: CommandKey, _ values: String...) {
        self.init(key, filling: values)
    }

    /// Creates a text from a key and the values of its placeholders.
    package init(_ key: CommandKey, filling values: [String]) {
        (self.key, self.values) = (key, values)
    }
}

extension Localizer {
    /// Returns a command line text; the values are in the order of the key's parameters.
    package func callAsFunction(_ key: CommandKey, _ values: String...) -> String {
        text(key.rawValue, key.parameters, values)
    }

    /// Returns a command line text.
    package func callAsFunction(_ text: CommandText) -> String {
        self.text(text.key.rawValue, text.key.parameters, text.values)
    }

    /// Returns a command line text with a number, in the plural form for that number.
    package func count(_ number: Int, _ key: CommandKey) -> String {
        counted(number, key.rawValue)
    }
}
