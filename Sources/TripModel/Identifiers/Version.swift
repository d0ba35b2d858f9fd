/// The time of the last change of a part of a trip, stored as sent by the service so that it can be returned unchanged.
package struct Version: Sendable, Hashable {
    /// An RFC 3339 timestamp.
    package let rawValue: String

    /// Creates a version from the service's text.
    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
