import Foundation
import TripModel

/// The conditions of one trip that last over many answers, such as a stationary vehicle.
struct TripDurations: Sendable, Equatable {
    /// A vehicle's position and since when it has been there, by the device's clock.
    private struct Stop: Sendable, Equatable {
        var position: Coordinate
        var since: Date
        var status: JourneyStatus
    }

    /// The fields that are required for following a trip, and their names as evidence.
    static let requiredFields: [(field: TripField, name: String)] = [
        (.lastLocation, "position"), (.route, "route"), (.etaToFirstWaypoint, "arrival"),
    ]

    /// How long the vehicle has been stationary while driving to a stop, in seconds; `nil` if it moves.
    private(set) var stationary: Double?
    /// The ETAs of the current leg.
    private(set) var slide = Slide()
    /// Since when each of ``requiredFields`` has been missing.
    private(set) var missing: [TripField: Date] = [:]

    /// The vehicles that the trip has had.
    private(set) var vehicles = VehicleHistory()
    /// Whether the predicted arrival fits distance and speed.
    private(set) var arrivalCheck = ArrivalCheck()
    /// How often the driver reports.
    private(set) var reports = ReportRate()
    /// The places with exchanged latitude and longitude.
    private(set) var swapped = SwappedPlaces()

    private var stop: Stop?

    /// Records an answer.
    mutating func record(_ step: AnswerStep) {
        recordPosition(step)
        recordArrival(step)
        recordMissingFields(step)
        vehicles.record(step.journey.vehicleID)
        arrivalCheck.record(step, limit: step.limits[.arrivalDifference])
        reports.record(step)
        swapped.record(step.journey, far: step.limits[.placeDistance])
    }

    private mutating func recordPosition(_ step: AnswerStep) {
        stationary = nil
        guard step.isUnderWay, !step.journey.servesOthers,
            let location = step.journey.lastLocation, let position = location.coordinate,
            let measured = location.measuredTime ?? location.serverTime
        else {
            stop = nil
            return
        }
        guard let known = stop, known.status == step.journey.status,
            known.position.distance(to: position).meters <= step.limits[.noise]
        else {
            stop = Stop(position: position, since: measured, status: step.journey.status)
            return
        }
        stationary = measured.timeIntervalSince(known.since)
    }

    private mutating func recordArrival(_ step: AnswerStep) {
        guard !step.journey.status.isTerminal, let arrival = step.journey.firstArrival,
            let received = step.journey.lastLocation?.serverTime
        else {
            slide = Slide()
            return
        }
        // Times of another leg, vehicle or next waypoint are not comparable.
        if step.comparable == nil { slide = Slide() }
        slide.add(received: received, arrival: arrival)
    }

    private mutating func recordMissingFields(_ step: AnswerStep) {
        let journey = step.journey
        for (field, _) in Self.requiredFields {
            let isMissing =
                switch field {
                case .lastLocation: journey.lastLocation?.coordinate == nil
                case .route: (journey.route?.points.count ?? 0) < 2
                default: journey.firstArrival == nil
                }
            // What the sender hides is not missing.
            let isGap = journey.shipment == nil && step.isUnderWay && isMissing && !step.absent.contains(field)
            missing[field] = isGap ? missing[field] ?? step.time : nil
        }
    }
}
