import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What recipients would have seen, computed from the log of a tour.
@Suite("Logs of deliveries", .ends(within: .quickTest))
struct DeliveryLogTests {
    /// The spelling of a log.
    enum Form: String, CaseIterable, Sendable {
        /// Fleet Archive: the API's spelling, and the name of the call as the key.
        case archive
        /// Cloud Logging: keys in lower case, enums with prefixes, absent values as null.
        case logging
    }

    private static let start = Date(timeIntervalSince1970: 1_654_150_000)
    private static let iso = Date.ISO8601FormatStyle()
    private static func time(_ seconds: Double) -> String { (start + seconds).formatted(iso) }

    /// An entry of a call at a time.
    private static func entry(_ form: Form, _ call: String, at seconds: Double, response: String) -> String {
        switch form {
        case .archive:
            let key = call.prefix(1).lowercased() + call.dropFirst()
            return #"{"serverTime":"\#(time(seconds))","\#(key)":{"request":{"header":{}},"response":\#(response)}}"#
        case .logging:
            var text = response
            let prefixes = [
                ("type", "TASK_TYPE_LOG_"), ("state", "TASK_STATE_LOG_"), ("taskOutcome", "TASK_OUTCOME_LOG_"),
                ("stopState", "VEHICLE_STOP_STATE_LOG_"),
            ]
            for (name, prefix) in prefixes {
                text = text.replacing(
                    #""\#(name)":""#,
                    with: #""\#(name == "stopState" ? "state" : name)":"\#(prefix)"#
                )
            }
            for key in text.matches(of: /"([A-Za-z]+)":/).map({ String($0.1) }) {
                text = text.replacing("\"\(key)\":", with: "\"\(key.lowercased())\":")
            }
            return """
                {"timestamp":"\(time(seconds))","logname":"projects/p/logs/fleetengine.googleapis.com%2Fx",
                "jsonpayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.\(call)Log","response":\(text),
                "request":{"trackingid":null}}}
                """
        }
    }

    private static func task(
        _ number: Int,
        _ state: String = "OPEN",
        outcome: String? = nil,
        view: String = ""
    ) -> String {
        """
        {"name":"providers/p/tasks/t-\(number)","type":"DELIVERY","state":"\(state)","trackingId":"s-\(number)",
        "plannedLocation":{"point":{"latitude":51,"longitude":\(number)}},"taskDuration":"60s"\(view)
        \(outcome.map { ",\"taskOutcome\":\"\($0)\"" } ?? "")}
        """
    }

    private static func van(
        _ form: Form,
        at numbers: [Int],
        first: String = "ENROUTE",
        kilometers: Double = 1
    ) -> String {
        let name = form == .logging ? "stopState" : "state"
        let stops = numbers.enumerated().map { index, number in
            """
            {"stop":{"plannedLocation":{"point":{"latitude":51,"longitude":\(number)}},
            "tasks":[{"taskId":"t-\(number)","taskDuration":"60s"}],"\(name)":"\(index == 0 ? first : "NEW")"},
            "drivingDistanceMeters":\(kilometers * 1000),"drivingDuration":"\(kilometers * 100)s"}
            """
        }
        return """
            {"name":"providers/p/deliveryVehicles/van","lastLocation":{"rawLocation":{"latitude":51,"longitude":0.5},
            "serverTime":"\(time(0))"},"remainingVehicleJourneySegments":[\(stops.joined(separator: ","))]}
            """
    }

    private static func trips(
        _ form: Form,
        _ entries: [(String, Double, String)],
        isReversed: Bool = false
    ) throws -> RecordedTrips {
        let lines = entries.map { entry(form, $0.0, at: $0.1, response: $0.2) }
        let text =
            #"{"solutionType":"LMFS","rawLogs":[\#((isReversed ? lines.reversed() : lines).joined(separator: ","))]}"#
        return try RecordedTrips(bytes: Array(text.utf8))
    }

    private static func trip(_ trips: RecordedTrips, _ tracking: String, at seconds: Double) throws -> Journey {
        let id = JourneyID.shipment(try TrackingID(tracking))
        let timeline = try #require(trips.timelines.first { $0.id == id })
        return try #require(timeline.snapshot(at: start + seconds)).journey
    }

    private static func tour(_ form: Form) -> [(String, Double, String)] {
        (1...8).map { ("CreateTask", Double($0), task($0)) } + [
            ("UpdateDeliveryVehicle", 100, van(form, at: Array(1...8))),
            ("UpdateDeliveryVehicle", 200, van(form, at: Array(1...8), first: "ARRIVED", kilometers: 0.5)),
            ("UpdateTask", 230, task(1, outcome: "SUCCEEDED")),
            ("UpdateDeliveryVehicle", 300, van(form, at: Array(2...8))),
            ("UpdateTask", 400, task(2, outcome: "FAILED")),
            ("UpdateDeliveryVehicle", 500, van(form, at: [])),
        ]
    }

    @Test(arguments: Form.allCases, [false, true])
    func `each shipment is shown as its recipient saw it, whatever the order of the entries`(
        _ form: Form,
        _ isReversed: Bool
    ) throws {
        let trips = try Self.trips(form, Self.tour(form), isReversed: isReversed)
        #expect(trips.timelines.count == 8)
        #expect(trips.provider.rawValue == "p")
        let early = try Self.trip(trips, "s-2", at: 50)
        #expect(early.status == .shipment(.open) && early.hidden.count == HiddenValue.allCases.count)
        let second = try Self.trip(trips, "s-2", at: 150)
        // Two ways of 100 s and the task of the stop before.
        #expect(second.shipment?.remainingStopCount == 2 && second.etaToFirstWaypoint == Self.start + 100 + 260)
        #expect(second.remainingDistance == Distance(meters: 2000) && second.lastLocation?.coordinate?.longitude == 0.5)
        #expect(try Self.trip(trips, "s-6", at: 150).hidden.contains(.vehicleLocation), "six stops are too many")
        #expect(try Self.trip(trips, "s-6", at: 350).shipment?.remainingStopCount == 5)
        #expect(try Self.trip(trips, "s-1", at: 210).etaToFirstWaypoint == Self.start + 200, "it is there")
        #expect(try Self.trip(trips, "s-1", at: 250).status == .shipment(.succeeded))
        let done = try Self.trip(trips, "s-1", at: 350)
        #expect(done.status == .shipment(.succeeded) && done.shipment?.state == .closed && done.lastLocation == nil)
        #expect(try Self.trip(trips, "s-2", at: 450).status == .shipment(.failed))
        #expect(
            try Self.trip(trips, "s-3", at: 600).status == .shipment(.closed),
            "its stop was removed without an outcome"
        )
    }

    @Test(arguments: Form.allCases)
    func `the rules of the sender decide what is visible`(_ form: Form) throws {
        let view = #"""
            ,"taskTrackingViewConfig":{"remainingStopCountVisibility":{"never":true},
            "vehicleLocationVisibility":{"always":true},
            "estimatedArrivalTimeVisibility":{"durationUntilEstimatedArrivalTimeThreshold":"300s"}}
            """#
        let trips = try Self.trips(
            form,
            (1...8).map { ("CreateTask", Double($0), Self.task($0, view: view)) } + [
                ("UpdateDeliveryVehicle", 100, Self.van(form, at: Array(1...8)))
            ]
        )
        let near = try Self.trip(trips, "s-2", at: 150)
        #expect(near.hidden.contains(.remainingStopCount) && near.etaToFirstWaypoint != nil)
        let far = try Self.trip(trips, "s-8", at: 150)
        #expect(far.lastLocation != nil && far.etaToFirstWaypoint == nil)
        #expect(
            far.hidden == [.remainingStopCount, .estimatedArrival, .estimatedCompletion, .remainingDistance, .route]
        )
    }

    @Test(arguments: Form.allCases)
    func `a distance that the log omits at a reached stop is 0, not hidden`(_ form: Form) throws {
        let van = Self.van(form, at: [1, 2], first: "ARRIVED", kilometers: 0)
            .replacing(#","drivingDistanceMeters":0.0,"drivingDuration":"0.0s""#, with: "")
            .replacing(",\n\"drivingDistanceMeters\":0.0,\"drivingDuration\":\"0.0s\"", with: "")
        #expect(!van.contains("drivingD"))
        let trips = try Self.trips(
            form,
            [("CreateTask", 1, Self.task(1)), ("CreateTask", 2, Self.task(2)), ("UpdateDeliveryVehicle", 100, van)]
        )
        let trip = try Self.trip(trips, "s-1", at: 150)
        #expect(trip.remainingDistance == Distance(meters: 0) && trip.isAtOwnStop)
        #expect(trip.hidden.isDisjoint(with: [.remainingDistance, .estimatedArrival, .estimatedCompletion]))
        // The way to the next stop is unknown.
        #expect(try Self.trip(trips, "s-2", at: 150).remainingDistance == nil)
    }

    @Test(arguments: Form.allCases)
    func `the log of a tour is exported for Fleet Debugger as it is`(_ form: Form) throws {
        let lines = Self.tour(form).map { Self.entry(form, $0.0, at: $0.1, response: $0.2) }
        let log = #"{"solutionType":"LMFS","rawLogs":[\#(lines.joined(separator: ","))]}"#
        let session = try RecordedSession(bytes: Array(log.utf8))
        let file = try session.export(with: FleetDebuggerExport(session))
        let values = try [Array(log.utf8), file].map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? NSDictionary)
        }
        #expect(values[0] == values[1])
    }

    @Test func `another task with the same tracking ID is followed on`() throws {
        let again = Self.task(9).replacing("\"s-9\"", with: "\"s-2\"")
        let trips = try Self.trips(.archive, Self.tour(.archive) + [("CreateTask", 600, again)])
        let trip = try Self.trip(trips, "s-2", at: 700)
        #expect(trip.status == .shipment(.open) && trip.dropoff?.longitude == 9)
    }

    @Test func `tasks that were created together are read, and calls without an answer change nothing`() throws {
        let batch = #"{"tasks":[\#(Self.task(1)),\#(Self.task(2))]}"#
        let trips = try Self.trips(
            .archive,
            [
                ("BatchCreateTasks", 1, batch), ("ListTasks", 2, batch), ("DeleteTask", 3, "{}"),
                ("UpdateTask", 4, "null"),
            ]
        )
        #expect(trips.timelines.map(\.id.rawValue) == ["s-1", "s-2"])
        #expect(trips.timelines.allSatisfy { $0.snapshots.count == 1 })
    }

    @Test func `an entry that changes nothing for a recipient adds no state`() throws {
        let reports = (0..<50).map {
            ("UpdateDeliveryVehicle", 100 + Double($0) / 100, Self.van(.archive, at: Array(1...8)))
        }
        let trips = try Self.trips(.archive, (1...8).map { ("CreateTask", Double($0), Self.task($0)) } + reports)
        let far = try #require(trips.timelines.first { $0.id.rawValue == "s-8" })
        #expect(far.snapshots.count == 1, "six stops before are hidden, whatever the vehicle reports")
    }

    @Test func `a log of trips and deliveries has both`() throws {
        let trip = #"{"name":"providers/p/trips/s-1","tripStatus":"NEW"}"#
        let trips = try Self.trips(.archive, [("CreateTrip", 1, trip), ("CreateTask", 2, Self.task(1))])
        #expect(trips.timelines.map(\.id.name) == ["s-1", "taskTrackingInfo/s-1"])
    }

    @Test func `a shifted log retains the distances of all times`() throws {
        let trips = try Self.trips(.archive, Self.tour(.archive))
        let shifted = trips.shifted(to: trips.start + 1000)
        let (before, after) = (try Self.trip(trips, "s-2", at: 150), try Self.trip(shifted, "s-2", at: 1150))
        #expect(after.etaToFirstWaypoint == before.etaToFirstWaypoint.map { $0 + 1000 })
        #expect(after.shipment?.estimatedCompletion == before.shipment?.estimatedCompletion.map { $0 + 1000 })
    }

    @Test func `a growing log shows the same as the whole one`() throws {
        let entries = Self.tour(.logging).map {
            Self.entry(.logging, $0.0, at: $0.1, response: $0.2).replacing("\n", with: "")
        }
        var live = LiveLog(trips: [])
        for line in entries {
            _ = live.handle(Array((line + "\n").utf8)) {
                Moment(wall: $0, steady: .seconds($0.timeIntervalSince(Self.start)))
            }
        }
        #expect(Set(live.trips.map(\.rawValue)) == Set((1...8).map { "s-\($0)" }))
        #expect(live.failure == nil)
    }

    @Test func `a late entry of a growing log closes no task`() throws {
        func line(_ call: String, _ second: Double, _ response: String) -> [UInt8] {
            Array((Self.entry(.archive, call, at: second, response: response).replacing("\n", with: "") + "\n").utf8)
        }
        var live = LiveLog(trips: [])
        var last: [FeedEvent] = []
        for (call, second, response) in [
            ("CreateTask", 1.0, Self.task(1)), ("CreateTask", 2, Self.task(2)),
            ("UpdateDeliveryVehicle", 20, Self.van(.archive, at: [1, 2])),
            ("UpdateDeliveryVehicle", 10, Self.van(.archive, at: [1])),
        ] {
            for item in live.handle(line(call, second, response), now: { Moment(wall: $0, steady: .zero) }) {
                if case .step(let step) = item { last += step.events }
            }
        }
        let statuses = last.compactMap { event in
            if case .polled(_, let state, _) = event { state.journey?.status } else { nil }
        }
        #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == .shipment(.open) })
    }

    @Test func `garbled deliveries are read as far as they can be`() throws {
        var random = SeededGenerator(seed: 3)
        let lines = Self.tour(.archive).map { Self.entry(.archive, $0.0, at: $0.1, response: $0.2) }
        for _ in 0..<300 {
            var text = Array(lines.joined(separator: "\n").utf8)
            for _ in 0..<20 {
                text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            }
            // Any bytes give a recording or an error.
            _ = try? RecordedTrips(bytes: text)
        }
    }
}
