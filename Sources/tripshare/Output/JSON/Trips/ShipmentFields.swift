import Runtime
import TripModel

/// The fields that the state of a shipment has and the state of a trip lacks.
struct ShipmentFields: Encodable {
    var state: String
    var outcome: String?
    var outcomeTime: String?
    var windowStart: String?
    var windowEnd: String?
    /// The number of stops left, including the shipment's stop.
    var stopsLeft: Int?
    var completion: String?
    /// The values that the service does not show, of an open shipment.
    var hidden: [String]

    /// Creates the fields; `nil` for a trip.
    init?(_ journey: Journey) {
        guard let shipment = journey.shipment else { return nil }
        (state, outcome) = (shipment.state.name, shipment.outcome?.name)
        outcomeTime = shipment.outcomeTime.map(Timestamp.text)
        windowStart = (shipment.targetTimeWindow?.start).map(Timestamp.text)
        windowEnd = (shipment.targetTimeWindow?.end).map(Timestamp.text)
        stopsLeft = shipment.remainingStopCount
        completion = shipment.estimatedCompletion.map(Timestamp.text)
        hidden = HiddenValue.allCases.filter(journey.hidden.contains).map(\.rawValue)
    }
}
