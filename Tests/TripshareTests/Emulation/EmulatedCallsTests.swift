import Failures
import Foundation
import SystemPackage
import Testing
import TransportLive
import TripTestSupport

/// `tripshare emulate --output`.
@Suite("Calls that the emulator receives", .ends(within: .longTest))
struct EmulatedCallsTests {
    /// Runs an emulator, and returns what it wrote until it was ended.
    private func emulated(
        _ arguments: [String],
        body: (String, [String: String]) async throws -> Void
    ) async throws -> Program.Run {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(["emulate", "--ready-file", ready.path] + arguments, in: folder)
            defer { emulator.terminate() }
            let object = try await FileArrival.wait(for: ready, from: emulator)
            try await body(ready.path, object.compactMapValues { $0 as? String })
            emulator.terminate()
            let run = try await emulator.result()
            #expect(run.status == 143, "\(run.errors)")
            return run
        }
    }

    /// Sends a request without a token, or with one.
    @discardableResult
    private func get(_ url: String, token: String? = nil, over transport: HTTPTransport) async throws -> (Int, String) {
        let headers = token.map { [(name: "authorization", value: "Bearer \($0)")] } ?? []
        let answer = try await transport.send(HTTPTransportRequest(url: url, headers: headers, timeout: .testTimeout))
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    /// Expects a status of a request without a token, or with one.
    private func expect(
        _ status: Int,
        from url: String,
        token: String? = nil,
        over transport: HTTPTransport
    ) async throws {
        let answer = try await get(url, token: token, over: transport)
        #expect(answer.0 == status, "\(url): \(answer.1)")
    }

    private func url(_ name: String, _ object: [String: String]) throws -> String {
        try #require(object[name]).replacing("{tripId}", with: "trip-1")
            .replacing("{email}", with: "x@tripshare-demo.iam.gserviceaccount.com")
    }

    @Test func `each kind of call is a line of JSON with documented keys, and none has a token`() async throws {
        let arguments = ["--output", "json", "--speed", "30", "--grpc-port", "0", "--grpc-plaintext"]
        let run = try await emulated(arguments) { ready, object in
            let trip = try url("fleetEngineURL", object) + "/v1/providers/tripshare-demo/trips/trip-1"
            for transport in ["rest", "grpc"] {
                let watch = try await Program.run(["watch", "--emulator", ready, "--transport", transport, "--once"])
                #expect(watch.status == 0, "\(watch.errors)")
            }
            let list = try await Program.run(["trips", "--emulator", ready])
            #expect(list.status == 0, "\(list.errors)")
            try await withLiveHTTPTransport { transport in
                try await expect(401, from: trip, over: transport)
                try await expect(401, from: trip, token: "no.token.atall", over: transport)
                try await expect(404, from: try url("certificatesURL", object), over: transport)
                // Neither is the control API.
                try await expect(200, from: try url("controlURL", object) + "/faults", over: transport)
            }
        }
        #expect(!run.output.contains("eyJ") && !run.output.contains("ya29.") && !run.output.contains("/control"))
        #expect(run.errors.contains("Fleet Engine    http"), "the addresses are on standard error")
        let manual = try String(
            contentsOf: Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/JSONOutput.md"),
            encoding: .utf8
        )
        let documented = try #require(manual.split(separator: "\n").first { $0.hasPrefix("| `call` |") })
        let lines = try run.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        for key in lines.reduce(into: Set<String>(), { $0.formUnion($1.keys) }).subtracting(["type", "time"]) {
            #expect(documented.contains("`\(key)`"), "the key \(key) is missing")
        }
        func has(_ expected: [String: String]) -> Bool {
            lines.contains { line in expected.allSatisfy { line[$0.key].map { "\($0)" } == $0.value } }
        }
        #expect(has(["from": "rider", "to": "service", "operation": "GetTrip", "httpStatus": "200", "id": "trip-1"]))
        #expect(has(["from": "rider", "operation": "GetTrip", "grpcStatus": "0", "outcome": "ok"]))
        #expect(has(["from": "driver", "to": "service", "operation": "UpdateVehicle"]))
        #expect(has(["from": "backend", "to": "service", "operation": "SearchTrips"]))
        #expect(has(["from": "rider", "to": "tokens", "operation": "FetchToken", "id": "trip-1"]))
        #expect(has(["from": "backend", "to": "tokens", "operation": "FetchToken"]))
        #expect(has(["from": "backend", "to": "credentials", "httpStatus": "404"]))
        #expect(has(["from": "client", "operation": "GetTrip", "httpStatus": "401", "code": "UNAUTHENTICATED"]))
        let sent = lines.compactMap { $0["credential"] as? [String: String] }
        #expect(sent.contains { $0["kind"] == "jwt" && $0["fingerprint"]?.count == 8 })
        #expect(sent.contains { $0["kind"] == "unknown" })
    }

    @Test func `a filter selects refused calls, which have their reason and the fault that made them`() async throws {
        let run = try await emulated(["--output", "plain", "--filter", "status:error !from:driver"]) { ready, object in
            let engine = try url("fleetEngineURL", object) + "/v1/providers/tripshare-demo/trips/"
            try await withLiveHTTPTransport { transport in
                let answer = try await get(url("tokenURL", object), over: transport).1
                let token = try #require(answer.firstMatch(of: /eyJ[\w.-]+/)).output
                try await expect(200, from: engine + "trip-1", token: String(token), over: transport)
                try await expect(403, from: engine + "trip-2", token: String(token), over: transport)
                try await expect(401, from: engine + "trip-1", over: transport)
                let control = try url("controlURL", object)
                let fault = #"{"on":"engine","kind":"status","status":503,"count":1,"path":"trip-1"}"#
                try await EmulatedEngine.post("faults", fault, to: control, over: transport)
                try await expect(503, from: engine + "trip-1", token: String(token), over: transport)
            }
        }
        let calls = run.lines.filter { $0.contains("GetTrip") }
        try #require(calls.count == 3, "\(run.output)")
        #expect(calls[0].contains("rider") && calls[0].contains("403") && calls[0].contains("tripid"), "\(calls[0])")
        #expect(calls[0].contains(/jwt [0-9a-f]{8}/))
        #expect(calls[1].contains("client") && calls[1].contains("401"), "\(calls[1])")
        #expect(calls[1].contains("Request is missing required authentication credential"), "\(calls[1])")
        #expect(calls[2].contains("503") && calls[2].contains("injected fault: status"), "\(calls[2])")
        #expect(run.output.contains("Fleet Engine    http") && !run.output.contains("eyJ"))
        #expect(!run.output.contains("FetchToken"), "it succeeded")
    }

    @Test func `a filter needs an output`() async throws {
        let run = try await Program.run(["emulate", "--filter", "GetTrip"])
        #expect(run.status == 64 && run.errors.contains("--output"), "\(run.errors)")
    }

    @Test(arguments: [false, true])
    func `a reader that does not read, or has gone, does not stop the emulator`(hasGone: Bool) async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            // A pipe that is open for both is not waited for.
            let reader = try FileDescriptor.open(FilePath(pipe), .readWrite)
            let ready = folder.appendingPathComponent("ready.json")
            let errors = folder.appendingPathComponent("errors").path
            let program = try SpawnedProgram(
                [Program.path, "emulate", "--output", "json", "--ready-file", ready.path],
                environment: Program.environment(home: folder),
                files: .paths(input: "/dev/null", output: pipe, errors: errors)
            )
            defer { program.kill() }
            let text = try await FileArrival.text(of: ready) { program.ending != nil }
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            if hasGone { try reader.close() }
            let trip =
                try url("fleetEngineURL", object.compactMapValues { $0 as? String })
                + "/v1/providers/tripshare-demo/trips/trip-1"
            try await withLiveHTTPTransport { transport in
                // A pipe holds 64 KiB, about 150 lines.
                for _ in 0..<(hasGone ? 5 : 400) { try await expect(401, from: trip, over: transport) }
            }
            program.send(SIGTERM)
            #expect(try await program.end() == .exited(143))
            if !hasGone { try reader.close() }
            let said = try String(contentsOfFile: errors, encoding: .utf8)
            #expect(said.contains("calls were not shown"), "\(said)")
            #expect(said.contains("no longer written to standard output") == hasGone, "\(said)")
        }
    }
}
