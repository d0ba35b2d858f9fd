import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

/// The state of a trip after a successful poll.
struct TripLine: Encodable {
    struct Location: Encodable {
        var latitude: Double
        var longitude: Double
        var heading: Int?
        var speed: Double?

        /// Creates the last position of a trip's vehicle; `nil` if it is unknown.
        init?(_ journey: Journey) {
            guard let last = journey.lastLocation, let place = last.coordinate else { return nil }
            (latitude, longitude) = (place.latitude, place.longitude)
            (heading, speed) = (last.heading, last.speed)
        }
    }

    var type = "trip"
    var time: String
    var trip: String
    /// The number of the event of the session, from 1; absent in a summary of a log.
    var eventNumber: Int?
    var status: String
    var vehicleId: String?
    var eta: String?
    var remainingDistanceMeters: Int?
    var location: Location?
    /// What only a shipment has.
    var shipment: ShipmentFields?
    var waypointsLeft: Int
    var receivedAgeMs: Int?
    var measuredAgeMs: Int?
    var changed: [String]

    init(_ journey: Journey, state: TripState, event: EventNumber? = nil, now: Moment) {
        time = Timestamp.text(now.wall)
        self.trip = journey.id.name
        eventNumber = event?.rawValue
        status = journey.status.name
        vehicleId = journey.vehicleID?.rawValue
        eta = (state.nextOwnArrival?.arrival?.time).map(Timestamp.text)
        remainingDistanceMeters = journey.remainingDistance.map { Int($0.meters.rounded()) }
        location = Location(journey)
        shipment = ShipmentFields(journey)
        waypointsLeft = journey.remainingWaypoints.count
        receivedAgeMs = state.receivedAge(at: now)?.milliseconds
        measuredAgeMs = state.measuredAge(at: now)?.milliseconds
        changed = state.changed.map(\.rawValue).sorted()
    }
}

/// A finding about a trip.
struct FindingLine: Encodable {
    var type = "finding"
    var time: String
    var trip: String
    /// The number of the event of the session, from 1.
    var eventNumber: Int
    var rule: String
    var severity: String
    /// Key-value pairs; each key includes the unit, such as `shiftSeconds`.
    var evidence: [String: EvidenceValue]

    init(_ finding: Finding, event: EventNumber, now: Moment) {
        time = Timestamp.text(now.wall)
        trip = finding.journey.name
        eventNumber = event.rawValue
        rule = finding.rule.id
        severity = finding.severity.rawValue
        evidence = Dictionary(finding.evidence.map { ($0.key, EvidenceValue(value: $0.value)) }) { _, last in last }
    }
}

extension Evidence {
    fileprivate var key: String {
        switch value {
        case .seconds: name + "Seconds"
        case .meters: name + "Meters"
        case .metersPerSecond: name + "MetersPerSecond"
        case .share, .count, .text, .time: name
        }
    }
}

/// The value of a piece of evidence, rounded to the precision of its unit.
struct EvidenceValue: Encodable {
    let value: Evidence.Value

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .seconds(let number), .meters(let number), .metersPerSecond(let number):
            try container.encode((number * 10).rounded() / 10)
        case .share(let share): try container.encode((share * 1000).rounded() / 1000)
        case .count(let count): try container.encode(count)
        case .text(let text): try container.encode(text)
        case .time(let date): try container.encode(Timestamp.text(date))
        }
    }
}

/// Replaces outcomes that a slow reader missed by their number.
struct OmittedLine: Encodable {
    var type = "omitted"
    var time: String
    var trip: String?
    var vehicle: String?
    /// The number of the event of the session, from 1; absent for calls.
    var eventNumber: Int?
    /// What was omitted: `poll`, `token` or `call`.
    var of: String
    var ok: Int
    var errors: [String: Int]

    init(
        _ context: AuthorizationContext,
        of kind: String,
        _ omission: EventOmission,
        event: EventNumber,
        now: Moment
    ) {
        time = Timestamp.text(now.wall)
        trip = context.journey?.name
        if case .vehicle(let id) = context { vehicle = id.rawValue }
        eventNumber = event.rawValue
        of = kind
        ok = omission.successes
        errors = omission.failures
    }

    /// Creates the line about calls that an emulator has received.
    init(ofCalls omission: EventOmission, now: Date) {
        (time, of) = (Timestamp.text(now), "call")
        (ok, errors) = (omission.successes, omission.failures)
    }
}

/// The last line of a trip.
struct EndLine: Encodable {
    var type = "end"
    var time: String
    var trip: String
    var outcome: String
}

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
