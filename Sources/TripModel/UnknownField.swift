/// A field of an answer that this program does not know, carried along so that a person can see it.
package struct UnknownField: Sendable, Hashable {
    /// The longest name and text that are kept, in scalars.
    package static let maximumLength = 80
    /// The most fields of one answer that are kept.
    package static let maximumCount = 32

    /// The name, in camelCase.
    package var name: String
    /// The value: a number or a text as it is, `{…}` or `[…]` for what has parts.
    package var text: String

    /// A field; what is too long is cut.
    package init(name: String, text: String) {
        self.name = name.bounded(to: Self.maximumLength)
        self.text = text.bounded(to: Self.maximumLength)
    }
}
