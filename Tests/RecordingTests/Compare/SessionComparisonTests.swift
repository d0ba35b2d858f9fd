import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import Recording

@Suite("Comparison of sessions", .ends(within: .quickTest))
struct SessionComparisonTests {
    private func summary(_ options: SampleRide.Options = .init(), id: String = "tr-1") async throws -> SessionSummary {
        let text = String(decoding: try await SampleRide.recording(options), as: UTF8.self)
        return SessionSummary(try RecordedSession(bytes: Array(text.replacing("tr-1", with: id).utf8)))
    }

    @Test func `a session equals itself and the same ride with another trip`() async throws {
        let ride = try await summary()
        #expect(SessionComparison(ride, ride).differences.isEmpty)
        #expect(SessionComparison(ride, try await summary(id: "tr-2")).differences.isEmpty)
        #expect(SessionComparison(ride, ride).tolerance == 5)
        #expect(ride.trips.first?.polls == 19)
        #expect(
            ride.trips.first?.statuses.map(\.status) == [
                .trip(.new), .trip(.enrouteToPickup), .trip(.arrivedAtPickup), .trip(.enrouteToDropoff),
                .trip(.complete),
            ]
        )
        #expect(ride.trips.first?.errors.values.reduce(0, +) == 2)
    }

    @Test func `a later prediction is a difference with its greatest value`() async throws {
        let comparison = SessionComparison(try await summary(), try await summary(.init(delay: 30)))
        let kinds = comparison.differences.map(\.kind)
        #expect(kinds.count == 2, "\(kinds)")
        for (kind, place) in zip(kinds, [SessionDifference.Place.pickup, .dropoff]) {
            guard case .arrival(place, _, let a, let b) = kind else {
                Issue.record("\(kind)")
                continue
            }
            #expect(abs(b - a - 30) < 0.5)
        }
        let isEqual = SessionComparison(try await summary(), try await summary(.init(delay: 30)), tolerance: 31)
        #expect(isEqual.differences.isEmpty)
    }

    @Test func `errors, polls and status times are compared`() async throws {
        let comparison = SessionComparison(
            try await summary(),
            try await summary(.init(hasErrors: false, pollsToPickup: 10), id: "tr-2")
        )
        let differences = comparison.differences
        #expect(differences.allSatisfy { $0.journey == RecordingScene.trip && $0.otherTrip?.rawValue == "tr-2" })
        #expect(differences.contains { $0.kind == .polls(a: 19, b: 23) })
        let errors = differences.filter { if case .errors(_, a: 1, b: 0) = $0.kind { true } else { false } }
        #expect(errors.count == 2)
        let statuses = differences.compactMap { difference -> JourneyStatus? in
            if case .status(let status, let a?, let b?) = difference.kind, b - a > 19 { status } else { nil }
        }
        #expect(statuses == [.trip(.arrivedAtPickup), .trip(.enrouteToDropoff), .trip(.complete)])
    }

    @Test func `a trip of one session only is a difference, and logs are compared without polls`() async throws {
        let ride = try await summary()
        let empty = SessionSummary(try RecordedSession(bytes: RecordingLine.bytes(RecordingScene.header)))
        #expect(SessionComparison(ride, empty).differences.map(\.kind) == [.missingTrip(inA: false, inB: true)])
        #expect(SessionComparison(empty, ride).differences.map(\.kind) == [.missingTrip(inA: true, inB: false)])
        let session = try SampleRide.session
        let log = try RecordedSession(bytes: session.export(with: FleetDebuggerExport(session)))
        // The form has no estimate of the next stop.
        let kinds = SessionComparison(ride, SessionSummary(log)).differences.map(\.kind)
        #expect(kinds == [.missingArrival(.nextStop, inA: true, inB: false)])
    }

    /// A log of a trip with 10 s between two answers.
    private func ride(_ more: String, last: String = "") throws -> SessionSummary {
        let entries = [1, 11].map { second in
            LogText.trip(second: second, status: "ENROUTE_TO_PICKUP", more: second == 11 ? more + last : more)
        }
        return SessionSummary(try RecordedSession(bytes: Array("[\(entries.joined(separator: ","))]".utf8)))
    }

    @Test(
        arguments: [
            (#""pickuppoint":{"point":{"latitude":1,"longitude":1}}"#, #""latitude":1,"#, #""latitude":1.01,"#),
            (#""dropoffpoint":{"point":{"latitude":1,"longitude":2}}"#, #""latitude":1,"#, #""latitude":1.01,"#),
            (
                #""intermediatedestinations":[{"point":{"latitude":1,"longitude":2}}]"#, #""latitude":1,"#,
                #""latitude":3,"#
            ), (#""vehicleid":"v1""#, "v1", "v2"), (#""numberofpassengers":1"#, "1", "3"),
            (#""triptype":"EXCLUSIVE_TRIP""#, "EXCLUSIVE", "SHARED"),
        ]
    )
    func `what was ordered is compared`(member: String, from: String, to: String) throws {
        let fields = [
            "pickuppoint": TripField.pickupPoint, "dropoffpoint": .dropoffPoint,
            "intermediatedestinations": .intermediateDestinations, "vehicleid": .vehicleId,
            "numberofpassengers": .numberOfPassengers, "triptype": .tripType,
        ]
        let field = try #require(fields.first { member.hasPrefix("\"\($0.key)") }?.value)
        let a = try ride("," + member)
        let same = SessionComparison(a, a)
        #expect(same.differences.isEmpty && same.fields.contains(field))
        for b in [try ride("," + member.replacing(from, with: to)), try ride("")] {
            let kinds = SessionComparison(a, b).differences.map(\.kind)
            #expect(kinds.count == 1, "\(kinds)")
            guard case .values(field, let old, let new)? = kinds.first else {
                Issue.record("\(kinds)")
                continue
            }
            #expect(old.count == 1 && old != new, "\(old) \(new)")
        }
    }

    /// Two stops ahead with their ETAs and the lengths of the ways to them.
    private static let stops = #"""
        ,"remainingwaypoints":[{"location":{"point":{"latitude":1,"longitude":1}},"distancemeters":500,
        "type":"WAYPOINT_TYPE_INTERMEDIATE_DESTINATION","eta":"2026-01-01T10:00:00Z"},
        {"location":{"point":{"latitude":2,"longitude":1}},"distancemeters":2500,
        "type":"WAYPOINT_TYPE_DROP_OFF","eta":"2026-01-01T10:30:00Z"}]
        """#.replacing("\n", with: "")

    @Test(arguments: ["00:00", "30:00"])
    func `the ETA of each stop ahead is compared`(minute: String) throws {
        let later = Self.stops.replacing("10:\(minute)", with: "10:\(minute.prefix(1))5:00")
        let a = try ride(Self.stops)
        #expect(SessionComparison(a, a).differences.isEmpty)
        let kinds = SessionComparison(a, try ride(later)).differences.map(\.kind)
        guard kinds.count == 1, case .arrival(_, _, let one, let other)? = kinds.first else {
            Issue.record("\(kinds)")
            return
        }
        #expect(abs(other - one - 300) < 0.001)
        let missing = Self.stops.replacing(",\"eta\":\"2026-01-01T10:\(minute)Z\"", with: "")
        #expect(!SessionComparison(a, try ride(missing)).differences.isEmpty)
    }

    @Test func `the length of the way to a stop ahead is compared`() throws {
        let longer = Self.stops.replacing("2500", with: "2900")
        let kinds = SessionComparison(try ride(Self.stops), try ride(longer)).differences.map(\.kind)
        guard kinds.count == 1, case .distance(.remainingWaypoints, _, let meters)? = kinds.first else {
            Issue.record("\(kinds)")
            return
        }
        #expect(meters == 400)
    }

    @Test func `speed and heading of the vehicle are compared`() throws {
        func values(speed: Double?, heading: Int?) throws -> TripValues {
            var values = TripValues()
            var trip = Trip(id: RecordingScene.tripID, provider: try ProviderID("p"), status: .enrouteToPickup)
            var location = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1))
            (location.speed, location.heading) = (speed, heading)
            trip.lastLocation = location
            for second in [0.0, 10] { values.record(.trip(trip), at: second) }
            return values
        }
        let a = try values(speed: 10, heading: 350)
        #expect(try a.differences(to: values(speed: 11, heading: 5), tolerance: 5).isEmpty)
        #expect(
            try a.differences(to: values(speed: 20, heading: 350), tolerance: 5)
                == [.measure(.speed, at: 0, a: 10, b: 20)]
        )
        #expect(
            try a.differences(to: values(speed: 10, heading: 90), tolerance: 5)
                == [.measure(.heading, at: 0, a: 350, b: 90)]
        )
        #expect(
            try a.differences(to: values(speed: nil, heading: 350), tolerance: 5)
                == [.missingMeasure(.speed, inA: false, inB: true)]
        )
    }

    @Test func `places that are some meters apart are equal, and unseen fields are not named`() throws {
        let place = { (degrees: String) in #","pickuppoint":{"point":{"latitude":\#(degrees),"longitude":1}}"# }
        // 0.0001 degrees of latitude are 11.1 m.
        let comparison = SessionComparison(try ride(place("1")), try ride(place("1.0001")))
        #expect(comparison.differences.isEmpty)
        #expect(comparison.fields == [.pickupPoint, .tripStatus])
        #expect(!comparison.hasPolls)
    }

    @Test func `positions and distances are compared beyond what a vehicle covers within the tolerance`() {
        func values(_ latitude: Double, _ meters: Double) throws -> TripValues {
            var values = TripValues()
            for second in 0..<10 {
                var trip = Trip(id: RecordingScene.tripID, provider: try ProviderID("p"), status: .enrouteToPickup)
                let place = Coordinate(latitude: latitude + Double(second) / 1000, longitude: 1)
                trip.lastLocation = VehicleLocation(coordinate: place)
                trip.remainingDistance = Distance(meters: meters - Double(second) * 100)
                values.record(.trip(trip), at: Double(second) * 10)
            }
            return values
        }
        #expect(throws: Never.self) {
            // 0.001 degrees of latitude are 111 m; 40 m/s over 5 s are 200 m.
            #expect(try values(1, 5000).differences(to: values(1.001, 5150), tolerance: 5).isEmpty)
            let kinds = try values(1, 5000).differences(to: values(1.1, 9000), tolerance: 5)
            #expect(kinds.count == 2, "\(kinds)")
            let meters = kinds.compactMap { if case .distance(_, _, let meters) = $0 { meters } else { nil } }
            // 0.1 degrees are 11,119 m on a sphere of 6,371 km.
            #expect(meters.count == 2 && abs(meters[0] - 11_119) < 30 && abs(meters[1] - 4000) < 1, "\(meters)")
        }
    }

    @Test func `a missing prediction and another order of statuses are differences`() throws {
        func log(_ entries: [String]) throws -> SessionSummary {
            SessionSummary(try RecordedSession(bytes: Array("[\(entries.joined(separator: ","))]".utf8)))
        }
        let a = try log([
            LogText.trip(second: 1, status: "NEW", more: #","pickuptime":"2026-01-01T00:05:00Z""#),
            LogText.trip(second: 2, status: "ENROUTE_TO_PICKUP"), LogText.trip(second: 3, status: "ARRIVED_AT_PICKUP"),
        ])
        let b = try log([
            LogText.trip(second: 1, status: "NEW"), LogText.trip(second: 2, status: "ARRIVED_AT_PICKUP"),
            LogText.trip(second: 3, status: "ENROUTE_TO_PICKUP"),
        ])
        #expect(
            SessionComparison(a, b).differences.map(\.kind) == [
                .order(
                    a: [.trip(.new), .trip(.enrouteToPickup), .trip(.arrivedAtPickup)],
                    b: [.trip(.new), .trip(.arrivedAtPickup), .trip(.enrouteToPickup)]
                ), .missingArrival(.pickup, inA: false, inB: true),
            ]
        )
    }
}
