import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Bad input", .ends(within: .longTest))
struct BadInputTests {
    @Test(
        arguments: [
            (["--frobnicate"], 64), (["watch"], 64), (["watch", "t"], 64),
            (["watch", "a:b", "--provider-id", "p"], 64),
            (["demo", "--speed", "0"], 64), (["demo", "--speed", "1000"], 64), (["demo", "--until", "SOMEDAY"], 64),
            (["demo", "--once", "--until", "COMPLETE"], 64), (["demo", "--timeout", "-1"], 64),
            (["demo", "--recording", "/no/such/file"], 66), (["watch", "--emulator", "/no/such/file"], 66),
            (["watch", "t", "--provider-id", "p", "--token-url", "http://backend.example/{tripId}"], 78),
            (["watch", "t", "--provider-id", "p", "--token-url", "backend"], 78),
            (
                [
                    "watch", "t", "--provider-id", "p", "--fleet-engine-url", "http://engine.example", "--token-url",
                    "https://b/{tripId}",
                ], 78
            ),
            (
                [
                    "watch", "t", "--provider-id", "p", "--fleet-engine-url", "nowhere", "--token-url",
                    "https://b/{tripId}",
                ], 78
            ),
            (["watch", "providers/q/trips/t", "--provider-id", "p"], 64),
            (["watch", "t", "--provider-id", "p", "--token-file", "/no/such", "--token-env", "X"], 64),
            (["watch", "t", "--provider-id", "p", "--once", "--token-file", "/no/such"], 78),
            (["watch", "t", "--provider-id", "p", "--once", "--token-env", "NO_SUCH_VARIABLE"], 78),
            (["watch", "t", "--provider-id", "p", "--once", "--token-command", "false"], 69),
            (["watch", "t", "--provider-id", "p", "--once", "--token-command", "/no/such/program"], 78),
            (["watch", "t", "--provider-id", "p", "--service-account", "/no/such"], 66),
            (["watch", "t", "--provider-id", "p", "--service-account", #filePath], 78),
            (["demo", "--tour", "--once"], 64),
            (["frobnicate"], 64), (["help", "nope"], 64), (["help", "token", "mnit"], 64),
            (["wacth", "t", "--provider-id", "p"], 64), (["watch", "t", "--quota", "0"], 64),
            (["demo", "--threshold", "offRoute"], 64), (["demo", "--threshold", "routeShare=2"], 64),
            (["emulate", "--token-key", "creationTimestamp"], 64), (["emulate", "--token-key", ""], 64),
            (["emulate", "--token-key", "a..b"], 64),
            (["emulate", "--token-key", "a", "--token-expiration-key", "a"], 64),
            (["emulate", "--token-key", "a", "--token-expiration-key", "a.b"], 64),
            (["emulate", "--grpc-port", "0", "--allow-host", "münchen"], 64),
            (["emulate", "--missing-token", "500"], 64),
        ] as [([String], Int32)]
    )
    func `prints a short message and returns its code`(arguments: [String], status: Int32) async throws {
        check(try await Program.runInProcess(arguments), status)
    }

    @Test(
        arguments: [
            (["--frobnicate"], 64), (["frobnicate"], 64), (["watch"], 64), (["emulate", "--host", "203.0.113.7"], 69),
            (["watch", "--emulator", "/no/such/file"], 66), (["demo", "--output", "tui"], 69),
            (["demo", "--tour"], 69),
            (["watch", "t", "--provider-id", "p", "--token-url", "backend"], 78),
        ] as [([String], Int32)]
    )
    func `the program exits with the code of its message`(arguments: [String], status: Int32) async throws {
        check(try await Program.run(arguments), status)
    }

    private func check(_ run: Program.Run, _ status: Int32) {
        #expect(run.status == status, "\(run.errors)")
        #expect(!run.errors.isEmpty)
        #expect(run.errors.split(separator: "\n").count <= (status == 64 ? 14 : 3))
    }

    @Test(
        arguments: [
            ["token", "inspect", "TOKEN"], ["token", "fetch", "TOKEN"], ["token", "TOKEN"], ["TOKEN"],
            ["watch", "t", "--provider-id", "p", "--token-env", "X", "--service-account", "TOKEN"],
            ["watch", "t", "--provider-id", "p", "--service-account", "TOKEN"], ["watch", "--emulator", "TOKEN"],
            ["token", "inspect", "--public-key", "TOKEN"],
            ["watch", "t", "--provider-id", "p", "--token-url", "TOKEN"],
            ["watch", "t", "--provider-id", "p", "--token-url", "https:/u:eyJhbGciOiJSUzI1NiJ9@b"],
        ]
    )
    func `no message repeats a token`(arguments: [String]) async throws {
        let token = FakeToken(.trip(try TripID("t")), issuedAt: Date()).text
        let run = try await Program.runInProcess(arguments.map { $0 == "TOKEN" ? token : $0 })
        #expect(run.status != 0)
        #expect(!(run.errors + run.output).contains("eyJ"), "\(run.errors)")
    }

    @Test func `no message repeats a header's value or the password of a URL`() async throws {
        for arguments in [
            ["--token-url", "https://b/{tripId}", "--token-header", "Authorization=Basic hunter2"],
            ["--token-url", "https://b/{tripId}", "--token-header", "X-Key:hunter2"],
            ["--token-url", "https://b/{tripId}", "--token-header", "X-Key:hunter2=5"],
            ["--token-url", "http://joe:hunter2@b.example/{tripId}"], ["--fleet-engine-url", "ftp://joe:hunter2@b/"],
        ] {
            let run = try await Program.runInProcess(["watch", "t", "--provider-id", "p"] + arguments)
            #expect(run.status == 64 || run.status == 78, "\(run.errors)")
            #expect(!run.errors.contains("hunter2"), "\(run.errors)")
        }
    }

    @Test(
        arguments: [
            ("", 65), ("   \n", 65), ("hello", 65), ("{\"a\":1}", 65), ("[1,2,3]", 65), ("{\"rawLogs\":[{\"ti", 65),
            ("{\"rawLogs\":[]}", 65), ("\u{0}\u{1}\u{2}", 65), (String(repeating: "[", count: 5000), 65),
        ] as [(String, Int32)]
    )
    func `reports a file that is not a recording`(content: String, status: Int32) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("recording.json")
            try Data(content.utf8).write(to: file)
            let run = try await Program.runInProcess(["demo", "--recording", file.path, "--output", "json"])
            #expect(run.status == status, "\(run.errors)")
            #expect(run.errors.contains("recording.json"))
        }
    }

    @Test(.enabled(if: Shared.isThere, Shared.why))
    func `reads a truncated log and says that a line was skipped`() async throws {
        try await Program.withFolder { folder in
            let whole = try Data(contentsOf: Shared.recording)
            let file = folder.appendingPathComponent("recording.json")
            try whole.prefix(whole.count / 2).write(to: file)
            let run = try await Program.runInProcess(["export", file.path, "--format", "geojson"])
            #expect(run.status == 0 && run.output.contains("FeatureCollection"))
            #expect(run.errors.contains(" was skipped: damaged") && !run.errors.contains("1 lines"), "\(run.errors)")
        }
    }

    @Test func `names the files that a command reads`() async throws {
        let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path
        let text = Checkout.folder.appending(path: "README.md").path
        let log = "Use a Cloud Logging export or a Fleet Debugger file"
        for (arguments, words) in [
            (
                ["demo", "--recording", ride],
                "it is a recording of tripshare, not the log of an on-demand trip.\n\(log)"
            ),
            (["demo", "--recording", text], log),
            (["verify", text], "Use a recording of watch or demo."),
            (["compare", text, ride], "Use a recording of tripshare, a Cloud Logging export"),
            (["replay", text], "Use a recording of tripshare, a Cloud Logging export"),
        ] {
            let run = try await Program.run(arguments)
            #expect(run.status == 65 && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func `promises no retry if it polls once`() async throws {
        for tokens in [CannedServer.Behaviour.hangUp, .send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")] {
            let run = try await watch(tokens: tokens)
            #expect(run.status == 69 && !run.output.isEmpty)
            #expect(!run.output.contains("automatically") && !run.errors.contains("automatically"), "\(run.output)")
        }
    }

    private func token(_ trip: String) throws -> String {
        FakeToken(.trip(try TripID(trip)), issuedAt: Date()).text
    }

    private func watch(
        tokens: CannedServer.Behaviour,
        engine: CannedServer.Behaviour = .hangUp
    ) async throws -> Program.Run {
        try await CannedServer.run(engine) { engine in
            try await CannedServer.run(tokens) { tokens in
                try await Program.runInProcess([
                    "watch", "tr-1", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(engine.port)",
                    "--token-url", "http://127.0.0.1:\(tokens.port)/{tripId}", "--once",
                ])
            }
        }
    }

    @Test func `reports a token endpoint that is down or not a token endpoint`() async throws {
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"
        let object = "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"token\":\"abc\"}"
        #expect(try await watch(tokens: .hangUp).status == 69)
        #expect(try await watch(tokens: .send(page)).status == 78)
        #expect(try await watch(tokens: .send(object)).status == 78)
        #expect(try await watch(tokens: .send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")).status == 66)
        #expect(try await watch(tokens: .send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")).status == 69)
    }

    @Test func `refuses a token for another trip before sending it`() async throws {
        let token = try token("another")
        let answer = #"{"jwt":"\#(token)"}"#
        let run = try await watch(
            tokens: .send("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)"),
            engine: .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        )
        #expect(run.status == 77)
        #expect(!run.errors.contains(token) && !run.output.contains(token))
    }

    @Test func `reports a Fleet Engine that is down or not a Fleet Engine`() async throws {
        let answer = #"{"jwt":"\#(try token("tr-1"))"}"#
        let tokens = CannedServer.Behaviour.send(
            "HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)"
        )
        let page = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"
        let denied = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
        #expect(try await watch(tokens: tokens, engine: .hangUp).status == 69)
        #expect(try await watch(tokens: tokens, engine: .send(page)).status == 69)
        #expect(try await watch(tokens: tokens, engine: .send(denied)).status == 77)
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"name\""
        #expect(try await watch(tokens: tokens, engine: .send(cut)).status == 69)
    }

    @Test func `sanitizes hostile text before it reaches the terminal`() async throws {
        let answer = #"{"jwt":"\#(try token("tr-1"))"}"#
        let body = #"{"error":{"code":400,"message":"\u001b[2Jboo\u0007","status":"INVALID_ARGUMENT"}}"#
        let run = try await watch(
            tokens: .send("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)"),
            engine: .send("HTTP/1.1 400 Bad\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        )
        #expect(run.status == 78)
        #expect(!(run.errors + run.output).contains("\u{1B}") && !(run.errors + run.output).contains("\u{7}"))
    }

    @Test func `reports a broken configuration file`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data("{".utf8).write(to: file)
            let run = try await Program.runInProcess(
                ["watch", "t", "--provider-id", "p"],
                environment: ["TRIPSHARE_CONFIG": file.path]
            )
            #expect(run.status == 78)
            #expect(run.errors.contains("config.json"))
        }
    }

    @Test func `reads a configuration file with a byte order mark`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data("\u{FEFF}{\"lang\": \"de\"}".utf8).write(to: file)
            let run = try await Program.runInProcess(["watch", "t"], environment: ["TRIPSHARE_CONFIG": file.path])
            #expect(run.errors.contains("kein Google-Cloud-Projekt"), "\(run.errors)")
        }
    }

    @Test func `reports an interval that is not a number, from a variable or a file`() async throws {
        let watch = ["watch", "t", "--provider-id", "p", "--token-env", "NONE"]
        let variable = try await Program.runInProcess(watch, environment: ["TRIPSHARE_INTERVAL": "abc"])
        #expect(variable.status == 78 && variable.errors.contains("abc"), "\(variable.errors)")
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data(#"{"interval":"often"}"#.utf8).write(to: file)
            let run = try await Program.runInProcess(watch, environment: ["TRIPSHARE_CONFIG": file.path])
            #expect(run.status == 78 && run.errors.contains("often"), "\(run.errors)")
        }
    }

    @Test func `reports a folder instead of a file, a quoted number and two keys for one role`() async throws {
        try await Program.withFolder { folder in
            let recording = try await Program.runInProcess(["demo", "--recording", folder.path, "--output", "json"])
            #expect(recording.status == 65 && recording.errors.contains("is a folder"), "\(recording.errors)")
            let file = folder.appendingPathComponent("config.json")
            try Data(#"{"interval":"5"}"#.utf8).write(to: file)
            let config = try await Program.runInProcess(["watch", "t"], environment: ["TRIPSHARE_CONFIG": file.path])
            #expect(config.status == 78 && config.errors.contains("without quotation marks"), "\(config.errors)")
            let other = try await Program.runInProcess(["watch", "t"], environment: ["TRIPSHARE_CONFIG": folder.path])
            #expect(other.status == 78 && other.errors.contains("can't be read"), "\(other.errors)")
            let key = folder.appendingPathComponent("key.json")
            try Data(#"{"client_email":"a@b","private_key_id":"1","private_key":"x"}"#.utf8).write(to: key)
            let emulate = try await Program.runInProcess([
                "emulate", "--account", "driver=\(key.path)", "--account", "driver=\(key.path)",
            ])
            #expect(emulate.status == 64 && emulate.errors.contains("driver"), "\(emulate.errors)")
        }
    }

    @Test func `a trip ended by another client does not count as a configuration error`() {
        let ended = DriverError.refused(call: "UpdateTrip", httpStatus: 400, message: nil)
        #expect(DriveCommand.failure(ended).status == .badInput)
        let vehicle = DriverError.refused(call: "UpdateVehicle", httpStatus: 400, message: nil)
        #expect(DriveCommand.failure(vehicle).status == .badConfiguration)
    }
}
