/// What a client follows.
package enum JourneyKind: Sendable, CaseIterable {
    /// A trip, read by GetTrip.
    case trip
    /// A shipment as its recipient sees it, read by GetTaskTrackingInfo.
    case shipment
}

/// The ID of what a client follows.
///
/// A trip and a shipment with the same text are different journeys.
package enum JourneyID: Sendable, Hashable, CustomStringConvertible {
    /// The ID of a trip.
    case trip(TripID)
    /// The tracking ID of a shipment.
    case shipment(TrackingID)

    /// Creates the ID of a journey of a kind; throws the rule that the text breaks.
    package init(_ kind: JourneyKind, _ text: String) throws(ResourceIDError) {
        switch kind {
        case .trip: self = .trip(try TripID(text))
        case .shipment: self = .shipment(try TrackingID(text))
        }
    }

    /// Creates an ID from its ``name``; throws the rule that it breaks.
    package init(named name: String) throws(ResourceIDError) {
        let name = JourneyName(name, as: .trip)
        try self.init(name.kind, name.id)
    }

    /// What it names.
    package var kind: JourneyKind {
        switch self {
        case .trip: .trip
        case .shipment: .shipment
        }
    }

    /// The ID of the trip; `nil` for a shipment.
    package var trip: TripID? { if case .trip(let id) = self { id } else { nil } }

    /// The tracking ID; `nil` for a trip.
    package var tracking: TrackingID? { if case .shipment(let id) = self { id } else { nil } }

    /// The ID without its kind, as spelled by the service.
    package var rawValue: String {
        switch self {
        case .trip(let id): id.rawValue
        case .shipment(let id): id.rawValue
        }
    }

    /// The text in files and commands: the ID of a trip, `taskTrackingInfo/…` for a shipment.
    ///
    /// An ID contains no slash, so that the names of trips and shipments differ.
    package var name: String {
        switch self {
        case .trip(let id): id.rawValue
        case .shipment(let id): "\(JourneyName.collection(of: .shipment))/\(id)"
        }
    }

    /// The ID without its kind, as spelled by the service.
    package var description: String { rawValue }
}

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
