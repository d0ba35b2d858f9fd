import Failures
import Foundation
import Runtime
import Testing
import TransportLive
import TripTestSupport

@testable import tripshare

@Suite("Metrics of the program", .ends(within: .longTest))
struct MetricsTests {
    /// Returns the text at a URL.
    private static func read(
        _ url: String,
        host: String? = nil
    ) async throws -> (status: Int, type: String, text: String) {
        try await withLiveHTTPTransport { transport in
            let answer = try await transport.send(
                HTTPTransportRequest(url: url, headers: host.map { [("host", $0)] } ?? [], timeout: .testTimeout)
            )
            let type = answer.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
            return (answer.status, type, String(decoding: answer.body, as: UTF8.self))
        }
    }

    /// Returns the URL that a program has printed.
    private static func address(in text: String) throws -> String {
        let match = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/metrics/), "\(text)")
        return String(match.0)
    }

    /// Returns the sum of the series of a metric whose lines contain some words.
    private static func value(_ metric: String, _ words: String = "", in text: String) -> Double {
        text.split(separator: "\n").filter { $0.hasPrefix(metric) && (words.isEmpty || $0.contains(words)) }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    /// Reads the metrics until a condition is true.
    private static func read(_ url: String, until isSo: (String) -> Bool) async throws -> String {
        let end = ContinuousClock.now + .testTimeout
        while true {
            let text = try await read(url).text
            if isSo(text) { return text }
            guard ContinuousClock.now < end else {
                throw WaitFailure("the metrics did not change as expected: \(text)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Checks that a text has only documented metrics, no secret and no ID.
    private static func check(_ text: String, ids: [String]) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let name = line.prefix { $0 != "{" && $0 != " " }
            let isKnown = MetricTable.all.contains { family in
                ["", "_bucket", "_sum", "_count"].contains { name == family.name + $0 }
            }
            #expect(isKnown, "\(line)")
        }
        for word in ["eyJ", "BEGIN", "Bearer"] + ids { #expect(!text.contains(word), "\(word) in \(text)") }
        #expect(text.split(separator: "\n").count < 1000)
    }

    @Test func `emulate and watch serve numbers that move, without secrets and IDs`() async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(
                ["emulate", "--ready-file", ready.path, "--metrics-port", "0", "--speed", "5"],
                in: folder
            )
            defer { emulator.terminate() }
            let object = try await FileArrival.wait(for: ready, from: emulator)
            let ids = (object["tripIds"] as? [String] ?? []) + (object["vehicleIds"] as? [String] ?? [])
            #expect(ids.count >= 2)
            let engine = try Self.address(in: emulator.output)
            let watch = try Program.start(
                ["watch", "--emulator", ready.path, "--metrics-port", "0", "--output", "json"],
                in: folder
            )
            defer { watch.terminate() }
            try await watch.outputs(#""type":"poll""#)
            let session = try Self.address(in: watch.errors)
            let first = try await Self.read(session)
            #expect(first.status == 200)
            #expect(first.type == "text/plain; version=0.0.4; charset=utf-8")
            let before = Self.value("tripshare_polls_total", "outcome=\"ok\"", in: first.text)
            let text = try await Self.read(session) {
                Self.value("tripshare_polls_total", "outcome=\"ok\"", in: $0) >= before + 2
            }
            #expect(Self.value("tripshare_poll_latency_seconds_count", in: text) >= 2)
            #expect(Self.value("tripshare_poll_lateness_seconds_count", in: text) >= 1)
            #expect(Self.value("tripshare_trips{", in: text) == Double((object["tripIds"] as? [String])?.count ?? 0))
            #expect(Self.value("tripshare_token_expiry_seconds", in: text) > 0)
            #expect(Self.value("fleet_tokens_successes_total", "provider=\"trips\"", in: text) >= 1)
            #expect(text.contains("tripshare_findings_total{rule="))
            #expect(text.contains("tripshare_build_info{version=\"\(Tripshare.version)\"} 1"))
            Self.check(text, ids: ids)
            let emulated = try await Self.read(engine) {
                Self.value(
                    "tripshare_emulator_requests_total",
                    #"endpoint="fleet_engine",method="GET",status="200""#,
                    in: $0
                )
                    >= before + 2
            }
            #expect(Self.value("tripshare_emulator_requests_total", #"endpoint="tokens""#, in: emulated) >= 1)
            Self.check(emulated, ids: ids)
            if InstalledTool.promtool.isThere {
                for page in [text, emulated] {
                    let run = try await Program.run(
                        executable: InstalledTool.promtool.path,
                        ["check", "metrics"],
                        input: page
                    )
                    #expect(run.status == 0, "\(run.output)\(run.errors)")
                }
            }
            // A page of a web site must not read it by a name that leads to this machine.
            #expect(try await Self.read(session, host: "web.example").status == 403)
            #expect(try await Self.read(session.replacing("/metrics", with: "/other")).status == 404)
        }
    }

    @Test func `a port in use and an address without a port are reported`() async throws {
        let without = try await Program.run(["emulate", "--metrics-host", "0.0.0.0"])
        #expect(without.status == 64)
        #expect(without.errors.contains("--metrics-port"))
        try await RefusedPort.run { port in
            let used = try await Program.run(["emulate", "--metrics-port", "\(port)"])
            #expect(used.status == 69, "\(used.errors)")
            #expect(used.errors.contains("\(port)"), "\(used.errors)")
        }
    }

    @Test func `metrics on another address than loopback are announced with a warning`() async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(
                ["emulate", "--ready-file", ready.path, "--metrics-port", "0", "--metrics-host", "0.0.0.0"],
                in: folder
            )
            defer { emulator.terminate() }
            _ = try await FileArrival.wait(for: ready, from: emulator)
            #expect(emulator.errors.contains("metrics"), "\(emulator.errors)")
            let url = try Self.address(in: emulator.output)
            #expect(try await Self.read(url, host: "tripshare.example").status == 200)
        }
    }
}
