import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import FleetWire

@Suite("Paths of fields", .ends(within: .quickTest))
struct FieldPathTests {
    private static let trip = """
        {"vehicleId": "007", "numberOfPassengers": 2, "actualPickupPoint": null,
         "pickupPoint": {"point": {"longitude": 4.5, "latitude": 51}},
         "remainingWaypoints": [{"tripId": "12"}, {"location": {"point": {}}, "distanceMeters": 30}],
         "attributes": []}
        """

    @Test(
        arguments: [
            ("vehicleId", .text("007")), ("numberOfPassengers", .number(2)),
            ("remainingWaypoints[0].tripId", .text("12")),
            ("actualPickupPoint", .missing), ("dropoffPoint", .missing), ("remainingWaypoints[2]", .missing),
            ("pickupPoint", .json(#"{"point":{"latitude":51,"longitude":4.5}}"#)),
            ("remainingWaypoints[1].location", .json(#"{"point":{}}"#)), ("attributes", .json("[]")),
            ("remainingWaypoints[0].location", .missing), ("remainingWaypoints.size", .number(2)),
            ("pickupPoint.size", .number(1)), ("attributes.size", .number(0)), ("vehicleWaypoints.size", .number(0)),
        ] as [(String, MeasuredValue)]
    )
    func `only what is absent or null is missing`(path: String, expected: MeasuredValue) throws {
        let trip = try #require(JSONValue(Array(Self.trip.utf8)))
        #expect(FieldPath(path)?.value(in: trip) == expected)
    }

    @Test(
        arguments: [
            ("vehicleId", .text), ("tripStatus", .text), ("remainingWaypoints[0].eta", .text), ("pickupPoint", .json),
            ("remainingWaypoints", .json), ("remainingWaypoints.size", .number), ("numberOfPassengers", .number),
            ("lastLocation.isRoadSnapped", .flag), ("currentRouteSegmentEndPoint.etaToWaypoint", nil),
        ] as [(String, FieldPath.Kind?)]
    )
    func `the schema says what a value is compared with`(path: String, kind: FieldPath.Kind?) {
        #expect(FieldPath(path)?.kind == kind)
    }
}
