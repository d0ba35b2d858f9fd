/// The values of a text's placeholders by name, written as a dictionary: `["time": clock, "trip": name]`.
package struct TextValues: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// The value of one placeholder.
    private struct Entry: Equatable {
        let name: String
        let value: String
    }

    private let entries: [Entry]

    package init(dictionaryLiteral entries: (String, String)...) {
        self.entries = entries.map { Entry(name: $0.0, value: $0.1) }
    }

    /// Whether there are no values.
    package var isEmpty: Bool { entries.isEmpty }

    /// The value of a placeholder; `nil` if there is none.
    package subscript(name: some StringProtocol) -> String? {
        // A text has at most a handful of values.
        entries.first { $0.name == name }?.value
    }
}
