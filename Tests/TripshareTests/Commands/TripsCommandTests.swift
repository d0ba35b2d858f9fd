import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

/// The trips of a project: listed once, and followed as they come.
@Suite("Trips of a project", .ends(within: .longTest))
struct TripsCommandTests {
    /// An emulator's addresses and a server token for it.
    private struct Engine {
        let ready: String
        let url: String
        let provider: String
        let token: String

        init(_ ready: String, _ object: [String: Any]) async throws {
            self.ready = ready
            url = try #require(object["fleetEngineURL"] as? String)
            provider = try #require(object["providerId"] as? String)
            let run = try await Program.runInProcess(["trips", "--emulator", ready, "--output", "json"])
            #expect(run.status == 0, "\(run.errors)")
            let address = try #require(object["serverTokenURL"] as? String)
            token = try await Self.send("GET", address, "", token: nil, key: "jwt")
        }

        /// Sends a request; returns a text of the answer.
        @discardableResult
        static func send(
            _ method: String,
            _ url: String,
            _ body: String,
            token: String?,
            key: String? = nil
        ) async throws -> String {
            let response = try await withLiveHTTPTransport { transport in
                try await transport.send(
                    HTTPTransportRequest(
                        method: method,
                        url: url,
                        headers: [("content-type", "application/json")]
                            + (token.map { [("authorization", "Bearer \($0)")] } ?? []),
                        body: [UInt8](body.utf8),
                        timeout: .seconds(60)
                    )
                )
            }
            let text = String(decoding: response.body, as: UTF8.self)
            try #require(response.status == 200, "\(text)")
            guard let key else { return text }
            let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
            return try #require(object?[key] as? String)
        }

        /// Creates trips without a vehicle.
        func create(_ names: [String]) async throws {
            let body = #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}}}"#
            for name in names {
                try await Self.send("POST", "\(url)/v1/providers/\(provider)/trips?tripId=\(name)", body, token: token)
            }
        }

        /// Cancels a trip.
        func cancel(_ name: String) async throws {
            let target = "\(url)/v1/providers/\(provider)/trips/\(name)?updateMask=tripStatus"
            try await Self.send("PUT", target, #"{"tripStatus":"CANCELED"}"#, token: token)
        }
    }

    private static func run(_ body: (Engine) async throws -> Void) async throws {
        try await EmulatedEngine.run(["--speed", "1"]) { ready, object in
            try await body(try await Engine(ready, object))
        }
    }

    @Test func `lists all active trips, page by page, as JSON, plain text and a table`() async throws {
        try await Self.run { engine in
            try await engine.create(["one", "two", "three"])
            try await engine.cancel("two")
            let json = try await Program.run([
                "trips", "--emulator", engine.ready, "--page-size", "1", "--output", "json",
            ])
            #expect(json.status == 0, "\(json.errors)")
            for name in ["one", "three"] { #expect(json.output.contains(#""trip":"\#(name)""#)) }
            #expect(!json.output.contains(#""trip":"two""#))
            #expect(json.lines.allSatisfy { $0.contains(#""type":"listedTrip""#) })
            let ended = try await Program.run(["trips", "--emulator", engine.ready, "--ended"])
            #expect(ended.lines.contains { $0.hasPrefix("two  CANCELED") }, "\(ended.output)")
            let table = try await Program.run(["trips", "--emulator", engine.ready, "--output", "table"])
            #expect(table.lines.first?.hasPrefix("Trip") == true)
            #expect(table.lines.count == json.lines.count + 1)
            let short = try await Program.run([
                "trips", "--emulator", engine.ready, "--page-size", "1", "--pages", "2",
            ])
            #expect(short.lines.count == 2 && short.errors.contains("--pages"))
            let none = try await Program.run(["trips", "--emulator", engine.ready, "--vehicle", "no-such-vehicle"])
            #expect(none.status == 0 && none.output.isEmpty && none.errors.contains(engine.provider))
        }
    }

    @Test func `explains why a consumer's token can't list trips`() async throws {
        try await EmulatedEngine.run([]) { ready, object in
            let url = try #require(object["fleetEngineURL"] as? String)
            let provider = try #require(object["providerId"] as? String)
            let tokens = try #require(object["tokenURL"] as? String)
            let run = try await Program.runInProcess([
                "trips", "--provider-id", provider, "--fleet-engine-url", url, "--token-url",
                tokens.replacing("{tripId}", with: "tr-1"),
            ])
            #expect(run.status == 77 && run.output.isEmpty)
            for words in ["does not let the token search", provider, "server token", "tripid and vehicleid"] {
                #expect(run.errors.contains(words), "\(run.errors)")
            }
            let template = try await Program.runInProcess([
                "trips", "--provider-id", provider, "--fleet-engine-url", url, "--token-url", tokens,
            ])
            #expect(template.status == 78, "\(template.errors)")
            let nothing = try await Program.runInProcess([
                "trips", "--provider-id", provider, "--fleet-engine-url", url,
            ])
            #expect(nothing.status == 64 && nothing.errors.contains("server token"), "\(nothing.errors)")
        }
    }

    @Test(arguments: [
        ["trips", "--pages", "0"], ["trips", "--page-size", "1001"], ["trips", "--minimum-staleness", "-1"],
        ["watch", "--all", "--until", "COMPLETE"], ["watch", "--all", "--trips-file", "x"],
        ["watch", "--all", "--server-token-url", "https://a.example", "--server-account", "x"],
    ])
    func `refuses flags that have no meaning`(arguments: [String]) async throws {
        let run = try await Program.runInProcess(arguments)
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test func `watch --all follows trips as they come and marks those that have ended`() async throws {
        // At 20 times the speed, a sweep begins every second.
        try await EmulatedEngine.run(["--speed", "20"]) { ready, object in
            let engine = try await Engine(ready, object)
            try await engine.create(["first", "named"])
            try await Program.withFolder { folder in
                let watch = try Program.start(
                    ["watch", "named", "--all", "--emulator", ready, "--output", "json", "--quota", "9000"],
                    in: folder
                )
                try await watch.outputs(#""trip":"first","type":"trip""#)
                try await engine.create(["second"])
                try await watch.outputs(#""trip":"second","type":"trip""#)
                try await engine.cancel("first")
                try await watch.outputs(#""outcome":"reached","time":"#)
                watch.interrupt()
                let run = try await watch.result()
                #expect(run.status == 130, "\(run.errors)")
                let polls = run.lines.filter { $0.contains(#""type":"poll""#) }
                let (named, others) = (
                    polls.filter { $0.contains(#""trip":"named""#) && !$0.contains(#""call""#) },
                    polls.filter { $0.contains(#""trip":"second""#) }
                )
                #expect(!named.isEmpty, "a named trip is polled by itself")
                #expect(others.allSatisfy { $0.contains(#""call":"SearchTrips""#) }, "others are listed")
                #expect(run.lines.contains { $0.contains(#""type":"end""#) && $0.contains(#""trip":"first""#) })
            }
        }
    }

    @Test func `a failed search of watch --all is a line of the JSON output, and a sentence once`() async throws {
        try await EmulatedEngine.run(["--speed", "20"]) { ready, object in
            let engine = try await Engine(ready, object)
            try await engine.create(["first"])
            let control = try #require(object["controlURL"] as? String)
            try await Program.withFolder { folder in
                let watch = try Program.start(["watch", "--all", "--emulator", ready, "--output", "json"], in: folder)
                try await watch.outputs(#""trip":"first","type":"trip""#)
                let fault = #"{"on":"engine","kind":"status","status":503,"path":"trips:search"}"#
                try await Engine.send("POST", "\(control)/faults", fault, token: nil)
                try await watch.outputs(#""type":"search""#)
                watch.interrupt()
                let run = try await watch.result()
                let line = try #require(run.lines.first { $0.contains(#""type":"search""#) })
                for part in [
                    #""code":"UNAVAILABLE""#, #""httpStatus":503"#, #""party":"injected fault""#, #""failure":""#,
                ] {
                    #expect(line.contains(part), "\(line)")
                }
                #expect(run.errors.components(separatedBy: "can't be listed").count == 2, "\(run.errors)")
            }
        }
    }

    @Test func `each search of watch --all is one call of its recording, and a failed one is played`() async throws {
        try await EmulatedEngine.run(["--speed", "20"]) { ready, object in
            let engine = try await Engine(ready, object)
            try await engine.create(["first", "second"])
            let control = try #require(object["controlURL"] as? String)
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("s.ndjson").path
                let watch = try Program.start(
                    ["watch", "--all", "--emulator", ready, "--output", "json", "--record", file],
                    in: folder
                )
                try await watch.outputs(#""trip":"first","type":"trip""#)
                try await watch.outputs(#""trip":"second","type":"trip""#)
                let fault = #"{"on":"engine","kind":"status","status":503,"path":"trips:search"}"#
                try await Engine.send("POST", "\(control)/faults", fault, token: nil)
                try await watch.outputs(#""type":"search""#)
                watch.interrupt()
                _ = try await watch.result()
                let run = try await Program.run(["calls", file, "--filter", "op:SearchTrips", "--output", "json"])
                let calls = run.lines.map { String($0) }
                // The first one is that of the command, before the session.
                #expect(calls.count { $0.contains(#""outcome":"ok""#) } >= 2, "\(calls)")
                let failed = calls.filter { $0.contains(#""httpStatus":503"#) }
                #expect(!failed.isEmpty && failed.allSatisfy { $0.contains(#""injected""#) }, "\(calls)")
                #expect(calls.allSatisfy { !$0.contains(#""id":"#) && $0.contains("trips:search") }, "\(calls)")
                let archive = try await Program.run(["export", file, "--format", "har"]).output
                #expect(archive.components(separatedBy: "trips:search\"").count - 1 == calls.count, "\(archive)")
                #expect(archive.contains(#"\"trips\""#) && archive.contains("pageSize"), "\(archive)")
                let replay = try await Program.run(["replay", file, "--speed", "600", "--output", "json"])
                let searches = replay.lines.filter { $0.contains(#""type":"search""#) }
                #expect(searches.count == failed.count, "\(replay.output)")
                #expect(replay.errors.contains("can't be listed"), "\(replay.errors)")
            }
        }
    }

    @Test func `the first search of watch --all counts against --timeout`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            let provider = try #require(object["providerId"] as? String)
            let tokens = try #require(object["serverTokenURL"] as? String)
            try await CannedServer.run(.silence) { server in
                for once in [[], ["--once"]] {
                    // The shell measures the program alone, not this process, which other tests keep busy.
                    let line = #"SECONDS=0; "$0" "$@"; status=$?; echo "$SECONDS"; exit $status"#
                    let run = try await Program.run(
                        executable: "/bin/bash",
                        [
                            "-c", line, Program.path, "watch", "--all", "--provider-id", provider, "--fleet-engine-url",
                            "http://127.0.0.1:\(server.port)", "--server-token-url", tokens, "--token-url", tokens,
                            "--timeout", "1",
                        ] + once
                    )
                    #expect(run.status == 69 && run.errors.contains("--timeout"), "\(run.status) \(run.errors)")
                    // Without the timeout, the search would take 15 s.
                    let seconds = try #require(run.lines.last.flatMap { Int($0) })
                    #expect(seconds < 14)
                }
            }
        }
    }

    @Test func `watch --all --once prints every active trip and ends`() async throws {
        try await Self.run { engine in
            try await engine.create(["one", "two"])
            let run = try await Program.runInProcess([
                "watch", "--all", "--once", "--emulator", engine.ready, "--output", "json",
            ])
            #expect(run.status == 0, "\(run.errors)")
            for name in ["one", "two"] {
                #expect(run.lines.contains { $0.contains(#""trip":"\#(name)","type":"trip""#) }, "\(run.output)")
            }
        }
    }

    @Test func `watch --all needs a server token and says so before anything else`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            let url = try #require(object["fleetEngineURL"] as? String)
            let provider = try #require(object["providerId"] as? String)
            let tokens = try #require(object["tokenURL"] as? String)
            let arguments = [
                "watch", "--all", "--provider-id", provider, "--fleet-engine-url", url, "--token-url", tokens,
            ]
            let run = try await Program.runInProcess(arguments)
            #expect(run.status == 64 && run.errors.contains("--server-token-url"), "\(run.errors)")
            let refused = try await Program.runInProcess(
                arguments + ["--server-token-url", tokens.replacing("{tripId}", with: "x")]
            )
            #expect(refused.status == 77 && refused.errors.contains("server token"), "\(refused.errors)")
            let down = try await Program.runInProcess(
                arguments + ["--server-token-url", "http://127.0.0.1:1/", "--output", "json"]
            )
            #expect(down.status == 69 && down.lines.count == 1, "\(down.errors)")
            #expect(down.output.contains(#""code":"TOKEN_UNAVAILABLE.UNREACHABLE""#), "\(down.output)")
            #expect(down.output.contains(#""type":"search""#), "\(down.output)")
        }
    }

    @Test func `the command line of the screen offers the trips of the project`() async throws {
        try await Self.run { engine in
            try await engine.create(["offered-trip"])
            try await Program.withFolder { folder in
                let script = folder.appendingPathComponent("script")
                try Data("wait km/h\ntype :watch offered\nwait watch offered-trip\nkey Esc\n".utf8).write(to: script)
                let run = try await Program.run([
                    "watch", "--emulator", engine.ready, "--output", "tui", "--script", script.path,
                ])
                #expect(run.status == 0, "\(run.errors)")
            }
        }
    }
}
