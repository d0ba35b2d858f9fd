/// An unknown field of an answer, stored for display.
package struct UnknownField: Sendable, Hashable {
    /// The maximum length of name and text, in scalars.
    package static let maximumLength = 80
    /// The maximum number of unknown fields per answer.
    package static let maximumCount = 32
    /// The maximum number of values per answer that are named because they cannot be read.
    package static let mostUnreadable = 8

    /// The name in camelCase.
    package var name: String
    /// The value: a number or text unchanged, `{…}` or `[…]` for containers.
    package var text: String

    /// Creates a field; long texts are truncated.
    package init(name: String, text: String) {
        self.name = name.bounded(to: Self.maximumLength)
        self.text = text.bounded(to: Self.maximumLength)
    }
}
