import FleetTokens
import Foundation
import Testing
import TransportLive
import TripModel
import TripTestSupport

/// Injected faults in everything that the built program writes.
@Suite("Injected faults in outputs", .serialized, .terminalTurn, .ends(within: .longTest))
struct InjectedFaultProgramTests {
    private static func objects(_ lines: [String], type: String) throws -> [[String: Any]] {
        try lines.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .filter { $0["type"] as? String == type }
    }

    private static func suspects(_ object: [String: Any]) -> [String] {
        (object["suspects"] as? [[String: Any]] ?? []).map { "\($0["party"] ?? "") \($0["strength"] ?? "")" }
    }

    private static let script = """
        size 120x40
        wait ✓ live
        key :
        type fault 503
        key Enter
        wait njected fault 503
        key I
        wait ✓ live
        key :
        type fault drop-three
        key Enter
        wait njected fault drop-three
        key I
        wait ✓ live
        key :
        type fault 403
        key Enter
        wait njected
        key B y
        wait .tar.gz
        key q
        """

    /// Follows a trip of a service that has no emulator, with faults of this program, in a folder.
    private static func session(_ body: (URL) async throws -> Void) async throws {
        let token = FakeToken(.trip(try TripID("t")), issuedAt: Date()).text
        try await CannedEngine(fields: CannedEngine.underWay(reported: 1)).run { url in
            try await Program.withFolder { folder in
                for (name, text) in [
                    ("script", script), ("token", token),
                    ("e.yaml", "expect:\n  - {name: Nothing fails, failing: false, always: true}\n"),
                ] {
                    try Data(text.utf8).write(to: folder.appending(path: name))
                }
                let run = try await Program.run(
                    in: folder,
                    [
                        "watch", "t", "--provider-id", "p", "--fleet-engine-url", url, "--token-file", "token",
                        "--interval", "1", "--script", "script", "--record", "s.ndjson", "--expect", "e.yaml",
                        "--report", "r.xml",
                    ]
                )
                #expect(run.status == 1, "\(run.errors)")
                try await body(folder)
            }
        }
    }

    @Test func `reports, exports and replays of a session name what the program did to itself`() async throws {
        try await Self.session { folder in
            func text(_ name: String) throws -> String {
                try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
            func run(_ arguments: [String]) async throws -> Program.Run {
                let run = try await Program.run(in: folder, arguments)
                #expect(run.status == 0, "\(arguments): \(run.errors)")
                return run
            }
            let junit = try text("r.xml")
            #expect(junit.contains("Suspect: injected fault, proven") && junit.contains("Injected fault 503, nothing"))
            #expect(!junit.contains("Suspect: service") && !junit.contains("Probably"), "\(junit)")

            let archive = try #require(try Unpacked.archives(in: folder).first)
            let files = try await Unpacked.files(archive)
            let report = try #require(files["report.md"])
            #expect(
                report.contains("Injected fault 503, nothing was sent: ") && report.contains("more from being sent")
            )
            #expect(
                report.contains("Injected fault drop\\-three, nothing was sent: ")
                    || report.contains("drop-three, nothing")
            )
            #expect(report.contains("0 of ") && !report.contains("Probably"), "\(report)")

            // The recording: what was not sent is no call.
            let calls = try Self.objects(try await run(["calls", "s.ndjson", "--output", "json"]).lines, type: "call")
            let polls = calls.filter { $0["party"] as? String == "service" }
            #expect(!polls.isEmpty && polls.allSatisfy { $0["httpStatus"] as? Int == 200 }, "\(polls)")
            let har = try await run(["export", "s.ndjson", "--format", "har"]).output
            #expect(har.contains("\"status\":200") && !har.contains("\"status\":503") && !har.contains("injected"))
            let csv = try await run(["export", "s.ndjson", "--format", "csv"]).output.split(whereSeparator: \.isNewline)
                .map {
                    $0.split(separator: ",", omittingEmptySubsequences: false)
                }
            let rows = csv.filter { $0.suffix(2).first == "503" }
            #expect(csv.first?.suffix(2) == ["fault", "sent"])
            #expect(!rows.isEmpty && rows.allSatisfy { $0.last == "false" && $0[2].isEmpty && $0[3].isEmpty })
            #expect(csv.contains { $0.last == "true" && $0[3] == "200" })
            let markdown = try await run(["export", "s.ndjson", "--format", "markdown"]).output
            #expect(markdown.contains("Injected fault 503") && !markdown.contains("Probably"), "\(markdown)")
            #expect(try await run(["compare", "s.ndjson", "s.ndjson"]).output.contains("o difference"))

            // A replay says the same.
            let plain = try await run(["replay", "s.ndjson", "--speed", "600", "--output", "plain"]).output
            #expect(plain.contains("Injected fault 503, nothing was sent: ") && !plain.contains("Probably"), "\(plain)")
            let json = try await run(["replay", "s.ndjson", "--speed", "600", "--output", "json"]).lines
            let failed = try Self.objects(json, type: "poll").filter { $0["outcome"] as? String == "error" }
            #expect(failed.contains { ($0["injected"] as? [String: Any])?["names"] as? [String] == ["drop-three"] })
            for poll in failed {
                #expect(Self.suspects(poll) == ["injected fault proven"], "\(poll)")
                #expect(poll["party"] as? String == "injected fault")
            }
            _ = try await run(["verify", "s.ndjson"])
        }
    }

    @Test(arguments: ["rest", "grpc"])
    func `a fault of the demo's emulator is named by every poll that it fails`(transport: String) async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "s.ndjson").path
            let demo = try await Program.run([
                "demo", "--scenario", "engine-trouble", "--speed", "60", "--seed", "1", "--output", "json",
                "--transport", transport, "--record", file,
            ])
            #expect(demo.status == 0, "\(demo.errors)")
            let replay = try await Program.run(["replay", file, "--speed", "600", "--output", "json"])
            #expect(replay.status == 0, "\(replay.errors)")
            for run in [demo, replay] {
                let failed = try Self.objects(run.lines, type: "poll").filter { $0["outcome"] as? String == "error" }
                #expect(failed.count >= 3)
                for poll in failed {
                    let fault = poll["injected"] as? [String: Any]
                    #expect(
                        fault?["place"] as? String == "emulator" && fault?["effect"] as? String == "replaced",
                        "\(poll)"
                    )
                    #expect(Self.suspects(poll) == ["injected fault proven"], "\(poll)")
                }
                let kinds = Set(failed.flatMap { ($0["injected"] as? [String: Any])?["names"] as? [String] ?? [] })
                #expect(kinds.isSuperset(of: ["status", "truncated"]), "\(kinds)")
            }
            // They were sent, so that they are calls.
            let run = try await Program.run(["calls", file, "--failed", "--output", "json"])
            let calls = try Self.objects(run.lines, type: "call").filter { $0["party"] as? String == "service" }
            #expect(calls.count >= 3 && calls.allSatisfy { Self.suspects($0) == ["injected fault proven"] })
            let har = try await Program.run(["export", file, "--format", "har"])
            #expect(har.output.contains("injected fault status"))
        }
    }

    @Test func `a token fault of the demo's emulator is named, whatever is wrong with the token`() async throws {
        let demo = try await Program.run([
            "demo", "--scenario", "token-trouble", "--speed", "60", "--seed", "1", "--output", "plain",
        ])
        #expect(demo.status == 0, "\(demo.errors)")
        for kind in ["status", "wrong-token"] {
            #expect(demo.output.contains("Injected fault \(kind): "), "\(kind) is missing in \(demo.output)")
        }
        for word in ["Probably", "At fault", "Either "] { #expect(!demo.output.contains(word), "\(demo.output)") }
    }

    @Test func `watch and doctor name the faults of an emulator in another process`() async throws {
        try await EmulatedEngine.run(["--speed", "1"]) { ready, object in
            let control = try #require(object["controlURL"] as? String)
            let fault = #"{"on":"engine","kind":"status","status":503,"path":"GET trips/"}"#
            try await withLiveHTTPTransport { transport in
                try await EmulatedEngine.post("faults", fault, to: control, over: transport)
            }
            let watch = try await Program.run(["watch", "--emulator", ready, "--once", "--output", "plain"])
            #expect(watch.errors.contains("Injected fault status: ") && !watch.errors.contains("Probably"), "\(watch)")
            let doctor = try await Program.run(["doctor", "--emulator", ready])
            #expect(
                doctor.output.contains("Injected fault status: ") && !doctor.output.contains("Probably"),
                "\(doctor)"
            )
            try await withLiveHTTPTransport { transport in
                let wrong = #"{"on":"tokens","kind":"wrong-token"}"#
                try await EmulatedEngine.post("faults", wrong, to: control, over: transport)
            }
            let fetch = try await Program.run(["token", "fetch", "--emulator", ready])
            #expect(fetch.status == 1 && !fetch.output.contains("Probably"), "\(fetch)")
            #expect(fetch.output.contains("Injected fault wrong-token: "), "\(fetch)")
        }
    }
}
