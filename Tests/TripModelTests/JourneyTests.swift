import Foundation
import Testing
import TripModel
import TripTestSupport

/// What trips and shipments have in common.
@Suite("Journeys", .ends(within: .quickTest))
struct JourneyTests {
    private static let now = Date(timeIntervalSince1970: 1_767_286_800)

    private static func info() throws -> TaskTrackingInfo {
        var info = TaskTrackingInfo(trackingID: try TrackingID("s"), provider: try ProviderID("p"), state: .open)
        info.plannedLocation = Coordinate(latitude: 51, longitude: 4)
        info.targetTimeWindow = TimeWindow(start: now, end: now + 3600)
        return info
    }

    @Test func `a trip and a shipment with the same ID are different journeys`() throws {
        let (trip, shipment) = (JourneyID.trip(try TripID("x")), JourneyID.shipment(try TrackingID("x")))
        #expect(trip != shipment && trip.kind == .trip && shipment.kind == .shipment)
        #expect(Set([trip, shipment, trip]).count == 2)
        #expect(shipment.tracking == (try TrackingID("x")) && trip.tracking == nil)
        #expect(trip.rawValue == shipment.rawValue)
    }

    @Test(arguments: ["x", "ä ö", "%2F", "trips", "taskTrackingInfo"])
    func `a name in a file leads back to the same journey`(_ text: String) throws {
        for id in [JourneyID.trip(try TripID(text)), .shipment(try TrackingID(text))] {
            #expect(try JourneyID(named: id.name) == id)
        }
        #expect(try JourneyID(.trip, text).name == text)
    }

    @Test(arguments: [
        ("x", JourneyKind.trip, JourneyKind.trip, "x", nil as String?), ("x", .shipment, .shipment, "x", nil),
        ("trips/x", .shipment, .trip, "x", nil), ("taskTrackingInfo/x", .trip, .shipment, "x", nil),
        ("providers/p/trips/x", .shipment, .trip, "x", "p"),
        ("providers/p/taskTrackingInfo/x", .trip, .shipment, "x", "p"),
        ("providers/p/vehicles/x", .trip, .trip, "providers/p/vehicles/x", nil),
        ("other/p/trips/x", .shipment, .shipment, "other/p/trips/x", nil),
        ("a/trips/x", .trip, .trip, "a/trips/x", nil),
    ])
    func `a name says what it names, else the command does`(
        _ text: String,
        _ command: JourneyKind,
        _ kind: JourneyKind,
        _ id: String,
        _ provider: String?
    ) {
        let name = JourneyName(text, as: command)
        #expect(name.kind == kind && name.id == id && name.provider == provider)
    }

    @Test(arguments: [
        (DeliveryTask.State.open, nil as DeliveryTask.Outcome?, ShipmentStatus.open), (.open, .succeeded, .succeeded),
        (.closed, .succeeded, .succeeded), (.open, .failed, .failed), (.closed, .failed, .failed),
        (.closed, nil, .closed), (.unrecognized("HELD"), nil, .unrecognized("HELD")),
        (.closed, .unrecognized("LOST"), .unrecognized("LOST")),
    ])
    func `the status of a shipment combines state and outcome`(
        _ state: DeliveryTask.State,
        _ outcome: DeliveryTask.Outcome?,
        _ status: ShipmentStatus
    ) {
        #expect(ShipmentStatus(state, outcome) == status)
        // Another attempt may follow a failed one.
        #expect(status.isTerminal == (outcome == .succeeded))
    }

    @Test func `statuses of trips and shipments do not count as each other's`() {
        for trip in TripStatus.known.map(JourneyStatus.trip) {
            for shipment in ShipmentStatus.known.map(JourneyStatus.shipment) {
                #expect(!trip.hasReached(shipment) && !shipment.hasReached(trip), "\(trip) \(shipment)")
            }
        }
        let (open, succeeded) = (JourneyStatus.shipment(.open), JourneyStatus.shipment(.succeeded))
        #expect(succeeded.hasReached(open) && !JourneyStatus.shipment(.failed).hasReached(succeeded))
        for status in ShipmentStatus.known {
            #expect(ShipmentStatus(name: status.name) == status)
            #expect(JourneyStatus(known: status.name) == .shipment(status))
            #expect(TripStatus(name: status.name) == .unrecognized(status.name), "a trip has no such status")
        }
    }

    @Test func `a shipment that is not shown yet has no waypoint, and everything is hidden`() throws {
        let trip = Journey.shipment(try Self.info())
        #expect(trip.hidden == Set(HiddenValue.allCases) && !trip.isOnTour && trip.remainingWaypoints.isEmpty)
        #expect(trip.dropoff == Coordinate(latitude: 51, longitude: 4) && trip.pickup == nil && trip.vehicleID == nil)
        #expect(trip.shipment?.targetTimeWindow == TimeWindow(start: Self.now, end: Self.now + 3600))
    }

    @Test func `what the service shows belongs to the stop of the shipment`() throws {
        var info = try Self.info()
        info.estimatedArrival = Self.now + 600
        info.remainingStopCount = 3
        info.remainingDistance = Distance(meters: 1200)
        let trip = Journey.shipment(info)
        #expect(trip.hidden == [.vehicleLocation, .route, .estimatedCompletion] && trip.isOnTour)
        let stop = try #require(trip.remainingWaypoints.first)
        #expect(stop.kind == .dropoff && stop.eta == Self.now + 600 && stop.belongs(to: trip.id.trip))
        #expect(trip.etaToFirstWaypoint == Self.now + 600 && trip.dropoffTime == Self.now + 600)
        #expect(trip.shipment?.remainingStopCount == 3)
    }

    @Test(arguments: [(DeliveryTask.State.closed, nil as DeliveryTask.Outcome?), (.open, .succeeded), (.open, .failed)])
    func `nothing is hidden of a shipment that is not to be delivered any more`(
        _ state: DeliveryTask.State,
        _ outcome: DeliveryTask.Outcome?
    ) throws {
        var info = try Self.info()
        (info.state, info.outcome) = (state, outcome)
        #expect(Journey.shipment(info).hidden.isEmpty && !Journey.shipment(info).isOnTour)
    }
}
