/// A header of a request or an answer, bounded and without secrets.
public struct HeaderField: Sendable, Equatable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a header from a value without secrets.
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}
