/// A trip as a person names it: by its bare ID or its full name.
package struct TripName: Sendable, Equatable {
    /// The bare ID, not checked.
    package let id: String
    /// The project of a full name.
    package let provider: String?

    /// Takes `providers/…/trips/…` apart; anything else is an ID.
    package init(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 4, parts[0] == "providers", parts[2] == "trips" {
            (id, provider) = (parts[3], parts[1])
        } else {
            (id, provider) = (text, nil)
        }
    }
}
