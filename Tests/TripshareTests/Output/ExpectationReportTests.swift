import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// `--expect` and `--report` with the built program.
@Suite("Expectations and reports", .ends(within: .longTest))
struct ExpectationReportTests {
    private static let yaml = """
        expect:
          - {name: The rider arrives, status: COMPLETE, within: 900}
          - {name: "No cancellation <\\"&'>", never: true, status: CANCELED}
          - {name: Never ends, never: true, status: COMPLETE}
          - {ask: Is the arrival the same as in the app?}
        """

    private struct Case: Decodable {
        var name: String
        var classname: String
        var time: Double
        var result: String
        var message: String
        var properties: [String: String]
        var output: String
    }

    /// A test case of the viewer junit2html.
    private struct Shown: Decodable {
        var name: String
        var outcome: String
        var message: String?
        var output: String?
        var isOnPage: Bool
    }

    private struct Suites: Decodable {
        var tests: Int
        var failures: Int
        var skipped: Int
        var suites: Int
        var suiteProperties: [String: String]
        var cases: [Case]
        var shown: [Shown]
    }

    private struct Line: Decodable, Equatable {
        var name: String
        var outcome: String
        var evidence: String
        var seconds: Double?
    }

    private struct Results: Decodable {
        var passed: Int
        var failed: Int
        var skipped: Int
        var expectations: [Line]
    }

    private static func demo(
        _ yaml: String,
        report: String? = nil,
        output: String = "json",
        in folder: URL
    ) async throws -> Program.Run {
        let file = folder.appendingPathComponent("expect.yaml")
        try yaml.write(to: file, atomically: true, encoding: .utf8)
        return try await Program.run(
            ["demo", "--speed", "60", "--seed", "1", "--output", output, "--expect", file.path]
                + (report.map { ["--report", $0] } ?? [])
        )
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `junitparser and a viewer read the report: every expectation with its outcome, evidence and properties`()
        async throws
    {
        try await Program.withFolder { folder in
            let report = folder.appendingPathComponent("report.xml").path
            let run = try await Self.demo(Self.yaml, report: report, in: folder)
            #expect(run.status == 1)
            #expect(run.errors.contains("1 of 4 expectations failed. The first is ‘Never ends’:\nit happened."))
            #expect(run.errors.contains("Only the screen asks the tester; this output skips: Is the arrival"))
            let data = try await PythonProgram.run("Tests/TripshareTests/Python/junit.py", [report])
            let suites = try JSONDecoder().decode(Suites.self, from: data)
            #expect(suites.tests == 4 && suites.failures == 1 && suites.skipped == 1 && suites.suites == 1)
            #expect(suites.suiteProperties["program"] == Tripshare.programAndVersion)
            #expect(suites.cases.map(\.result) == ["Passed", "Passed", "Failure", "Skipped"])
            #expect(suites.cases[1].name == #"No cancellation <"&'>"#)
            #expect(suites.cases[2].message == "it happened")
            #expect(suites.cases[3].message == "no answer from the tester")
            let properties = suites.cases[0].properties
            #expect(properties["kind"] == "must" && properties["status"] == "COMPLETE")
            #expect(properties["within"] == "900.0" && properties["evidence"]?.hasPrefix("true at poll ") == true)
            let trip = try #require(properties["trip"])
            #expect(suites.cases[0].classname == "tripshare.\(trip)" && suites.cases[0].time > 60)
            #expect(suites.cases[0].output.hasPrefix("true at poll "))
            #expect(suites.shown.map(\.name) == suites.cases.map(\.name))
            #expect(suites.shown.map(\.outcome) == ["passed", "passed", "failed", "skipped"])
            #expect(suites.shown[2].message == "it happened" && suites.shown[0].output?.hasPrefix("true at") == true)
            #expect(suites.shown.allSatisfy { $0.isOnPage })
        }
    }

    @Test func `what must not happen is an error with its cause if no poll was answered`() async throws {
        try await Program.withFolder { folder in
            let (yaml, report) = (folder.appending(path: "e.yaml"), folder.appending(path: "r.xml"))
            try Data("expect:\n  - {never: true, status: CANCELED}\n  - {never: true, status: COMPLETE}\n".utf8).write(
                to: yaml
            )
            try await RefusedPort.run { port in
                let run = try await Program.run(
                    [
                        "watch", "t", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(port)",
                        "--token-url", "http://127.0.0.1:\(port)/{tripId}", "--timeout", "3", "--output", "plain",
                        "--expect", yaml.path, "--report", report.path,
                    ]
                )
                #expect(run.status == 69, "\(run.status) \(run.errors)")
            }
            let text = try String(contentsOf: report, encoding: .utf8)
            #expect(text.contains(#"failures="0" errors="2" skipped="0""#), "\(text)")
            #expect(text.contains("<error message=") && text.contains("TOKEN_UNAVAILABLE"), "\(text)")
        }
    }

    @Test func `a project whose trips can't be listed still has a report, with the cause`() async throws {
        try await Program.withFolder { folder in
            let (yaml, report) = (folder.appending(path: "e.yaml"), folder.appending(path: "r.xml"))
            try Data("expect:\n  - {status: COMPLETE}\n  - {never: true, status: CANCELED, trips: all}\n".utf8).write(
                to: yaml
            )
            try await RefusedPort.run { port in
                let run = try await Program.run(
                    [
                        "watch", "--all", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(port)",
                        "--token-url", "http://127.0.0.1:\(port)/{tripId}",
                        "--server-token-url", "http://127.0.0.1:\(port)/x", "--timeout", "7", "--output", "plain",
                        "--expect", yaml.path, "--report", report.path,
                    ]
                )
                #expect(run.status == 69, "\(run.status) \(run.errors)")
            }
            let text = try String(contentsOf: report, encoding: .utf8)
            #expect(text.contains(#"failures="0" errors="2" skipped="0""#), "\(text)")
            #expect(text.contains("The search for trips failed: TOKEN_UNAVAILABLE"), "\(text)")
        }
    }

    @Test func `the JSON report and the lines of the output agree`() async throws {
        try await Program.withFolder { folder in
            let report = folder.appendingPathComponent("report.json").path
            let run = try await Self.demo(Self.yaml, report: report, in: folder)
            #expect(run.status == 1)
            let object = try JSONDecoder().decode(Results.self, from: try Data(contentsOf: URL(filePath: report)))
            #expect(object.passed == 2 && object.failed == 1 && object.skipped == 1)
            #expect(object.expectations.map(\.outcome) == ["passed", "passed", "failed", "skipped"])
            let lines = try run.lines.filter { $0.contains(#""type":"expectation""#) }
                .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            #expect(lines.count == 4 && lines.allSatisfy(object.expectations.contains))
        }
    }

    @Test func `the plain output has a sentence for each, and fulfilled expectations end with 0`() async throws {
        try await Program.withFolder { folder in
            let run = try await Self.demo(
                "expect:\n  - {name: Arrives, status: COMPLETE}\n",
                output: "plain",
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("Expectation passed: Arrives (true at poll "))
        }
    }

    @Test func `a bad file, a bad report name and an unwritable report are explained`() async throws {
        try await Program.withFolder { folder in
            let bad = try await Self.demo("expect:\n  - {statuss: NEW}\n", in: folder)
            #expect(bad.status == 65 && bad.output.isEmpty)
            #expect(
                bad.errors.contains("expect.yaml:2: statuss is unknown; did you mean status? valid names: name, ask,")
            )
            let none = try await Program.run(["demo", "--output", "json", "--expect", "/nowhere/x.yaml"])
            #expect(none.status == 66 && none.errors.contains("/nowhere/x.yaml"))
            let name = try await Self.demo(Self.yaml, report: "report.html", in: folder)
            #expect(name.status == 64 && name.errors.contains(".xml or .json"))
            #expect(try await Program.run(["demo", "--report", "x.xml"]).status == 64)
            let path = folder.appendingPathComponent("none/report.xml").path
            let lost = try await Self.demo("expect:\n  - {status: NEW}\n", report: path, in: folder)
            #expect(lost.status == 74 && lost.errors.contains("none/report.xml"))
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `a replay is judged by the recorded times, and the report names the recording`() async throws {
        try await Program.withFolder { folder in
            let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path
            let (file, report) = (folder.appending(path: "expect.yaml").path, folder.appending(path: "report.xml").path)
            let yaml = """
                expect:
                  - {name: Ends, status: COMPLETE, within: 600}
                  - {name: Ends at once, status: COMPLETE, within: 8}
                """
            try Data(yaml.utf8).write(to: URL(filePath: file))
            let run = try await Program.run([
                "replay", ride, "--output", "json", "--speed", "600", "--expect", file, "--report", report,
            ])
            #expect(run.status == 1 && run.errors.contains("1 of 2 expectations failed"), "\(run.errors)")
            let data = try await PythonProgram.run("Tests/TripshareTests/Python/junit.py", [report])
            let suites = try JSONDecoder().decode(Suites.self, from: data)
            #expect(suites.cases.map(\.result) == ["Passed", "Failure"])
            #expect(suites.suiteProperties["recording"] == ride)
            #expect(suites.cases.allSatisfy { $0.output.hasSuffix("\n[[ATTACHMENT|\(ride)]]") })
            #expect(try await Program.run(["replay", ride, "--report", report]).status == 64)
        }
    }
}
