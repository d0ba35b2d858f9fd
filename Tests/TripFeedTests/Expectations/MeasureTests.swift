import Failures
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripFeed

@Suite("Measures of expectations", .ends(within: .quickTest))
struct MeasureTests {
    @Test func `each measure that can be written has a value, and each value can be written`() {
        #expect(Set(MeasureForm.all.map(\.id)) == Measure.ids)
        #expect(MeasureForm.all.count == Measure.ids.count)
    }

    /// From the descriptions of the manual's page about expectations.
    private static let sources: [MeasureForm.Source: Set<String>] = [
        .answer: [
            "overdue", "delay", "pickup-delay", "eta-slip", "remaining-time", "remaining-distance", "position-age",
            "accuracy", "route-distance", "speed", "vehicle", "passengers", "waypoints", "others-ahead", "attribute",
            "trip",
        ],
        .calls: ["polls", "failures"], .latency: ["latency", "latency.max", "latency.p50", "latency.p95"],
        .size: ["bytes"],
        .token: ["token.fetches", "token.number", "token.failures", "token.lifetime", "token.left"],
    ]

    @Test func `each measure has the source that the manual describes`() {
        #expect(Dictionary(grouping: MeasureForm.all, by: \.source).mapValues { Set($0.map(\.id)) } == Self.sources)
        // A log of the service has no latencies, sizes and tokens.
        let own = Set(MeasureForm.all.filter(\.needsOwnRequests).map(\.source))
        #expect(own == [.latency, .size, .token])
    }

    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(100))

    /// Observes polls: their latencies in seconds, and the status of a failure instead of an answer.
    private func observe(_ polls: [(latency: Double, failure: Int?)]) throws -> TripObservation {
        var (table, observation) = (JourneyTable(), TripObservation(needsFields: true))
        let trip = try TripID("t")
        var state = TripState(id: .trip(trip))
        for (index, poll) in polls.enumerated() {
            let now = Self.start.advanced(by: .seconds(5 * index))
            var report = PollReport(journey: .trip(trip), started: now)
            report.call = .sample(status: poll.failure ?? 200, at: now, took: .seconds(poll.latency))
            var answer = Trip(id: trip, provider: try ProviderID("p"), status: .enrouteToPickup)
            answer.passengers = 3
            answer.dropoffTime = Self.start.wall + Double(600 + 40 * index)
            answer.attributes = [Attribute(key: "tier", value: .text("gold"))]
            let place = Coordinate(latitude: 51, longitude: 4)
            answer.remainingWaypoints = [Waypoint(coordinate: place, tripID: trip, kind: .dropoff)]
            if let status = poll.failure {
                let error = ServiceAnswer(httpStatus: status, status: "UNAVAILABLE")
                report.outcome = .failure(.service(error, retryAfter: nil))
            } else {
                state.merge(.trip(answer), serverDate: nil, at: now)
                report.outcome = .success(.trip(answer))
            }
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            _ = table.apply(event, at: now)
            _ = observation.handle(event, table)
        }
        return observation
    }

    private func value(_ name: String, _ argument: String = "", _ observation: TripObservation) -> MeasuredValue? {
        observation.value(of: MeasureCheck(name, .equal, .missing, argument: argument), at: Self.start)
    }

    @Test func `counts polls and failures by code and by HTTP status`() throws {
        let seen = try observe([(0.1, nil), (0.2, 503), (0.1, 503), (0.3, 500)])
        #expect(value("polls", "", seen) == .number(4))
        #expect(value("failures", "", seen) == .number(3))
        #expect(value("failures", "503", seen) == .number(2))
        #expect(value("failures", "404", seen) == .number(0))
        #expect(value("failures", "UNAVAILABLE", seen) == .number(3))
        #expect(value("failures", "NOT_FOUND", seen) == .number(0))
    }

    @Test(arguments: [1 as UInt64, 2, 3, 4, 5])
    func `a percentile is that of the sorted latencies to 1 percent, and never below it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let latencies = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
            pow(10, Double.random(in: -3.5...1.5, using: &generator))
        }
        let seen = try observe(latencies.map { ($0, nil) })
        for (name, part) in [("latency.p50", 0.5), ("latency.p95", 0.95), ("latency.max", 1)] {
            let exact = latencies.sorted()[Int((Double(latencies.count) * part).rounded(.up)) - 1]
            guard case .number(let measured)? = value(name, "", seen) else {
                Issue.record("\(name) is unknown")
                continue
            }
            #expect(measured >= exact * 0.999_999 && measured <= exact * 1.011, "\(name): \(measured), not \(exact)")
        }
        guard case .number(let last)? = value("latency", "", seen), let exact = latencies.last else {
            Issue.record("the last latency is unknown")
            return
        }
        #expect(abs(last - exact) < 1e-12)
    }

    @Test func `measures how much later each answer estimates the drop-off`() throws {
        #expect(value("eta-slip", "", try observe([(0.1, nil)])) == nil)
        let seen = try observe([(0.1, nil), (0.1, nil), (0.1, 503), (0.1, nil)])
        // The failed poll had no answer, so that two steps of 40 seconds lie between the last two answers.
        #expect(value("eta-slip", "", seen) == .number(80))
        #expect(value("delay", "", seen) == .number(120))
    }

    @Test func `finds fields by their path, with the number of elements`() throws {
        let seen = try observe([(0.1, nil)])
        for (path, expected) in [
            ("tripStatus", .text("ENROUTE_TO_PICKUP")), ("trip_status", .text("ENROUTE_TO_PICKUP")),
            ("numberOfPassengers", .number(3)), ("remainingWaypoints.size", .number(1)),
            ("remainingWaypoints[0].tripId", .text("t")), ("remainingWaypoints[1].tripId", .missing),
            ("vehicleWaypoints.size", .number(0)), ("vehicleId", .missing),
            ("remainingWaypoints[0].location.point.latitude", .number(51)),
        ] as [(String, MeasuredValue)] {
            #expect(value("trip", path, seen) == expected, "\(path)")
        }
        #expect(value("attribute", "tier", seen) == .text("gold"))
        #expect(value("attribute", "other", seen) == nil)
    }

    @Test(arguments: [
        (51.060_000_3, "== 51.06", "51.0600003 m"), (51.0649, "< 51", "51.06 m"), (50.999, "< 51", "50.999 m"),
        (50.99, "< 51", "50.99 m"),
        (51.001, "<= 51", "51.001 m"), (51.06, "== 51.06", "51.06 m"),
    ])
    func `evidence has the digits that decide`(value: Double, limit: String, text: String) throws {
        let parts = limit.split(separator: " ")
        let relation = try #require(MeasureCheck.Relation(rawValue: String(parts[0])))
        let check = MeasureCheck(
            "route-distance",
            relation,
            .number(try #require(Double(parts[1]))),
            unit: .basic(of: .distance)
        )
        #expect(MeasuredValue.number(value).text(for: check) == text)
    }

    @Test(arguments: ["", "x", "tripStatus.x", "remainingWaypoints.eta", "remainingWaypoints[-1]", "a\"b", "[0]", ".a"])
    func `has no path that a trip does not have`(path: String) {
        #expect(FieldPath(path) == nil)
    }

    @Test(arguments: [
        "tripStatus", "remainingWaypoints[3].eta", "attributes[0].stringValue", "size", "lastLocation.heading",
    ])
    func `has the paths of the service's JSON`(path: String) {
        // A field that is named like the number of elements does not exist in a trip.
        #expect((FieldPath(path) != nil) == (path != "size"))
    }
}
