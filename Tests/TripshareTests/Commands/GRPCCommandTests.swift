import FleetTokens
import Foundation
import Testing
import TransportLive
import TripModel
import TripTestSupport

@testable import tripshare

/// `--transport grpc` with the built program.
@Suite("Watching over gRPC", .ends(within: .longTest))
struct GRPCCommandTests {
    private static func objects(_ run: Program.Run) throws -> [[String: Any]] {
        try run.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// The statuses of the JSON lines of trips, without repetitions.
    private static func statuses(_ run: Program.Run) throws -> [String] {
        try objects(run).filter { $0["type"] as? String == "trip" }.compactMap { $0["status"] as? String }
            .reduce(into: []) { list, status in if list.last != status { list.append(status) } }
    }

    @Test(arguments: [["--grpc-port", "0"], ["--grpc-port", "0", "--grpc-plaintext"]])
    func `watch follows a ride, records it, and replay plays it`(flags: [String]) async throws {
        try await EmulatedEngine.run(["--speed", "60"] + flags) { ready, object in
            try await Program.withFolder { folder in
                let file = folder.appending(path: "ride.ndjson")
                let run = try await Program.run([
                    "watch", "--emulator", ready, "--transport", "grpc", "--output", "json", "--until", "COMPLETE",
                    "--record", file.path,
                ])
                #expect(run.status == 0, "\(run.errors)")
                let polls = try Self.objects(run).filter { $0["type"] as? String == "poll" }
                #expect(polls.contains { $0["grpcStatus"] as? Int == 0 })
                #expect(polls.allSatisfy { $0["httpStatus"] == nil })
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("/maps.fleetengine.v1.TripService/GetTrip\""))
                #expect(text.contains(try #require(object["grpcTarget"] as? String)))
                #expect(!text.contains("eyJ"))
                let played = try await Program.run([
                    "replay", file.path, "--speed", "600", "--output", "json", "--until", "COMPLETE",
                ])
                #expect(played.status == 0, "\(played.errors)")
                #expect(try Self.statuses(played) == Self.statuses(run))
                let again = try Self.objects(played).filter { $0["type"] as? String == "poll" }
                #expect(again.contains { $0["grpcStatus"] as? Int == 0 && $0["bytes"] as? Int != nil })
                let verified = try await Program.run(["verify", file.path])
                #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
            }
        }
    }

    @Test func `trips, doctor and watch --once work over gRPC, and the environment selects it`() async throws {
        try await EmulatedEngine.run(["--grpc-port", "0"]) { ready, object in
            let target = try #require(object["grpcTarget"] as? String)
            let trip = try #require((object["tripIds"] as? [String])?.first)
            let grpc = ["TRIPSHARE_TRANSPORT": "grpc"]
            let once = try await Program.run(["watch", "--emulator", ready, "--once"], environment: grpc)
            #expect(once.status == 0 && !once.output.isEmpty, "\(once.errors)")
            let trips = try await Program.run(["trips", "--emulator", ready, "--transport", "grpc", "--output", "json"])
            #expect(trips.status == 0 && trips.output.contains(trip), "\(trips.errors)")
            let doctor = try await Program.run(
                ["doctor", "--emulator", ready, "--stale-after", "80000"],
                environment: grpc
            )
            #expect(doctor.output.contains("(UNAUTHENTICATED)") && doctor.output.contains(target), "\(doctor.output)")
            let flag = try await Program.run(
                ["watch", "--emulator", ready, "--once", "--transport", "rest", "--output", "json"],
                environment: grpc
            )
            #expect(try Self.objects(flag).contains { $0["httpStatus"] as? Int == 200 })
            let unknown = try await Program.run(
                ["watch", "--emulator", ready, "--once"],
                environment: ["TRIPSHARE_TRANSPORT": "soap"]
            )
            #expect(unknown.status == 78 && unknown.errors.contains("rest, grpc"), "\(unknown.errors)")
        }
    }

    @Test func `a refused call has the name of its gRPC status in every output, and no HTTP status`() async throws {
        try await EmulatedEngine.run(["--speed", "10", "--grpc-port", "0", "--grpc-plaintext"]) { ready, object in
            let control = try #require(object["controlURL"] as? String)
            let fault = #"{"on":"engine","kind":"status","status":403,"path":"GET trips/"}"#
            try await withLiveHTTPTransport { transport in
                try await EmulatedEngine.post("faults", fault, to: control, over: transport)
            }
            let watch = ["watch", "--emulator", ready, "--transport", "grpc", "--timeout", "20", "--output"]
            let plain = try await Program.run(watch + ["plain"])
            let json = try await Program.run(watch + ["json"])
            let doctor = try await Program.run(["doctor", "--emulator", ready, "--transport", "grpc"])
            for run in [plain, json, doctor] {
                #expect(run.status == 77, "\(run.status) \(run.output) \(run.errors)")
                #expect(run.output.contains("PERMISSION_DENIED"), "\(run.output)")
                let texts = run.output + run.errors
                // A port may end with these digits.
                let words = texts.split(whereSeparator: \.isWhitespace)
                #expect(!texts.contains("HTTP 4") && !words.contains("403"), "\(texts)")
            }
            let lines = try Self.objects(json)
            let polls = lines.filter { $0["type"] as? String == "poll" }
            #expect(polls.contains { $0["grpcStatus"] as? Int == 7 && $0["code"] as? String == "PERMISSION_DENIED" })
            #expect(lines.allSatisfy { $0["httpStatus"] == nil })
            let rejections = lines.filter { $0["event"] as? String == "rejected" }
            #expect(!rejections.isEmpty)
            #expect(rejections.allSatisfy { $0["grpcStatus"] as? Int == 7 && $0["status"] == nil })
            let findings = lines.filter { $0["rule"] as? String == "serviceRefuses" }
            #expect(!findings.isEmpty)
            #expect(findings.allSatisfy { ($0["evidence"] as? [String: Any])?["status"] == nil })
        }
    }

    @Test func `an emulator without gRPC and an unknown authority are explained`() async throws {
        try await EmulatedEngine.run([]) { ready, _ in
            let run = try await Program.run(["watch", "--emulator", ready, "--once", "--transport", "grpc"])
            #expect(run.status == 78 && run.errors.contains("--grpc-port"), "\(run.errors)")
        }
        try await EmulatedEngine.run(["--grpc-port", "0"]) { ready, object in
            let target = try #require(object["grpcTarget"] as? String)
            let arguments = [
                "watch", "--emulator", ready, "--fleet-engine-url", "https://\(target)", "--transport", "grpc",
                "--once",
                "--output", "json",
            ]
            let known = try await Program.run(arguments)
            #expect(known.status == 0, "the ready file names the certificate: \(known.errors)")
            let provider = try #require(object["providerId"] as? String)
            let tokens = try #require(object["tokenURL"] as? String)
            let trip = try #require((object["tripIds"] as? [String])?.first)
            let direct = [
                "watch", trip, "--provider-id", provider, "--token-url", tokens, "--fleet-engine-url",
                "https://\(target)", "--transport", "grpc", "--once", "--timeout", "20",
            ]
            let unknown = try await Program.run(direct)
            #expect(unknown.status == 69 && unknown.errors.contains(target), "\(unknown.errors)")
            #expect(unknown.errors.contains("not trusted"), "\(unknown.errors)")
            let root = try #require(object["grpcRootCertificate"] as? String)
            try await Program.withFolder { folder in
                let file = folder.appending(path: "ride.ndjson")
                let trusted = try await Program.run(
                    direct + ["--record", file.path],
                    environment: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": root]
                )
                #expect(trusted.status == 0, "\(trusted.errors)")
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("\"cacert\":\"\(root)\""), "commands that are shown need it: \(text)")
            }
            let broken = try await Program.run(direct, environment: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": "/dev/null"])
            #expect(broken.status == 78 && broken.errors.contains("/dev/null"), "\(broken.errors)")
        }
    }

    @Test func `the demo runs over gRPC with the same ride`() async throws {
        let demo = ["demo", "--speed", "120", "--seed", "1", "--output", "json", "--until", "COMPLETE"]
        let run = try await Program.run(demo + ["--transport", "grpc"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Self.statuses(run).last == "COMPLETE")
        #expect(try Self.objects(run).contains { $0["grpcStatus"] as? Int == 0 })
        let plain = try await Program.run(
            [
                "demo", "--speed", "60", "--seed", "1", "--output", "plain", "--until", "ENROUTE_TO_PICKUP",
                "--transport", "grpc",
            ]
        )
        #expect(plain.status == 0 && !plain.output.isEmpty, "\(plain.errors)")
    }

    @Test func `a refused ride over gRPC is recorded, reported, replayed and verified`() async throws {
        try await Program.withFolder { folder in
            let script = """
                wait on the way to the pickup
                key 4
                wait GetTrip
                key Enter
                wait grpcurl
                dump network.txt
                key Enter
                type :fault 403
                key Enter
                wait ✗ injected: PERMISSION
                key B y
                wait .tar.gz
                key q
                """
            let file = folder.appending(path: "script")
            try Data((script + "\n").utf8).write(to: file)
            let run = try await Program.run(
                in: folder,
                [
                    "demo", "--transport", "grpc", "--seed", "1", "--speed", "10", "--lang", "en", "--script",
                    file.path,
                    "--record", "ride.ndjson",
                ]
            )
            #expect(run.status == 0, "\(run.errors)")
            let network = try String(contentsOf: folder.appending(path: "network.txt"), encoding: .utf8)
            #expect(network.contains("grpcurl -cacert"), "\(network)")
            let files = try await Unpacked.files(try #require(try Unpacked.archives(in: folder).first))
            #expect(files["curl.sh"]?.hasPrefix("grpcurl -cacert '") == true, "\(files["curl.sh"] ?? "")")
            let report = try #require(files["report.md"])
            #expect(report.contains("PERMISSION_DENIED") && !report.contains("HTTP 403"), "\(report)")
            let ride = folder.appending(path: "ride.ndjson").path
            let played = try await Program.run(["replay", ride, "--speed", "600", "--output", "json"])
            #expect(
                try Self.objects(played).contains {
                    $0["grpcStatus"] as? Int == 7 && $0["code"] as? String == "PERMISSION_DENIED"
                },
                "\(played.output) \(played.errors)"
            )
            let verified = try await Program.run(["verify", ride])
            #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
        }
    }

    @Test func `a refused connection names host and port`() async throws {
        try await RefusedPort.run { port in
            let run = try await Program.run(
                [
                    "watch", "t", "--provider-id", "p", "--token-env", "RIDER", "--fleet-engine-url",
                    "http://127.0.0.1:\(port)", "--transport", "grpc", "--once", "--timeout", "20",
                ],
                environment: ["RIDER": FakeToken(.trip(try TripID("t")), issuedAt: Date()).text]
            )
            #expect(run.status == 69 && run.errors.contains("127.0.0.1:\(port)"), "\(run.status) \(run.errors)")
        }
    }
}
