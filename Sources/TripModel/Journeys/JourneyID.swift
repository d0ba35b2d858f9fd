/// What a client follows.
package enum JourneyKind: UInt8, Sendable, CaseIterable {
    /// A trip, read by GetTrip.
    case trip
    /// A shipment as its recipient sees it, read by GetTaskTrackingInfo.
    case shipment
}

/// The ID of what a client follows: of a trip, or the tracking ID of a shipment.
///
/// A trip and a shipment with the same text are different journeys. A ``TripID`` made from a text is that of a trip.
package typealias JourneyID = ResourceID<TripKind>

extension ResourceID<TripKind> {
    /// Creates the ID of a shipment.
    package init(shipment id: TrackingID) {
        self.init(valid: id.rawValue, variant: JourneyKind.shipment.rawValue)
    }

    /// Creates the ID of a journey of a kind; throws the rule that the text breaks.
    package init(_ kind: JourneyKind, _ text: String) throws(ResourceIDError) {
        switch kind {
        case .trip: try self.init(text)
        case .shipment: self.init(shipment: try TrackingID(text))
        }
    }

    /// What it names.
    package var kind: JourneyKind { JourneyKind(rawValue: variant) ?? .trip }

    /// The tracking ID; `nil` for a trip.
    package var tracking: TrackingID? { kind == .shipment ? TrackingID(valid: rawValue, variant: 0) : nil }

    /// The text in files and commands: the ID of a trip, `taskTrackingInfo/…` for a shipment.
    ///
    /// An ID contains no slash, so that the names of trips and shipments differ.
    package var name: String { kind == .trip ? rawValue : JourneyName.collection(of: kind) + "/" + rawValue }

    /// Creates an ID from its ``name``; throws the rule that it breaks.
    package init(named name: String) throws(ResourceIDError) {
        let name = JourneyName(name, as: .trip)
        try self.init(name.kind, name.id)
    }
}
