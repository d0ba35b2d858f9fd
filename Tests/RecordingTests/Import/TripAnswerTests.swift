import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport

@Suite("Answers about trips", .ends(within: .quickTest))
struct TripAnswerTests {
    private static let route = S2Polyline.encode([0, 0.1, 0.2].map { Coordinate(latitude: 0, longitude: $0) })
    private static let routeField = #","currentroutesegment":"\#(route)""#

    private func snapshots(_ entries: [String]) throws -> [RecordedTrips.Snapshot] {
        try #require(try LogText.read(entries).timelines.first).snapshots
    }

    @Test(arguments: [
        ("EXCLUSIVE_TRIP", TripType.exclusive), ("SHARED_TRIP", .shared), ("EXCLUSIVE", .exclusive),
        ("AIRBORNE_TRIP", .unrecognized("AIRBORNE")),
    ])
    func `accepts trip types in the log's and in the API's spelling`(name: String, type: TripType) throws {
        let trip = try snapshots([LogText.trip(second: 0, status: "NEW", more: #","triptype":"\#(name)""#)])[0].journey
        #expect(trip.type == type)
    }

    @Test func `retains an unknown status up to 64 characters`() throws {
        let trip = try snapshots([LogText.trip(second: 0, status: String(repeating: "X", count: 100))])[0].journey
        #expect(trip.status == .trip(.unrecognized(String(repeating: "X", count: 52))))
    }

    @Test func `removes intermediate destinations behind the vehicle from the waypoints`() throws {
        let places = [3.0, 4].map { #"{"point":\#(LogText.place($0))}"# }.joined(separator: ",")
        let left = [4.0, 2].map { #"{"location":{"point":\#(LogText.place($0))}}"# }.joined(separator: ",")
        let more =
            #","intermediatedestinations":[\#(places)],"intermediatedestinationindex":1,"remainingwaypoints":[\#(left)]"#
        let trip = try snapshots([
            LogText.trip(second: 0, status: "ENROUTE_TO_INTERMEDIATE_DESTINATION", more: LogText.ends + more)
        ])[0].journey
        #expect(trip.intermediateDestinations.map(\.latitude) == [3, 4])
        #expect(trip.intermediateDestinationIndex == 1)
        #expect(trip.trip?.intermediateDestinationsVersion == Version(LogText.time(0)))
        #expect(trip.remainingWaypoints.map(\.kind) == [.intermediateDestination, .dropoff])
    }

    @Test func `has the arrivals and departures that the driver reported, also when it is played at another time`()
        throws
    {
        func stop(_ degrees: Double, _ second: Int) -> String {
            #"{"point":\#(LogText.place(degrees)),"timestamp":"\#(LogText.time(second))"}"#
        }
        let more =
            #","actualpickuparrivalpoint":\#(stop(1, 10)),"actualintermediatedestinationarrivalpoints":[\#(stop(3, 20))]"#
            + #","actualintermediatedestinations":[\#(stop(3, 30)),{}]"#
        let trips = try LogText.read([LogText.trip(second: 40, status: "ENROUTE_TO_DROPOFF", more: more)])
        for trips in [trips, trips.shifted(to: trips.start + 100)] {
            let trip = try #require(trips.timelines[0].snapshots[0].journey.trip)
            func seconds(_ time: Date?) -> Double? { time.map { $0.timeIntervalSince(trips.start) + 40 } }
            #expect(seconds(trip.actualPickupArrival?.time) == 10)
            #expect(trip.actualStopArrivals.map { seconds($0.time) } == [20])
            #expect(trip.actualStops.map { seconds($0.time) } == [30])
            #expect(trip.actualStops[0].coordinate == Coordinate(latitude: 3, longitude: 3))
        }
    }

    @Test func `names the values that cannot be read, and reads the others`() throws {
        let more =
            #","pickuptime":"today","dropofftime":"2026-05-04T10:00:00Z","vehicleid":"a/b","numberofpassengers":"two""#
            + #","lastlocation":{"heading":"north","speed":"3.5","location":{"latitude":95,"longitude":1}}"#
            + #","remainingwaypoints":[{"location":{"point":\#(LogText.place(2))},"tripid":""},{"eta":"soon"}]"#
        let trip = try snapshots([LogText.trip(second: 0, status: "ENROUTE_TO_PICKUP", more: more)])[0].journey
        #expect(
            trip.unreadable.map { "\($0.name): \($0.text)" } == [
                "pickuptime: today", "vehicleid: a/b", "numberofpassengers: two", "lastlocation.heading: north",
                "lastlocation.location: 95.0, 1.0", "remainingwaypoints[1].eta: soon",
            ]
        )
        #expect(trip.lastLocation?.speed == 3.5)
        #expect(trip.dropoffTime != nil)
    }

    @Test func `retains parts that a GetTrip answer omits because the caller had them`() throws {
        let trips = try snapshots([
            LogText.trip(second: 0, status: "ENROUTE_TO_DROPOFF", more: Self.routeField),
            LogText.trip("GetTrip", second: 5, status: "ENROUTE_TO_DROPOFF"),
            LogText.trip("GetTrip", second: 9, status: "COMPLETE"),
        ]).map(\.journey)
        #expect(trips.map { $0.route?.points.count } == [3, 3, nil])
        #expect(trips.map(\.routeVersion) == [Version(LogText.time(0)), Version(LogText.time(0)), nil])
    }

    @Test func `uses traffic along a finer path only if it is a single interval`() throws {
        func traffic(_ intervals: String) -> String {
            #","currentroutesegmenttraffic":{"speedreadinginterval":[\#(intervals)]}"#
        }
        let slow = #"{"endpolylinepointindex":9,"speed":"SLOW"}"#
        let jam = #"{"startpolylinepointindex":9,"endpolylinepointindex":12,"speed":"TRAFFIC_JAM"}"#
        let trips = try snapshots([
            LogText.trip(second: 0, status: "ENROUTE_TO_DROPOFF", more: Self.routeField + traffic(slow + "," + jam)),
            LogText.trip(second: 1, status: "ENROUTE_TO_DROPOFF", more: Self.routeField + traffic(slow)),
            LogText.trip(second: 2, status: "ENROUTE_TO_DROPOFF", more: Self.routeField + traffic(slow + "," + jam)),
            LogText.trip(second: 3, status: "ENROUTE_TO_DROPOFF", more: Self.routeField),
        ]).map(\.journey)
        let whole = Traffic(intervals: [Traffic.Interval(start: 0, end: 2, speed: .slow)])
        #expect(trips.map(\.traffic) == [nil, whole, whole, nil])
        #expect(trips.map(\.trip?.trafficVersion) == [nil, Version(LogText.time(1)), Version(LogText.time(1)), nil])
    }
}
