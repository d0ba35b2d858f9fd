/// The name of a trip or a shipment given by the user: an ID, an ID with its collection, or a full name.
package struct JourneyName: Sendable, Equatable {
    /// What it names.
    package let kind: JourneyKind
    /// The ID, not validated.
    package let id: String
    /// The project in a full name.
    package let provider: String?

    /// Parses `trips/…` and `taskTrackingInfo/…`, both also after `providers/…/`; any other text is an ID of the given kind.
    package init(_ text: String, as kind: JourneyKind) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let collection = parts.count >= 2 ? parts[parts.count - 2] : ""
        let named = JourneyKind.allCases.first { Self.collection(of: $0) == collection }
        switch (named, parts.count) {
        case (let named?, 2): (self.kind, id, provider) = (named, parts[1], nil)
        case (let named?, 4) where parts[0] == "providers": (self.kind, id, provider) = (named, parts[3], parts[1])
        default: (self.kind, id, provider) = (kind, text, nil)
        }
    }

    /// Returns the collection in the resource names of a kind.
    static func collection(of kind: JourneyKind) -> String {
        switch kind {
        case .trip: "trips"
        case .shipment: "taskTrackingInfo"
        }
    }
}
