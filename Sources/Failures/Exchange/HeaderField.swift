/// A header of a request or an answer, of bounded length.
///
/// Secrets are removed where it is made or, from a poll, where it is shown or recorded.
public struct HeaderField: Sendable, Equatable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a header.
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}
