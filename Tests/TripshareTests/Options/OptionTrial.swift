import Failures
import Foundation
import Recording
import Synchronization
import Testing
import TransportLive
import TripTestSupport

@testable import tripshare

/// Runs the program with one source and one option after another, and checks what each option does.
struct OptionTrial {
    let source: OptionTable.Source
    /// Has the files of the runs.
    let folder: URL
    /// The emulator; `nil` for a source that polls none.
    let ready: (path: String, control: String)?

    /// Passes a trial to the body, with an emulator if the source needs one.
    static func run(_ source: OptionTable.Source, body: (OptionTrial) async throws -> Void) async throws {
        try await Program.withFolder { folder in
            try Data("expect:\n  - {status: ENROUTE_TO_PICKUP, within: 3600}\n".utf8)
                .write(to: folder.appending(path: "expect.yaml"))
            let log = LogCommandTests.ride.joined(separator: "\n") + "\n"
            try Data(log.utf8).write(to: folder.appending(path: "log"))
            guard source.isPolled else {
                if source == .recording {
                    try Data(await RecordedReplay.bytes("airport-pickup")).write(
                        to: folder.appending(path: "recording")
                    )
                }
                return try await body(OptionTrial(source: source, folder: folder, ready: nil))
            }
            try await EmulatedEngine.run(["--speed", "5", "--grpc-port", "0"]) { path, object in
                let trips = try #require(object["tripIds"] as? [String])
                try Data(trips.joined(separator: "\n").utf8).write(to: folder.appending(path: "trips"))
                let control = try #require(object["controlURL"] as? String)
                try await body(OptionTrial(source: source, folder: folder, ready: (path, control)))
            }
        }
    }

    private func file(_ name: String) -> String { folder.appending(path: name).path }

    /// The command with its source; the fast ones take seconds.
    private func command(isFast: Bool = true) -> [String] {
        let watch = ["watch", "--emulator", ready?.path ?? ""]
        return switch source {
        case .trip: watch
        case .overGRPC: watch + ["--transport", "grpc"]
        case .tripsFile: watch + ["--trips-file", file("trips")]
        case .project: watch + ["--all"]
        case .demo: ["demo", "--seed", "1", "--speed", "5"]
        case .recording: ["replay", file("recording"), "--speed", isFast ? "600" : "1"]
        case .log: ["watch", "--log", file("log")]
        case .growingLog: ["watch", "--log", file("log"), "--follow"]
        case .playedLog: ["replay", file("log"), "--speed", isFast ? "600" : "1"]
        }
    }

    /// The trip of the source.
    private var trip: String {
        switch source {
        case .trip, .overGRPC, .tripsFile, .project, .demo: "trip-1"
        case .recording: "airport-1"
        case .log, .growingLog, .playedLog: "ride-1"
        }
    }

    /// What ends the session after the first event that a command or a web service gets.
    private var ending: [String] {
        // `--until` follows the present trips only.
        source == .project ? ["--timeout", "10"] : ["--until", "ENROUTE_TO_PICKUP"]
    }

    private func run(_ arguments: [String]) async throws -> Program.Run {
        try await Program.runInProcess(arguments + ["--lang", "en"])
    }

    /// Checks the effect of an option, or the refusal.
    func check(_ option: OptionTable.Option) async throws {
        let what = Comment(rawValue: "\(option.rawValue) with \(source.rawValue)")
        if let refusal = OptionTable.refusal(of: option, with: source) {
            let run = try await run(command() + ["--output", "plain"] + values(of: option, hook: 1))
            #expect(run.status == 64 && run.errors.contains(refusal.words), "\(what): \(run.errors)")
            return
        }
        if let ready {
            try await withLiveHTTPTransport { try await EmulatedEngine.reset(ready.control, over: $0) }
        }
        switch option {
        case .metrics: try await checkMetrics(what)
        case .webhook: try await checkWebhook(what)
        case .screen:
            let screen = file("screen")
            try Data("wait \(trip)\ndump \(screen)\n".utf8).write(to: URL(filePath: file("script")))
            let run = try await Program.run(command(isFast: false) + ["--script", file("script")])
            #expect(run.status == 0, "\(what): \(run.errors)")
            #expect(try String(contentsOfFile: screen, encoding: .utf8).contains(trip), what)
            try FileManager.default.removeItem(atPath: screen)
        case .timeout:
            // A log that is read at once ends before, without the status.
            let (seconds, status) = source == .log ? ("60", Int32(1)) : ("1", 69)
            let run = try await run(
                command(isFast: false) + ["--output", "plain", "--until", "COMPLETE", "--timeout", seconds]
            )
            #expect(run.status == status, "\(what): \(run.errors)")
        case .accessible:
            let ending =
                switch source {
                case .log, .playedLog: [String]()
                case .growingLog: ["--timeout", "5"]
                case .recording: ["--until", "ARRIVED_AT_PICKUP"]
                default: self.ending
                }
            let run = try await run(command() + ["--accessible"] + ending)
            #expect(run.status == 0 && run.output.contains("Vehicle: "), "\(what): \(run.output)\(run.errors)")
        case .until, .once, .json:
            let run = try await run(
                command() + ["--output", "json"] + values(of: option, hook: 1) + (option == .json ? ending : [])
            )
            #expect(run.status == 0, "\(what): \(run.errors)")
            let last = try #require(run.lines.last, what)
            #expect(last.contains(#""type":"end""#) && last.contains(trip), "\(what): \(last)")
            #expect(option != .until || last.contains(#""outcome":"reached""#), "\(what): \(last)")
        case .expect:
            let run = try await run(command() + ["--output", "json"] + values(of: option, hook: 1) + ending)
            #expect(run.status == 0, "\(what): \(run.errors)")
            try checkReport(run, what)
        case .record, .on:
            let run = try await run(command() + ["--output", "plain"] + values(of: option, hook: 1) + ending)
            #expect(run.status == 0, "\(what): \(run.errors)")
            try await checkFile(of: option, what)
        }
    }

    /// The arguments of an option.
    private func values(of option: OptionTable.Option, hook port: Int) -> [String] {
        switch option {
        case .expect: ["--expect", file("expect.yaml"), "--report", file("report.json")]
        case .record: ["--record", file("record")]
        case .on: ["--on", "status,arrival:60=sh -c 'cat >> \(file("events"))'"]
        case .webhook:
            [
                "--webhook", "http://127.0.0.1:\(port)/hook", "--webhook-events", "status,arrival:60",
                "--webhook-secret",
                "file:\(file("secret"))", "--webhook-batch", "3", "--notice-time", "600", "--notice-wait", "60",
            ]
        case .metrics: ["--metrics-port", "0"]
        case .until: ["--until", "ENROUTE_TO_PICKUP"]
        case .once: ["--once"]
        case .timeout, .accessible, .json, .screen: []
        }
    }

    private func checkFile(of option: OptionTable.Option, _ what: Comment) async throws {
        let text = try String(contentsOfFile: file(option == .on ? "events" : "record"), encoding: .utf8)
        #expect(text.contains(option == .on ? #""type":"notice""# : #""type":"poll""#), "\(what): \(text)")
        guard option == .record else { return }
        let replay = try await run(["replay", file("record"), "--once", "--output", "json"])
        #expect(replay.status == 0 && replay.output.contains(trip), "\(what): \(replay.errors)")
    }

    /// Checks the report, and that the line of the result comes after the one about the status that decided it.
    private func checkReport(_ run: Program.Run, _ what: Comment) throws {
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: file("report.json"))))
        #expect(report.passed == 1 && report.failed == 0 && report.undecided == 0, "\(what): \(report)")
        let result = try #require(run.lines.firstIndex { $0.contains(#""type":"expectation""#) }, what)
        let status = try #require(run.lines.firstIndex { $0.contains(#""ENROUTE_TO_PICKUP""#) }, what)
        #expect(status < result, "\(what): \(run.output)")
    }

    private struct Report: Decodable {
        var passed: Int
        var failed: Int
        var undecided: Int
    }

    private func checkWebhook(_ what: Comment) async throws {
        try Data("sixteen-bytes-or-more".utf8).write(to: folder.appending(path: "secret"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file("secret"))
        let requests = Mutex<[String]>([])
        let answer: @Sendable (String) -> String = { request in
            requests.withLock { $0.append(request) }
            return "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        }
        try await CannedServer.run(.answer(answer)) { server in
            let hook = values(of: .webhook, hook: server.port)
            let run = try await run(command() + ["--output", "plain"] + hook + ending)
            #expect(run.status == 0, "\(what): \(run.errors)")
            let summary = try #require(
                run.errors.firstMatch(of: /(\d+) of (\d+) notices? delivered/),
                "\(what): \(run.errors)"
            )
            #expect(summary.1 == summary.2 && summary.1 != "0", "\(what): \(run.errors)")
        }
        let all = requests.withLock(\.self)
        #expect(all.first?.hasPrefix("POST /hook ") == true, "\(what): \(all)")
        let body = try #require(all.first?.components(separatedBy: "\r\n\r\n").last, what)
        #expect(body.hasPrefix("[{") && body.contains(#""type":"notice""#), "\(what): \(all)")
        #expect(all.first?.lowercased().contains("\r\nwebhook-signature: v1,") == true, "\(what): \(all)")
    }

    /// Reads the metrics while the session goes on.
    private func checkMetrics(_ what: Comment) async throws {
        let arguments = command(isFast: false) + ["--output", "plain"] + values(of: .metrics, hook: 1)
        let running = try Program.start(arguments, in: folder)
        defer { running.terminate() }
        try await withLiveHTTPTransport { transport in
            var page = ""
            let end = ContinuousClock.now + .testTimeout
            while page.firstMatch(of: /tripshare_trips\{[^}]*\} [1-9]/) == nil {
                if running.isOver || ContinuousClock.now > end {
                    throw WaitFailure("\(what): no trip in the metrics: \(running.errors)\(page)")
                }
                try await Task.sleep(for: .milliseconds(50))
                guard let url = running.errors.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/metrics/) else { continue }
                let request = HTTPTransportRequest(url: String(url.0), timeout: .testTimeout)
                page = String(decoding: try await transport.send(request).body, as: UTF8.self)
            }
        }
        running.terminate()
        _ = try await running.result()
    }
}
