package import Failures
package import Foundation
package import TripModel

/// The three parties that know where a trip is.
package enum TripSide: String, Sendable, Hashable, CaseIterable {
    /// The driver's app: what it reports with UpdateVehicle.
    case driver
    /// Fleet Engine: its data about the trip after the provider's and the driver's calls.
    case server
    /// The rider's app: what GetTrip has returned.
    case rider
}

/// What one side reported, knew or received, as the service's log has it.
package struct SideReport: Sendable, Equatable {
    /// The last call of the side; `nil` if only calls of another side have shown its values.
    package var call: SideCall?
    /// When the service received that call, else the first one that has shown values of the side.
    package var time: Date
    /// The status of the trip; `nil` if no call of the side has it.
    package var status: TripStatus?
    /// The call that has set this status.
    package var statusCall: SideCall?
    /// The vehicle of the trip.
    package var vehicle: VehicleID?
    /// The call that has shown it first.
    package var vehicleCall: SideCall?
    /// The navigation status of the vehicle, by its API name; only drivers have one.
    package var navigation: String?
    /// The position of the vehicle.
    package var location: VehicleLocation?
    /// The call that has shown it first.
    package var locationCall: SideCall?
    /// When the service received this position.
    package var locationTime: Date?
    /// The number of remaining waypoints; `nil` if unknown.
    package var waypointsLeft: Int?
    /// The ETA at the next waypoint.
    package var arrival: Date?
    /// The distance to the next waypoint.
    package var distance: Distance?
    /// The last call that has shown waypoints, ETA and distance.
    package var routeCall: SideCall?

    /// Creates a report of a call without values.
    package init(_ call: SideCall) { (self.call, time) = (call, call.time) }

    /// Creates a report of a side without a call, whose values other sides' calls show from a time on.
    package init(since time: Date) { self.time = time }

    /// The method of the last call, such as `UpdateVehicle`; empty without a call.
    package var method: String { call?.method ?? "" }
}

/// A call of a side that the service refused.
package struct SideError: Sendable, Equatable {
    /// The call.
    package let call: SideCall
    /// The answer of the service.
    package var error: ServiceAnswer
    /// The number of refused calls in a row, including this one.
    package var count = 1

    /// Creates the first refused call of a row.
    package init(_ call: SideCall, error: ServiceAnswer) { (self.call, self.error) = (call, error) }

    /// The method, such as `GetTrip`.
    package var method: String { call.method }
    /// When the service received it.
    package var time: Date { call.time }
}

/// What driver, server and rider know about a trip.
package struct TripSides: Sendable, Equatable {
    /// The trip.
    package let id: JourneyID
    /// The last report of each side.
    package private(set) var reports: [TripSide: SideReport] = [:]
    /// The last refused calls; a successful call removes the error of its side.
    package private(set) var errors: [TripSide: SideError] = [:]

    /// Stores the newest report of a side.
    ///
    /// `isCall` is `false` if the report follows from the call of another side: then an error of this side remains.
    package mutating func add(_ report: SideReport, of side: TripSide, isCall: Bool = true) {
        reports[side] = report
        if isCall { errors[side] = nil }
    }

    /// Stores a refused call.
    package mutating func add(_ error: SideError, of side: TripSide) {
        var error = error
        error.count = (errors[side]?.count ?? 0) + 1
        errors[side] = error
    }

    /// What the sides disagree about, in the order of the rules.
    package var differences: [SideDifference] { SideRule.all.compactMap { $0.difference(self) } }

    /// Whether the rider has polled after a time, at least a second later.
    ///
    /// Two calls that cross each other are no difference.
    func riderHasAsked(after time: Date) -> Bool {
        reports[.rider].map { $0.time.timeIntervalSince(time) > 1 } ?? false
    }
}

/// A call in a log that has shown a value of a side: the evidence for a sentence about the sides.
package struct SideCall: Sendable, Equatable {
    /// The method, such as `UpdateVehicle`.
    package let method: String
    /// When the service received it.
    package let time: Date
    /// The ID of its entry in Cloud Logging, untrusted text; empty if the entry has none.
    package let insertID: String
}
