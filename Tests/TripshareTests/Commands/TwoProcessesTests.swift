import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

@Suite("Two processes", .ends(within: .longTest))
struct TwoProcessesTests {
    @Test func `watch joins an emulator by its ready file`() async throws {
        try await EmulatedEngine.run(["--speed", "60"]) { ready, _ in
            let run = try await Program.run(["watch", "--emulator", ready, "--output", "json", "--until", "COMPLETE"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines.last?.contains(#""outcome":"reached""#) == true)
        }
    }

    @Test func `watch takes the same settings from flags and from the environment`() async throws {
        try await EmulatedEngine.run(["--token-key", "data", "--token-expiration-unit", "relative-seconds"]) {
            _,
            object in
            let trip = try #require((object["tripIds"] as? [String])?.first)
            let provider = try #require(object["providerId"] as? String)
            let engine = try #require(object["fleetEngineURL"] as? String)
            let tokens = try #require(object["tokenURL"] as? String)
            let flags = try await Program.run([
                "watch", "providers/\(provider)/trips/\(trip)", "--fleet-engine-url", engine, "--token-url", tokens,
                "--token-key", "data", "--token-expiration-key", "expirationTimestamp", "--token-expiration-unit",
                "relative-seconds", "--once", "--output", "json",
            ])
            #expect(flags.status == 0, "\(flags.errors)")
            #expect(flags.lines.contains { $0.contains(#""type":"trip""#) })
            let environment = try await Program.run(
                ["watch", trip, "--once"],
                environment: [
                    "TRIPSHARE_PROVIDER_ID": provider, "TRIPSHARE_FLEET_ENGINE_URL": engine,
                    "TRIPSHARE_TOKEN_URL": tokens, "TRIPSHARE_TOKEN_KEY": "data",
                ]
            )
            #expect(environment.status == 0, "\(environment.errors)")
            let unknown = try await Program.run([
                "watch", "unknown-trip", "--provider-id", provider, "--fleet-engine-url", engine, "--token-url", tokens,
                "--token-key", "data", "--once",
            ])
            #expect(unknown.status == 66)
            #expect(unknown.errors.contains("unknown-trip"))
            let time = try await Program.run([
                "watch", "unknown-trip", "--provider-id", provider, "--fleet-engine-url", engine, "--token-url", tokens,
                "--token-key", "data", "--wait", "100000", "--until", "COMPLETE", "--timeout", "0.5",
            ])
            #expect(time.status == 66, "the failure that lasts")
        }
    }

    @Test(arguments: ["token", "data.token"])
    func `the emulator's own driver reads the answers in the chosen format`(key: String) async throws {
        try await EmulatedEngine.run(["--token-key", key, "--speed", "60"]) { ready, _ in
            let run = try await Program.run(["watch", "--emulator", ready, "--output", "json", "--until", "COMPLETE"])
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `an emulator that listens on all addresses can be used from this machine`() async throws {
        try await EmulatedEngine.run(["--host", "0.0.0.0"]) { ready, object in
            #expect((object["fleetEngineURL"] as? String)?.hasPrefix("http://127.0.0.1:") == true)
            let run = try await Program.run(["watch", "--emulator", ready, "--once"])
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `reads tokens from a file, a command and the environment`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            let trip = try #require((object["tripIds"] as? [String])?.first)
            let provider = try #require(object["providerId"] as? String)
            let engine = try #require(object["fleetEngineURL"] as? String)
            let url = try #require(object["tokenURL"] as? String).replacing("{tripId}", with: trip)
            let answer = try await withLiveHTTPTransport { transport in
                try await transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout)).body
            }
            try await Program.withFolder { folder in
                let file = folder.appendingPathComponent("token.json").path
                try Data(answer).write(to: URL(fileURLWithPath: file))
                let watch = ["watch", trip, "--provider-id", provider, "--fleet-engine-url", engine, "--once"]
                for source in [["--token-file", file], ["--token-command", "cat \(file)"], ["--token-env", "RIDER"]] {
                    let run = try await Program.run(
                        watch + source,
                        environment: ["RIDER": String(decoding: answer, as: UTF8.self)]
                    )
                    #expect(run.status == 0, "\(source): \(run.errors)")
                    #expect(!run.output.contains("eyJ") && !run.errors.contains("eyJ"))
                }
            }
        }
    }

    /// Changes the clock of an emulator.
    ///
    /// Returns the clock in its ready file after that.
    private static func change(
        _ emulator: [String: Any],
        _ order: String,
        until words: String,
        in ready: String
    ) async throws -> [String: Any] {
        let control = try #require(emulator["controlURL"] as? String)
        let answer = try await withLiveHTTPTransport { transport in
            try await transport.send(
                HTTPTransportRequest(
                    method: "POST",
                    url: "\(control)/clock",
                    headers: [("content-type", "application/json")],
                    body: [UInt8](order.utf8),
                    timeout: .testTimeout
                )
            )
        }
        #expect(answer.status == 200)
        // The emulator runs until the body of the test ends.
        try await FileArrival.wait(for: words, in: URL(fileURLWithPath: ready)) { false }
        let file = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: ready)))
        return try #require((file as? [String: Any])?["clock"] as? [String: Any])
    }

    @Test func `a watcher's clock follows the emulator's clock`() async throws {
        try await EmulatedEngine.run([]) { ready, object in
            try await Program.withFolder { folder in
                let watcher = try Program.start(
                    ["watch", "--emulator", ready, "--until", "COMPLETE", "--output", "json"],
                    in: folder
                )
                defer { watcher.terminate() }
                try await watcher.outputs(#""type":"trip""#)
                _ = try await Self.change(object, #"{"speed":120}"#, until: #""speed":120"#, in: ready)
                let run = try await watcher.result()
                #expect(run.status == 0, "\(run.errors)")
                // The ride takes minutes of the emulator's time, but hardly any real time.
                let times = try run.lines.map { try #require(try JSONEvent($0).date) }
                #expect(try #require(times.last).timeIntervalSince(try #require(times.first)) > 100)
                #expect(times == times.sorted())
            }
        }
    }

    @Test func `a paused clock is also paused for a program that joins`() async throws {
        try await EmulatedEngine.run([]) { ready, object in
            let order = #"{"paused":true,"speed":600}"#
            let clock = try await Self.change(object, order, until: #""paused":true"#, in: ready)
            let run = try await Program.run(["watch", "--emulator", ready, "--once", "--output", "json"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try run.lines.map { try JSONEvent($0).time }.allSatisfy { $0 == clock["virtual"] as? String })
        }
    }

    @Test func `a program that joins after a change of the clock has the emulator's time`() async throws {
        try await EmulatedEngine.run([]) { ready, object in
            _ = try await Self.change(object, #"{"stepSeconds":600}"#, until: "virtual", in: ready)
            let clock = try await Self.change(object, #"{"speed":3.5}"#, until: #""speed":3.5"#, in: ready)
            let (real, virtual) = try (
                #require(JSONEvent.date(clock["real"] as? String ?? "")),
                #require(JSONEvent.date(clock["virtual"] as? String ?? ""))
            )
            #expect(virtual.timeIntervalSince(real) >= 599)
            let doctor = try await Program.run(["doctor", "--emulator", ready])
            #expect(doctor.output.contains("✓ clock"), "\(doctor.output)")
        }
    }
}
