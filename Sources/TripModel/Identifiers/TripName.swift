/// A trip name given by the user: an ID or a full name.
package struct TripName: Sendable, Equatable {
    /// The ID, not validated.
    package let id: String
    /// The project in a full name.
    package let provider: String?

    /// Parses `providers/…/trips/…`; any other text is an ID.
    package init(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 4, parts[0] == "providers", parts[2] == "trips" {
            (id, provider) = (parts[3], parts[1])
        } else {
            (id, provider) = (text, nil)
        }
    }
}
