import FleetEmulator
import Foundation
import Testing
import TripModel
import TripTestSupport

/// The way to the next stop: from the driver's app, or the service's own.
@Suite("Reported routes", .ends(within: .quickTest))
struct ReportedRouteTests {
    private var scene: DeliveryScene
    /// A detour to the first stop.
    private static let detour = [
        Coordinate(latitude: 51, longitude: 3.72), Coordinate(latitude: 51, longitude: 3.74),
        Coordinate(latitude: 51.01, longitude: 3.74), Coordinate(latitude: 51.01, longitude: 3.72),
    ]

    init() throws {
        scene = try DeliveryScene()
        try scene.load(2)
        try scene.locate(0)
    }

    private static let fields =
        "currentRouteSegment,currentRouteSegmentEndPoint,remainingDistanceMeters,remainingDuration"

    private mutating func report(
        _ path: [Coordinate] = detour,
        end: Coordinate? = nil,
        at seconds: Double = 0
    ) throws -> DeliveryVehicle {
        let end = end ?? Coordinate(latitude: 51.01, longitude: 3.72)
        let json =
            #"{"currentRouteSegment":"\#(S2Polyline.encode(path))","currentRouteSegmentEndPoint":{"latitude":\#(end.latitude),"longitude":\#(end.longitude)},"remainingDistanceMeters":4000,"remainingDuration":"400s"}"#
        return try scene.update(json, mask: Self.fields, at: seconds)
    }

    @Test mutating func `the first way is the reported one`() throws {
        let vehicle = try report()
        let first = try #require(vehicle.segments.first)
        #expect(first.distance == Distance(meters: 4000) && first.duration == .seconds(400) && first.path.count == 4)
        #expect(vehicle.currentRoute?.bytes.isEmpty == false)
        let info = try scene.tracked("s-1")
        #expect(info.estimatedArrival == DeliveryScene.time(400) && info.remainingDistance?.meters == 4000)
        #expect(info.route?.points.count == 4)
    }

    @Test mutating func `on the way, the distance shrinks and the arrival stays`() throws {
        _ = try report()
        // In the middle of the second of three legs.
        try scene.update(
            #"{"lastLocation":{"location":{"latitude":51.005,"longitude":3.74}}}"#,
            mask: "lastLocation",
            at: 100
        )
        let info = try scene.tracked("s-1", at: 100)
        #expect(info.estimatedArrival == DeliveryScene.time(400))
        let passed =
            Self.detour[0].distance(to: Self.detour[1]).meters + Self.detour[1].distance(to: Self.detour[2]).meters / 2
        #expect(abs((info.remainingDistance?.meters ?? 0) - (4000 - passed)) < 10)
        #expect(info.route?.points.count == 3)
    }

    @Test mutating func `distance and time without a path change the reported ones`() throws {
        _ = try report()
        let vehicle = try scene.update(
            #"{"remainingDistanceMeters":3000,"remainingDuration":"600s"}"#,
            mask: "remainingDuration,remainingDistanceMeters",
            at: 60
        )
        #expect(vehicle.segments.first?.distance == Distance(meters: 3000))
        #expect(try scene.tracked("s-1", at: 60).estimatedArrival == DeliveryScene.time(660))
    }

    @Test mutating func `distance and time are ignored without a path`() throws {
        let before = try #require(try scene.tracked("s-1").estimatedArrival)
        let vehicle = try scene.update(
            #"{"remainingDistanceMeters":5,"remainingDuration":"5s"}"#,
            mask: "remainingDuration,remainingDistanceMeters"
        )
        #expect(vehicle.currentRoute == nil)
        #expect(try scene.tracked("s-1").estimatedArrival == before)
    }

    @Test mutating func `a way to another place is replaced by the service's own`() throws {
        let own = try #require(try scene.tracked("s-1").estimatedArrival)
        _ = try report(end: Coordinate(latitude: 51.02, longitude: 3.72))
        #expect(try scene.tracked("s-1").estimatedArrival == own)
        // The vehicle drives on to the second stop, for which the way is right.
        try scene.plan([(["t-2"], 2)], states: ["ENROUTE"])
        #expect(try scene.tracked("s-2").estimatedArrival == DeliveryScene.time(400))
    }

    @Test mutating func `a stale way is replaced by the service's own, also without a report`() throws {
        _ = try report()
        #expect(try scene.tracked("s-1", at: 300).remainingDistance?.meters == 4000)
        let stale = try scene.tracked("s-1", at: 301)
        #expect(stale.remainingDistance.map { $0.meters < 1200 } == true && stale.route?.points.count == 2)
        #expect(try scene.task("t-1", at: 301).journey?.segments.first?.path.count == 2)
        let vehicle = try scene.vehicle(scene.van, at: 301)
        #expect(vehicle.segments.first?.path.count == 2)
    }

    @Test mutating func `a path that can't be decoded is retained, and its distance and time count`() throws {
        let vehicle = try scene.update(
            #"{"currentRouteSegment":"AAAA","currentRouteSegmentEndPoint":{"latitude":51.01,"longitude":3.72},"remainingDistanceMeters":4000,"remainingDuration":"400s"}"#,
            mask: Self.fields
        )
        #expect(vehicle.currentRoute?.bytes == [0, 0, 0])
        let info = try scene.tracked("s-1")
        #expect(info.estimatedArrival == DeliveryScene.time(400) && info.remainingDistance?.meters == 4000)
        #expect(info.route?.points.count == 2)
    }

    @Test mutating func `without the path the service plans its own way again`() throws {
        let own = try #require(try scene.tracked("s-1").estimatedArrival)
        _ = try report()
        let vehicle = try scene.update("{}", mask: "currentRouteSegment")
        #expect(vehicle.currentRoute == nil)
        #expect(try scene.tracked("s-1").estimatedArrival == own)
    }

    @Test mutating func `a recipient may snap the position to the path of the vehicle`() throws {
        #expect(try scene.task("t-2").journey?.lastLocationSnappable == true)
        try scene.plan([(["t-1"], 1), (["t-2"], 2)], states: ["ARRIVED"])
        #expect(try scene.task("t-2").journey?.lastLocationSnappable == false)
    }
}
