import Failures
import FleetEmulator
import FleetWire
import Foundation
import Recording
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Random deliveries: the log of servers and drivers shows what each recipient got.
///
/// The truth are the answers of the emulator to recipients, which the log does not contain here.
@Suite("Log of deliveries", .ends(within: .quickTest))
struct DeliveryCallLogTests {
    /// What a recipient got at a time.
    private struct Answer {
        var time: Date
        var journey: Journey
    }

    private static let tasks = 1...5

    private static func place(_ number: Int) -> String {
        "{\"point\":{\"latitude\":51.05,\"longitude\":\(3.7 + Double(number) / 100)}}"
    }

    /// Whether two times are the same but for the milliseconds to which the durations in their sums are rounded.
    private static func areClose(_ one: Date?, _ other: Date?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one.timeIntervalSince(other)) < 0.005
    }

    /// Sends a random call of the server or the driver.
    private static func change(_ scene: LoggedScene, _ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let task = Int.random(in: tasks, using: &random)
            let outcome = Bool.random(using: &random) ? "SUCCEEDED" : "FAILED"
            try await scene.call("PATCH", "tasks/t-\(task)?updateMask=taskOutcome", "{\"taskOutcome\":\"\(outcome)\"}")
        case 1, 2, 3:
            let stops = tasks.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
            let first = ["NEW", "ENROUTE", "ARRIVED"].randomElement(using: &random) ?? ""
            let segments = stops.enumerated().map { index, task in
                """
                {"drivingDistanceMeters":500,"drivingDuration":"60s","stop":{"state":"\(index == 0 ? first : "NEW")",
                "plannedLocation":\(place(task)),"tasks":[{"taskId":"t-\(task)"}]}}
                """
            }
            try await scene.call(
                "PATCH",
                "deliveryVehicles/van?updateMask=remainingVehicleJourneySegments",
                "{\"remainingVehicleJourneySegments\":[\(segments.joined(separator: ","))]}"
            )
        case 4:
            let task = Int.random(in: tasks, using: &random)
            let view = "{\"taskTrackingViewConfig\":{\"remainingStopCountVisibility\":{\"always\":true}}}"
            try await scene.call("PATCH", "tasks/t-\(task)?updateMask=taskTrackingViewConfig", view)
        default:
            let time = Timestamp.text(scene.clock.now().wall)
            let longitude = Double.random(in: 3.7...3.75, using: &random)
            try await scene.call(
                "PATCH",
                "deliveryVehicles/van?updateMask=lastLocation,remainingDistanceMeters,remainingDuration",
                """
                {"lastLocation":{"location":{"latitude":51.05,"longitude":\(longitude)},"updateTime":"\(time)"},
                "remainingDistanceMeters":300,"remainingDuration":"40s"}
                """
            )
        }
    }

    @Test(arguments: 0..<8)
    func `every recipient's answer can be computed from the calls of server and driver`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let scene = try await LoggedScene()
        try await scene.call("POST", "deliveryVehicles?deliveryVehicleId=van", "{}")
        for task in Self.tasks {
            try await scene.call(
                "POST",
                "tasks?taskId=t-\(task)",
                """
                {"type":"DELIVERY","state":"OPEN","trackingId":"s-\(task)","taskDuration":"60s",
                "plannedLocation":\(Self.place(task))}
                """
            )
        }
        var answers: [Answer] = []
        for _ in 0..<40 {
            scene.clock.advance(by: .seconds(Int.random(in: 1...90, using: &random)))
            try await Self.change(scene, &random)
            for task in Self.tasks {
                let answer = try await scene.call("GET", "taskTrackingInfo/s-\(task)")
                #expect(answer.status == 200)
                let info = try TaskTrackingCoding.decode(answer.body)
                answers.append(Answer(time: scene.clock.now().wall, journey: .shipment(info)))
            }
        }
        let recorded = try RecordedTrips(bytes: scene.log(without: ["GetTaskTrackingInfo"]))
        #expect(recorded.timelines.count == Self.tasks.count)
        for answer in answers {
            let timeline = try #require(recorded.timelines.first { $0.id == answer.journey.id })
            let shown = try #require(timeline.snapshot(at: answer.time)).journey
            let place = "seed \(seed), \(answer.journey.id.name) at \(Timestamp.text(answer.time))"
            #expect(shown.status == answer.journey.status, "\(place)")
            #expect(shown.shipment?.remainingStopCount == answer.journey.shipment?.remainingStopCount, "\(place)")
            #expect(shown.shipment?.state == answer.journey.shipment?.state, "\(place)")
            #expect(
                Self.areClose(shown.shipment?.estimatedCompletion, answer.journey.shipment?.estimatedCompletion),
                "\(place)"
            )
            #expect(shown.hidden == answer.journey.hidden, "\(place)")
            // Each segment of a log has whole meters.
            let distances = [shown, answer.journey].map { $0.remainingDistance?.meters ?? -100 }
            #expect(abs(distances[0] - distances[1]) <= Double(Self.tasks.count), "\(place)")
            #expect(Self.areClose(shown.etaToFirstWaypoint, answer.journey.etaToFirstWaypoint), "\(place)")
            #expect(shown.lastLocation?.coordinate == answer.journey.lastLocation?.coordinate, "\(place)")
            #expect(shown.route?.points == answer.journey.route?.points, "\(place)")
        }
    }
}
