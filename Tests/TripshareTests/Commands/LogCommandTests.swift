import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// `watch --log` with the real program, through a pipe.
@Suite("Following a log", .ends(within: .longTest))
struct LogCommandTests {
    /// Runs the program behind a command whose output is the log.
    private func pipe(
        _ producer: String,
        _ arguments: String,
        files: [String: String] = [:]
    ) async throws -> Program.Run {
        try await Program.withFolder { folder in
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let command = "cd '\(folder.path)' && \(producer) | '\(Program.path)' watch --log - \(arguments)"
            return try await Program.run(executable: "/bin/sh", ["-c", command])
        }
    }

    private func objects(_ run: Program.Run) throws -> [[String: Any]] {
        try run.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// A ride in which the rider gets an old answer, and driver and rider are refused.
    static let ride: [String] = {
        func location(_ latitude: Double, _ second: Int) -> String {
            let place = #"{"latitude":\#(latitude),"longitude":-122.1}"#
            return #""lastLocation":{"location":\#(place),"serverTime":"2026-01-01T00:00:\#(second)Z","speed":9}"#
        }
        func entry(_ call: String, _ second: Int, _ request: String, _ answer: String) -> String {
            let type = #""@type":"type.googleapis.com/maps.fleetengine.v1.\#(call)Log""#
            let payload = #"{\#(type),"request":\#(request),\#(answer)}"#
            return #"{"insertId":"i\#(second)","jsonPayload":\#(payload),"resource":{"labels":{"resource_container":"#
                + #""projects/acme"},"type":"fleetengine.googleapis.com/Fleet"},"timestamp":"2026-01-01T00:00:\#(second)Z"}"#
        }
        let trip = #"{"tripId":"ride-1"}"#
        let vehicle = #"{"vehicleId":"car-1","vehicle":{\#(location(37.35, 20))}}"#
        let name = #""name":"providers/acme/trips/ride-1""#
        let assigned = #""status":"TRIP_STATUS_ENROUTE_TO_PICKUP","vehicleId":"car-1""#
        let denied = #""errorResponse":{"code":"PERMISSION_DENIED","httpStatusCode":403,"message":"not yours"}"#
        return [
            entry("CreateTrip", 10, trip, #""response":{\#(name),"status":"TRIP_STATUS_NEW"}"#),
            entry("UpdateTrip", 12, trip, #""response":{\#(name),\#(assigned)}"#),
            entry("UpdateVehicle", 20, vehicle, #""response":{\#(location(37.35, 20)),"currentTrips":["ride-1"]}"#),
            entry("GetTrip", 25, trip, #""response":{\#(name),"status":"TRIP_STATUS_NEW",\#(location(37.34, 11))}"#),
            entry("GetTrip", 30, trip, denied),
            entry("UpdateVehicle", 31, vehicle, denied),
        ]
    }()

    private static var lines: String { ride.joined(separator: "\n") + "\n" }

    @Test func `shows each call, the differences and the causes of errors as sentences`() async throws {
        let run = try await pipe("cat log", "--output plain ride-1", files: ["log": Self.lines])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.contains("Driver: UpdateVehicle, car-1, 37.35000, -122.10000, 32 km/h"))
        #expect(run.output.contains("Server: UpdateTrip, ENROUTE_TO_PICKUP, car-1"))
        #expect(run.output.contains("The rider got NEW although the trip is ENROUTE_TO_PICKUP."))
        #expect(run.output.contains("The rider got a position 9 s older than the driver's last report."))
        #expect(run.output.contains("Rider: GetTrip was rejected with 403 PERMISSION_DENIED (‘not yours’)"))
        #expect(run.output.contains("Driver: UpdateVehicle was rejected with 403"))
        #expect(run.output.contains("lacks the driver role"))
    }

    @Test(arguments: ["plain", "json"])
    func `a summary has the trips whose calls were all refused`(_ form: String) async throws {
        let refused = Self.ride[4].replacing("GetTrip", with: "CreateTrip").replacing("ride-1", with: "ride-2")
            .replacing("i30", with: "i29")
        let run = try await pipe("cat log", "--output \(form) --once", files: ["log": refused + "\n" + Self.lines])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("ride-1") && run.output.contains("ride-2"), "\(run.output)")
        #expect(run.output.contains("not yours"), "\(run.output)")
    }

    @Test func `counts the rider's calls, and leaves undecided what a log can't measure`() async throws {
        let call = Self.ride[3]
        let calls = (40..<49).map { call.replacing("i25", with: "i\($0)").replacing(":25Z\"}", with: ":\($0)Z\"}") }
        let log = (Self.ride.prefix(3) + calls).joined(separator: "\n") + "\n"
        func run(_ yaml: String) async throws -> Program.Run {
            try await pipe("cat log", "--output json --expect e.yaml ride-1", files: ["log": log, "e.yaml": yaml])
        }
        let few = try await run("expect:\n  - {check: polls <= 4, always: true}\n  - {check: polls == 9}\n")
        #expect(few.status == 1, "\(few.output) \(few.errors)")
        let outcomes = try objects(few).filter { $0["type"] as? String == "expectation" }
            .compactMap { $0["outcome"] as? String }
        #expect(outcomes.sorted() == ["failed", "passed"], "\(few.output)")
        let own = try await run(
            "expect:\n  - {check: latency.max < 5 s, always: true}\n  - {check: token.fetches < 9}\n"
        )
        #expect(own.status == 1 && own.errors.contains("a log has no values of latency.max"), "\(own.errors)")
        let undecided = try objects(own).filter { $0["outcome"] as? String == "undecided" }
        #expect(undecided.count == 2, "\(own.output)")
    }

    @Test func `judges expectations by the times of the log`() async throws {
        let yaml = """
            expect:
              - {name: Found, status: ENROUTE_TO_PICKUP, within: 2}
              - {name: Too fast, status: ENROUTE_TO_PICKUP, within: 1}
              - {name: Young, check: position-age < 40, always: true}
              - {name: Faster, check: speed > 20, always: true, after: ENROUTE_TO_PICKUP}
              - {name: Not red, check: "vehicle != car-red", always: true, trips: all}
            """
        let files = ["log": Self.lines, "expect.yaml": yaml]
        let run = try await pipe("cat log", "--output plain --expect expect.yaml --report r.json ride-1", files: files)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.output.contains("Expectation passed: Found"), "\(run.output)")
        #expect(run.output.contains("Expectation failed: Too fast"), "\(run.output)")
        #expect(run.output.contains("Expectation passed: Not red (ride-1)"), "\(run.output)")
        let slow = "Faster (not true: speed: 9 m/s, expected > 20 m/s: at poll 3, 00:00:20)"
        #expect(run.output.contains("Expectation failed: \(slow)"), "\(run.output)")
        #expect(run.output.contains("Expectation passed: Young"), "\(run.output)")
        let lines = try await pipe("cat log", "--output json --expect expect.yaml ride-1", files: files)
        #expect(lines.status == 1 && lines.output.split(separator: "\n").count { $0.contains("\"expectation\"") } == 5)
    }

    @Test func `the manual has every key of its JSON lines`() async throws {
        let manual = try String(
            contentsOf: Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/JSONOutput.md"),
            encoding: .utf8
        )
        for flags in ["--output json", "--output json --once"] {
            let run = try await pipe("cat log", flags, files: ["log": Self.lines])
            #expect(run.status == 0, "\(run.errors)")
            let objects = try objects(run)
            var keys: Set<String> = []
            func collect(_ value: Any) {
                guard let object = value as? [String: Any] else {
                    (value as? [Any])?.forEach(collect)
                    return
                }
                for (key, value) in object {
                    keys.insert(key)
                    collect(value)
                }
            }
            objects.forEach(collect)
            for key in keys { #expect(manual.contains("`\(key)`"), "\(key) is missing") }
            for type in Set(objects.compactMap { $0["type"] as? String }) { #expect(manual.contains("| `\(type)` |")) }
            #expect(objects.last?["outcome"] as? String == "log_ended")
        }
    }

    @Test func `reads lists over several lines, and goes on after damaged lines with one message`() async throws {
        let pretty = Self.ride.joined(separator: ",\n").replacing("{", with: "{\n    ")
        let list = "[\n  " + pretty.replacing(",\n{", with: ",\n  {") + "\n]\n"
        let run = try await pipe("cat log", "--output json", files: ["log": list])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try objects(run).count { $0["type"] as? String == "side" } == Self.ride.count)
        let damaged = "hello\n" + Self.ride.joined(separator: "\n{\"torn\n") + "\n\u{0}\n"
        let second = try await pipe("cat log", "--output json", files: ["log": damaged])
        #expect(second.status == 0)
        #expect(try objects(second).count { $0["type"] as? String == "side" } == Self.ride.count)
        let messages = second.errors.split(separator: "\n")
        #expect(messages.count == 2, "\(second.errors)")
        #expect(second.errors.contains("Line 1 of the log") && second.errors.contains("7 lines"), "\(second.errors)")
    }

    @Test func `ends with the status, without it, without the trip and without entries`() async throws {
        let files = ["log": Self.lines, "none": "{\"a\":1}\n"]
        let reached = try await pipe("cat log", "--output json --until ENROUTE_TO_PICKUP", files: files)
        #expect(reached.status == 0, "\(reached.errors)")
        #expect(try objects(reached).last?["outcome"] as? String == "reached")
        let missed = try await pipe("cat log", "--output json --until COMPLETE ride-1", files: files)
        #expect(missed.status == 1)
        let other = try await pipe("cat log", "--output json ride-2", files: files)
        #expect(other.status == 66 && other.errors.contains("ride-2"))
        let none = try await pipe("cat none", "--output plain", files: files)
        #expect(none.status == 65)
        let folder = try await Program.run(["watch", "--log", "/", "--output", "plain"])
        #expect(folder.status == 66)
        let polls = try await Program.run(["watch", "--log", "-", "--interval", "5", "--output", "plain"])
        #expect(polls.status == 64)
    }

    @Test func `orders a file by time, and says how many entries of a pipe came late`() async throws {
        let updates = (0..<9).map { second in
            let entry = Self.ride[2].replacing("\"i20\"", with: "\"u\(second)\"")
            return entry.replacing("00:00:20Z\"}", with: "00:00:2\(second)Z\"}")
        }
        let newestFirst = (Self.ride.prefix(2) + updates).reversed().joined(separator: "\n")
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log")
            try Data(newestFirst.utf8).write(to: file)
            let run = try await Program.run(["watch", "--log", file.path, "--output", "json"])
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try objects(run).count { $0["type"] as? String == "side" } == 11)
        }
        let piped = try await pipe("cat log", "--output json", files: ["log": newestFirst])
        #expect(
            piped.status == 0 && piped.errors.contains("10 entries of the log came after newer ones"),
            "\(piped.errors)"
        )
    }

    @Test func `every command reads a damaged log, says what it skipped, and refuses one without trips and shipments`()
        async throws
    {
        try await Program.withFolder { folder in
            let log = folder.appending(path: "log").path
            let text = Self.ride.reversed().joined(separator: "\n") + "\n{\"torn\": \"" + "\n\u{0}\n"
            try Data(text.utf8).write(to: URL(filePath: log))
            let deliveries = folder.appending(path: "deliveries").path
            let delivery = Self.ride.map { $0.replacing("UpdateVehicle", with: "UpdateDeliveryVehicle") }[2]
            try Data(delivery.utf8).write(to: URL(filePath: deliveries))
            for arguments in [
                ["watch", "--output", "json", "--log"], ["replay", "--output", "json", "--speed", "600"],
                ["export", "--format", "geojson"], ["compare", log],
                ["demo", "--output", "json", "--once", "--recording"],
            ] {
                let run = try await Program.run(arguments + [log])
                #expect(run.status == 0, "\(arguments): \(run.errors)")
                #expect(
                    run.errors.contains("2 lines of") && run.errors.contains("line 7"),
                    "\(arguments): \(run.errors)"
                )
                let refused = try await Program.run(arguments + [deliveries])
                #expect(refused.status == 65, "\(arguments): \(refused.errors)")
                #expect(refused.errors.contains("no trip and no shipment"), "\(arguments): \(refused.errors)")
            }
        }
    }

    @Test func `every command reads a packed log, and refuses an archive of none`() async throws {
        try await Program.withFolder { folder in
            let log = folder.appending(path: "log")
            try Data(Self.ride.joined(separator: "\n").utf8).write(to: log)
            let packing = try await Program.run(executable: "/bin/gzip", ["-k", log.path])
            #expect(packing.status == 0, "\(packing.errors)")
            // The directory of an archive without files, which PKWARE's APPNOTE.TXT ends after 22 bytes.
            let empty = folder.appending(path: "empty.zip")
            try Data([0x50, 0x4B, 3, 4] + [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)).write(to: empty)
            for arguments in [
                ["watch", "--output", "json", "--log"], ["replay", "--output", "json", "--speed", "600"],
                ["export", "--format", "geojson"], ["compare", log.path],
                ["demo", "--output", "json", "--once", "--recording"],
            ] {
                let run = try await Program.run(arguments + [log.path + ".gz"])
                #expect(run.status == 0 && run.errors.isEmpty, "\(arguments): \(run.errors)")
                let refused = try await Program.run(arguments + [empty.path])
                #expect(refused.status == 65 && refused.errors.contains("ZIP"), "\(arguments): \(refused.errors)")
            }
        }
    }

    @Test func `every command reads a log of deliveries`() async throws {
        let place = #""plannedLocation":{"point":{"latitude":51,"longitude":4}}"#
        let task = #"{"name":"providers/p/tasks/t","type":"DELIVERY","state":"OPEN","trackingId":"s",\#(place)}"#
        let stop = #"{"stop":{\#(place),"tasks":[{"taskId":"t"}],"state":"ENROUTE"},"drivingDuration":"60s"}"#
        let vehicle = #"{"name":"providers/p/deliveryVehicles/v","remainingVehicleJourneySegments":[\#(stop)]}"#
        let log = """
            {"rawLogs":[{"serverTime":"2026-01-01T00:00:00Z","createTask":{"request":{},"response":\(task)}},
            {"serverTime":"2026-01-01T00:00:09Z","updateDeliveryVehicle":{"request":{},"response":\(vehicle)}}]}
            """
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log.json")
            try Data(log.utf8).write(to: file)
            for arguments in [
                ["watch", "--output", "json", "--log"], ["replay", "--output", "json", "--speed", "600"],
                ["demo", "--output", "json", "--once", "--recording"],
            ] {
                let run = try await Program.run(arguments + [file.path])
                #expect(run.status == 0, "\(arguments): \(run.errors)")
                #expect(run.output.contains(#""taskTrackingInfo/s""#), "\(arguments): \(run.output)")
                #expect(!run.output.contains(#""trip":"s""#), "\(arguments): \(run.output)")
            }
            let map = try await Program.run(["export", "--format", "geojson", file.path])
            #expect(map.status == 0 && map.output.contains("FeatureCollection"), "\(map.errors)")
            let same = try await Program.run(["compare", file.path, file.path])
            #expect(same.status == 0, "\(same.errors)")
        }
    }

    @Test func `a closed pipe behind it ends it silently`() async throws {
        let many = (0..<2000).map { number in
            Self.ride[2].replacing("\"i20\"", with: "\"i\(number)\"")
        }
        let run = try await pipe("cat log", "--output plain | head -n 1", files: ["log": many.joined(separator: "\n")])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.lines.count == 1)
    }

    @Test func `shows an entry before the log goes on`() async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appending(path: "log")
            #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
            let running = try Program.start(["watch", "--log", pipe.path, "--output", "plain"], in: folder)
            // Opening a pipe for reading and writing does not wait for the program.
            let writer = FileHandle(fileDescriptor: unsafe open(pipe.path, O_RDWR), closeOnDealloc: true)
            try writer.write(contentsOf: Data((Self.ride[0] + "\n" + Self.ride[1].prefix(100)).utf8))
            try await running.outputs("CreateTrip")
            try writer.write(contentsOf: Data((Self.ride[1].dropFirst(100) + "\n").utf8))
            try await running.outputs("UpdateTrip")
            running.interrupt()
            #expect(try await running.result().status == 130)
        }
    }

    @Test func `shows the sides on the screen, with keys from the terminal`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log")
            try Data(Self.lines.utf8).write(to: file)
            let command = "cat '\(file.path)' | '\(Program.path)' watch --log -"
            try await PseudoTerminal.run(["/bin/sh", "-c", command], width: 120, height: 40) { terminal in
                try await terminal.wait(for: "The log has ended")
                try await terminal.wait(for: "The rider got NEW although")
                let before = terminal.count
                terminal.send("7")
                try await terminal.wait(for: "GetTrip was rejected", after: before)
                terminal.send("q")
                #expect(try await terminal.end() == .exited(0))
                #expect(terminal.hasItsModes)
            }
        }
    }

    @Test func `lists several trips to choose from`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "script")
            let script = "wait ride-2\nwait Trips\nkey Down\nkey Enter\nwait UpdateVehicle\ndump screen\n"
            try Data(script.utf8).write(to: file)
            let second = Self.ride.map { $0.replacing("ride-1", with: "ride-2").replacing("\"i", with: "\"j") }
            let log = folder.appending(path: "log")
            try Data((Self.lines + second.joined(separator: "\n")).utf8).write(to: log)
            let command = "cd '\(folder.path)' && '\(Program.path)' watch --log - --script script < log"
            let run = try await Program.run(executable: "/bin/sh", ["-c", command])
            #expect(run.status == 0, "\(run.errors)")
            let screen = try String(contentsOf: folder.appending(path: "screen"), encoding: .utf8)
            #expect(screen.contains("Driver") && screen.contains("ride-2"), "\(screen)")
        }
    }

    @Test func `never writes a token that the log has`() async throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJ4In0.c2lnbmF0dXJl"
        let lines = Self.lines.replacing("not yours", with: "bad token \(token)")
        for form in ["plain", "json", "json --once"] {
            let run = try await pipe("cat log", "--output \(form)", files: ["log": lines])
            #expect(run.status == 0)
            #expect(!run.output.contains("c2lnbmF0dXJl") && run.output.contains("bad token"))
        }
    }

    @Test(.enabled(if: Shared.isThere, Shared.why))
    func `follows a real log of 542 calls`() async throws {
        let file = Shared.recording
        let run = try await Program.run(
            executable: "/bin/sh",
            ["-c", "cat '\(file.path)' | '\(Program.path)' watch --log - --output json"]
        )
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let calls = try objects(run).filter { $0["type"] as? String == "side" }
        // The calls during the two trips; the vehicle also reports between them.
        #expect(calls.count { $0["side"] as? String == "server" } == 14)
        #expect(calls.count { $0["side"] as? String == "driver" } == 468)
        #expect(try objects(run).allSatisfy { $0["type"] as? String != "difference" })
    }
}
