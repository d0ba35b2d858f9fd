/// When a part of a trip was last changed, exactly as the service wrote it, so that it can be sent back unharmed.
package struct Version: Sendable, Hashable {
    /// An RFC 3339 timestamp.
    package let rawValue: String

    /// A version from the service's own words.
    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
