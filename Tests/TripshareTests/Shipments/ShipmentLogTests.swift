import Foundation
import Testing
import TripTestSupport

/// `watch --log` with the calls of a backend and a van: what the recipient of a shipment could see.
@Suite("A log of shipments", .ends(within: .longTest))
struct ShipmentLogTests {
    /// A task, a van with one stop before that of the task, the same van without it, and the hand-over.
    private static let calls: [String] = {
        func place(_ latitude: Double) -> String {
            #""plannedLocation":{"point":{"latitude":\#(latitude),"longitude":4}}"#
        }
        func task(_ state: String) -> String {
            let names = #""name":"providers/p/tasks/t","type":"DELIVERY","trackingId":"s""#
            return #"{\#(names),"state":"\#(state)",\#(place(51))"#
        }
        func stop(_ latitude: Double, _ task: String, _ state: String, _ drive: Int) -> String {
            let stop = #"{\#(place(latitude)),"tasks":[{"taskId":"\#(task)"}],"state":"\#(state)"}"#
            return #"{"stop":\#(stop),"drivingDuration":"\#(drive)s"}"#
        }
        func van(_ second: String, _ stops: String...) -> String {
            let point = #"{"latitude":51.02,"longitude":4}"#
            let location = #"{"location":\#(point),"serverTime":"2026-01-01T00:00:\#(second)Z"}"#
            return #"{"name":"providers/p/deliveryVehicles/v","lastLocation":\#(location),"#
                + #""remainingVehicleJourneySegments":[\#(stops.joined(separator: ","))]}"#
        }
        func entry(_ second: String, _ call: String, _ response: String) -> String {
            #"{"serverTime":"2026-01-01T00:00:\#(second)Z","\#(call)":{"request":{},"response":\#(response)}}"#
        }
        let outcome = #","taskOutcome":"SUCCEEDED","taskOutcomeTime":"2026-01-01T00:00:49Z"}"#
        let first = van("09", stop(51.01, "u", "ENROUTE", 60), stop(51, "t", "NEW", 120))
        return [
            entry("00", "createTask", task("OPEN") + "}"),
            entry("09", "updateDeliveryVehicle", first),
            entry("40", "updateDeliveryVehicle", van("40", stop(51, "t", "ENROUTE", 120))),
            entry("50", "updateTask", task("CLOSED") + outcome),
        ]
    }()

    private static func run(_ arguments: [String], _ calls: [String], expect: String = "") async throws -> Program.Run {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log.json")
            try Data(#"{"rawLogs":[\#(calls.joined(separator: ","))]}"#.utf8).write(to: file)
            let expectations = folder.appending(path: "expect.yaml")
            try Data(expect.utf8).write(to: expectations)
            let flags = expect.isEmpty ? [] : ["--expect", expectations.path]
            return try await Program.run(["watch", "--log", file.path] + arguments + flags)
        }
    }

    private static func watch(_ arguments: String..., calls: [String] = calls) async throws -> Program.Run {
        let run = try await run(arguments, calls)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return run
    }

    private static func objects(_ run: Program.Run) throws -> [[String: Any]] {
        try run.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `sentences say what each call changed, at the time of the call`() async throws {
        let lines = try await Self.watch("--output", "plain").lines
        for line in [
            "00:00:09  s: On the way, 1 stop before yours, expected at 00:03:09.",
            "00:00:40  s: You are the next stop, expected at 00:02:40.", "00:00:50  s: Handed over.",
        ] {
            #expect(lines.contains(line), "\(lines)")
        }
    }

    @Test func `JSON has the shipment after each call, and no poll and no sides`() async throws {
        let objects = try Self.objects(try await Self.watch("--output", "json"))
        let states = objects.filter { $0["type"] as? String == "trip" }
        #expect(states.allSatisfy { $0["trip"] as? String == "taskTrackingInfo/s" })
        #expect(
            states.compactMap { $0["time"] as? String } == ["00", "09", "40", "50"].map { "2026-01-01T00:00:\($0)Z" }
        )
        #expect(states.compactMap { $0["status"] as? String } == ["OPEN", "OPEN", "OPEN", "SUCCEEDED"])
        let shipments = states.compactMap { $0["shipment"] as? [String: Any] }
        #expect(shipments.compactMap { $0["stopsLeft"] as? Int } == [2, 1])
        #expect(states.compactMap { $0["eta"] as? String } == ["2026-01-01T00:03:09Z", "2026-01-01T00:02:40Z"])
        let types = Set(objects.compactMap { $0["type"] as? String })
        #expect(types.isDisjoint(with: ["poll", "side", "sides"]), "\(types)")
        #expect(objects.last?["outcome"] as? String == "log_ended")
    }

    @Test func `with --once, sentences and JSON have the last state`() async throws {
        let plain = try await Self.watch("--output", "plain", "--once", calls: Array(Self.calls.dropLast()))
        #expect(plain.lines.first == "s", "\(plain.output)")
        #expect(plain.output.contains("  You are the next stop, expected at 00:02:40 ("), "\(plain.output)")
        let objects = try Self.objects(try await Self.watch("--output", "json", "--once"))
        #expect(objects.compactMap { $0["type"] as? String } == ["trip", "end"], "\(objects)")
        #expect(objects.first?["status"] as? String == "SUCCEEDED")
        #expect((objects.first?["shipment"] as? [String: Any])?["outcome"] as? String == "SUCCEEDED")
    }

    @Test(arguments: ["polls <= 4", "failures == 0", "failures.403 == 0"])
    func `the number of calls that the log does not have passes no check`(_ check: String) async throws {
        let expect = "expect:\n  - {name: Calls, check: \(check), always: true, trips: all}\n"
        let run = try await Self.run(["--output", "plain"], Self.calls, expect: expect)
        #expect(run.status == 1 && !run.output.contains("Expectation passed"), "\(run.output) \(run.errors)")
    }
}
