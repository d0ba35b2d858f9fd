import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

@Suite("Values that cannot be read", .ends(within: .longTest))
struct UnreadableValueTests {
    private func unreadable(_ fields: String) throws -> [String] {
        let body = #"{"name":"providers/p/trips/t","tripStatus":"NEW",\#(fields)}"#
        return try TripCoding.decode(Array(body.utf8)).unreadable.map { "\($0.name) \($0.text)" }
    }

    /// Fields with a time, also of messages in lists and in messages.
    private static let times: [(String, String)] = [
        ("pickupTime", #""pickupTime":T"#), ("dropoffTime", #""dropoffTime":T"#),
        ("etaToFirstWaypoint", #""etaToFirstWaypoint":T"#),
        ("lastLocation.updateTime", #""lastLocation":{"updateTime":T}"#),
        ("lastLocation.serverTime", #""lastLocation":{"serverTime":T}"#),
        ("remainingWaypoints[1].eta", #""remainingWaypoints":[{},{"eta":T}]"#),
        ("actualPickupPoint.timestamp", #""actualPickupPoint":{"timestamp":T}"#),
        ("currentRouteSegmentVersion", #""currentRouteSegmentVersion":T"#),
    ]

    @Test(arguments: [
        "2026-01-01T10:00:00", "2026-01-01 10:00:00Z", " 2026-01-01T10:00:00Z", "2026-01-01T10:00:00 Z", "soon", "",
    ])
    func `a time without a zone or with a blank is named in every field`(text: String) throws {
        for (path, json) in Self.times {
            #expect(try unreadable(json.replacing(":T", with: ":\"\(text)\"")) == ["\(path) \(text)"])
        }
    }

    @Test func `a time in small letters is read`() throws {
        #expect(try unreadable(#""pickupTime":"2026-01-01t10:00:00z""#).isEmpty)
    }

    @Test func `a duration without its unit is named`() throws {
        let json = #""remainingTimeToFirstWaypoint":"12""#
        #expect(try unreadable(json) == ["remainingTimeToFirstWaypoint 12"])
    }

    @Test func `a coordinate out of range is named wherever it is`() throws {
        let place = #"{"latitude":91,"longitude":2}"#
        for (path, json) in [
            ("pickupPoint.point", #""pickupPoint":{"point":P}"#),
            ("route[1]", #""route":[{"latitude":1,"longitude":1},P]"#),
            ("lastLocation.location", #""lastLocation":{"location":P}"#),
            ("lastLocation.rawLocation", #""future":1,"lastLocation":{"rawLocation":P}"#),
        ] {
            #expect(
                try unreadable(json.replacing(":P", with: ":" + place).replacing(",P", with: "," + place)) == [
                    "\(path) 91.0, 2.0"
                ]
            )
        }
        #expect(try unreadable(#""pickupPoint":{"point":{"latitude":90,"longitude":180}}"#).isEmpty)
    }

    @Test func `at most eight values of each kind are named`() throws {
        let waypoints = Array(repeating: #"{"eta":"soon"}"#, count: 100).joined(separator: ",")
        #expect(try unreadable(#""remainingWaypoints":[\#(waypoints)]"#).count == 8)
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"])
    func `a number that is not finite is unknown, in JSON and in binary messages`(number: String) throws {
        let numbers = [
            "speed", "latlngAccuracy", "rawLocationAccuracy", "headingAccuracy", "speedAccuracy", "altitude",
            "altitudeAccuracy", "verticalAccuracy", "horizontalAccuracy",
        ]
        let fields = numbers.map { #""\#($0)":"\#(number)""# }.joined(separator: ",")
        let place = #"{"latitude":51,"longitude":"\#(number)"}"#
        let json =
            #"{"name":"providers/p/trips/t","tripStatus":"NEW","pickupPoint":{"point":\#(place)},"lastLocation":{\#(fields)}}"#
        let binary = try Maps_Fleetengine_V1_Trip(jsonString: json).serializedBytes() as [UInt8]
        let trips = [
            try TripCoding.decode(Array(json.utf8)),
            try TripCoding.trip(try Maps_Fleetengine_V1_Trip(serializedBytes: binary)),
        ]
        for trip in trips {
            let location = try #require(trip.lastLocation)
            #expect(location.speed == nil && location.accuracy == nil && location.rawAccuracy == nil)
            #expect(location.headingAccuracy == nil && location.speedAccuracy == nil)
            #expect(location.altitude == nil && location.altitudeAccuracy == nil)
            #expect(trip.pickup == nil)
        }
        // JSON has the names, of which the first eight are kept; a text field may have the same text.
        #expect(
            try unreadable(#""vehicleId":"\#(number)","lastLocation":{"speed":"\#(number)","altitude":"\#(number)"}"#)
                == ["lastLocation.speed \(number)", "lastLocation.altitude \(number)"]
        )
        #expect(
            try unreadable(#""pickupPoint":{"point":\#(place)}"#) == ["pickupPoint.point.longitude \(number)"]
        )
    }
}
