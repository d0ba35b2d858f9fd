import DequeModule
import Foundation
import TripModel

/// The vehicle's way to the next stop by its last reports, and whether the predicted arrival fits it.
///
/// All times come from the service, so no clock needs a correction. Only a vehicle that gets closer continuously, and needs no
/// more than ``nearest`` at its speed, is judged: one that waits, is in a traffic jam or serves another trip first is not.
struct ArrivalCheck: Sendable, Equatable {
    /// An arrival that distance and speed contradict.
    struct Disagreement: Sendable, Equatable {
        /// The predicted arrival minus the arrival by distance and speed, in seconds.
        var shift: Double
        /// The remaining distance in meters.
        var distance: Double
        /// The speed towards the stop in meters per second.
        var speed: Double
        /// The difference between two time zones that is close to the shift, in seconds; `nil` if none is.
        var zone: Double?
    }

    private struct Report: Sendable, Equatable {
        var received: Date
        var arrival: Date
        var distance: Double
    }

    /// The period over which the speed is measured, in seconds.
    private static let period = 30.0...120.0
    /// The maximum number of stored reports: one each second.
    private static let maximumReports = 120
    /// The longest way to the stop that is judged, in seconds at the measured speed.
    private static let nearest = 300.0
    /// The lowest speed of a vehicle that is driving, in meters per second.
    private static let driving = 2.0
    /// The lowest average speed in the worst traffic, in meters per second.
    private static let slowest = 1.0
    /// The differences between time zones in hours, including summer time.
    private static let zones = (1...14).map(Double.init) + [2.5, 3.5, 4.5, 5.5, 5.75, 6.5, 9.5, 10.5]

    /// The contradiction at the last report; `nil` if there is none.
    private(set) var disagreement: Disagreement?

    private var reports: Deque<Report> = []

    /// Records an answer; `limit` is the difference in seconds above which an arrival is wrong.
    mutating func record(_ step: AnswerStep, limit: Double) {
        // A shipment's arrival includes stops and breaks that are not shown.
        guard step.journey.trip != nil, step.isUnderWay, step.after.foreignWaypointsAhead == 0 else {
            self = ArrivalCheck()
            return
        }
        if step.comparable == nil { self = ArrivalCheck() }
        // Only values of the same answer belong together.
        guard let received = step.answer.lastLocation?.serverTime, let arrival = step.answer.firstArrival,
            let distance = step.answer.firstDistance?.meters, distance >= 0
        else {
            disagreement = nil
            return
        }
        if let last = reports.last {
            let elapsed = received.timeIntervalSince(last.received)
            guard elapsed > 0 else { return }
            let driven = last.distance - distance
            // On another route, distances are not comparable.
            if driven < -step.limits[.noise] || driven > elapsed * step.limits[.speed] { reports = [] }
        }
        reports.append(Report(received: received, arrival: arrival, distance: distance))
        while let first = reports.first,
            reports.count > Self.maximumReports || received.timeIntervalSince(first.received) > Self.period.upperBound
        {
            reports.removeFirst()
        }
        disagreement = disagreement(above: limit)
    }

    private func disagreement(above limit: Double) -> Disagreement? {
        guard let first = reports.first, let last = reports.last else { return nil }
        let elapsed = last.received.timeIntervalSince(first.received)
        guard Self.period.contains(elapsed) else { return nil }
        let speed = (first.distance - last.distance) / elapsed
        guard speed >= Self.driving else { return nil }
        let needed = last.distance / speed
        guard needed <= Self.nearest else { return nil }
        let predicted = last.arrival.timeIntervalSince(last.received)
        let isLate = predicted - last.distance / Self.slowest > limit
        // An arrival that has passed is ignored, unless it was predicted afterwards.
        let isEarly = -predicted > limit && reports.contains { $0.arrival != last.arrival }
        guard isLate || isEarly else { return nil }
        let shift = predicted - needed
        let zone = Self.zones.map { $0 * 3600 }.first { abs($0 - abs(shift)) <= 60 + needed / 2 }
        return Disagreement(shift: shift, distance: last.distance, speed: speed, zone: zone)
    }
}

/// The places of a trip whose latitude and longitude seem to be exchanged; each field is named once.
struct SwappedPlaces: Sendable, Equatable {
    /// A place that is far from all others of the trip, and near one of them with latitude and longitude exchanged.
    struct Place: Sendable, Equatable {
        /// The path of the field in the answer.
        var field: String
        /// The place as it was answered.
        var coordinate: Coordinate
    }

    /// The largest distance in meters between an exchanged place and the nearest other one.
    private static let near = 50_000.0

    /// The places that the last answer was the first to show.
    private(set) var found: [Place] = []

    private var named: Set<String> = []

    /// Records the places after an answer; `far` is the distance in meters to the nearest other place above which one is judged.
    mutating func record(_ journey: Journey, far: Double) {
        let places = Self.places(of: journey)
        found = places.filter { place in
            !named.contains(place.field)
                && place.isExchanged(among: places.filter { $0.field != place.field }, far: far, near: Self.near)
        }
        named.formUnion(found.map(\.field))
    }

    /// The places that the backend and the device wrote; waypoints and routes are made of them.
    private static func places(of journey: Journey) -> [Place] {
        let known = [
            ("pickupPoint", journey.pickup), ("dropoffPoint", journey.dropoff),
            ("lastLocation.location", journey.lastLocation?.coordinate),
        ]
        return known.compactMap { field, place in place.map { Place(field: field, coordinate: $0) } }
            + journey.intermediateDestinations.enumerated().map { index, place in
                Place(field: "intermediateDestinations[\(index)]", coordinate: place)
            }
    }
}

extension SwappedPlaces.Place {
    /// Whether the place belongs to the others only with latitude and longitude exchanged.
    ///
    /// With only two places, nothing shows which of them is wrong.
    fileprivate func isExchanged(among others: [SwappedPlaces.Place], far: Double, near: Double) -> Bool {
        let swapped = Coordinate(latitude: coordinate.longitude, longitude: coordinate.latitude)
        func nearest(_ place: Coordinate) -> Double? { others.map { $0.coordinate.distance(to: place).meters }.min() }
        guard others.count >= 2, swapped.isValid, let away = nearest(coordinate), let close = nearest(swapped) else {
            return false
        }
        return away > far && close <= near
    }
}
