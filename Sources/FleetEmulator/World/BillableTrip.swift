package import FleetWire
package import Foundation
package import TripModel

/// A trip that a provider has reported for billing.
package struct BillableTrip: Sendable, Equatable {
    /// The maximum number of reports that are stored.
    static let maximumCount = 10_000

    /// The ID in the report; the trip need not exist.
    package var id: TripID
    /// The report.
    package var report: BillableTripReport
    /// When it was received.
    package var time: Date
}
