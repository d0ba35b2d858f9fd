package import Failures

/// A text in no language yet: its key and the values of its placeholders.
///
/// Its members are generated from the English file, so that the compiler checks keys and placeholders: `.hours(hours: "2")`.
package struct Text: Sendable, Equatable {
    /// The key.
    package let key: TextKey
    /// The number that decides the plural form; `nil` if the text depends on none.
    let count: Int?
    private let values: [(name: String, value: String)]

    /// Creates a text with the values of its placeholders, for the generated members.
    init(_ key: TextKey, count: Int? = nil, _ values: (name: String, value: String)...) {
        (self.key, self.count, self.values) = (key, count, values)
    }

    /// Returns the value of a placeholder; `nil` if there is none.
    subscript(name: Substring) -> String? {
        // A text has at most a handful of values.
        values.first { $0.name == name }?.value ?? (name == "count" ? count.map(String.init) : nil)
    }

    package static func == (one: Text, other: Text) -> Bool {
        one.key == other.key && one.count == other.count && one.values.elementsEqual(other.values, by: ==)
    }
}
