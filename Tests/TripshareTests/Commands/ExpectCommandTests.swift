import FleetEmulator
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// `tripshare expect`, and that a run and its recording are judged alike.
@Suite("Files of expectations", .ends(within: .longTest))
struct ExpectCommandTests {
    private static let schemaFile = Checkout.folder.appending(path: "Assets/Schemas/expectations.schema.json")

    @Test func `the example is a file that can be used, and the plain ride fulfils it`() async throws {
        try await Program.withFolder { folder in
            let example = try await Program.run(["expect", "--example"])
            #expect(example.status == 0 && example.errors.isEmpty)
            let file = folder.appending(path: "expect.yaml").path
            try Data(example.output.utf8).write(to: URL(filePath: file))
            let list = try await Program.run(["expect", file])
            #expect(list.status == 0, "\(list.errors)")
            #expect(list.output.contains("The ETA never slips by more than two minutes: eta-slip <= 2 min, always\n"))
            let demo = try await Program.run(
                ["demo", "--speed", "60", "--seed", "1", "--output", "plain", "--expect", file]
            )
            #expect(demo.status == 0, "\(demo.errors)")
            #expect(
                demo.output.split(separator: "\n").count { $0.contains("Expectation passed") } == 9,
                "\(demo.output)"
            )
        }
    }

    @Test func `names the line and the word that is probably meant`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "expect.yaml").path
            try Data("expect:\n  - name: fast\n    check: sped > 3\n".utf8).write(to: URL(filePath: file))
            let run = try await Program.run(["expect", file])
            #expect(run.status == 65)
            #expect(run.errors.contains("expect.yaml:3: check: sped is unknown; did you mean speed?"), "\(run.errors)")
        }
    }

    @Test(arguments: [[], ["--example", "--schema"], ["file", "--example"]])
    func `does one thing at a time`(_ arguments: [String]) async throws {
        let run = try await Program.run(["expect"] + arguments)
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test func `the schema in the sources is the one that the program writes`() throws {
        if ProcessInfo.processInfo.environment["UPDATE_MANUAL"] != nil {
            try Data((ExpectCommand.schema + "\n").utf8).write(to: Self.schemaFile)
        }
        #expect(try String(contentsOf: Self.schemaFile, encoding: .utf8) == ExpectCommand.schema + "\n")
    }

    @Test func `the manual describes each key and each measure`() throws {
        let page = Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/Expectations.md")
        let manual = try String(contentsOf: page, encoding: .utf8)
        for key in ExpectationKey.all {
            #expect(manual.contains("| `\(key.name)` | \(key.summary) |\n"), "\(key.name)")
        }
        for form in MeasureForm.all {
            let row = "| `\(form.pattern)` | \(form.quantity.rawValue) | \(form.summary) |\n"
            #expect(manual.contains(row), "\(form.id)")
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `a validator accepts the example by the schema, and refuses what the program refuses`() async throws {
        try await Program.withFolder { folder in
            let cases = [
                (ExpectationFile.example, true), ("expect:\n  - {status: [NEW], check: speed > 3}", true),
                ("expect:\n  - {after: polls > 3, status: NEW}", true), ("expect:\n  - {statuss: NEW}", false),
                ("expect:\n  - {check: sped > 3}", false), ("expect:\n  - {status: DONE}", false),
                ("expect:\n  - {finding: rain}", false), ("expect: []", false), ("expect:\n  - {trips: some}", false),
                ("expect:\n  - {delay: 5, status: NEW}", false), ("expect:\n  - {order: [NEW]}", false),
            ]
            for (index, (yaml, _)) in cases.enumerated() {
                try Data(yaml.utf8).write(to: folder.appending(path: "\(index).yaml"))
            }
            let files = cases.indices.map { folder.appending(path: "\($0).yaml").path }
            let output = try await PythonProgram.run(
                "Tests/TripshareTests/Python/schema.py",
                [Self.schemaFile.path] + files
            )
            let isValid = try JSONDecoder().decode([Bool].self, from: output)
            #expect(isValid == cases.map(\.1))
            for (index, file) in files.enumerated() {
                #expect(
                    try await Program.run(["expect", file]).status == (cases[index].1 ? 0 : 65),
                    "\(cases[index].0)"
                )
            }
        }
    }

    // MARK: Live and replayed

    private struct Report: Decodable {
        var expectations: [Result]

        struct Result: Decodable, Equatable {
            var name: String
            var trip: String?
            var outcome: String
            var evidence: String
            var seconds: Double?
            var polls: Int?
            var status: String?
            var time: String
            var values: [Value]?
        }

        struct Value: Decodable, Equatable {
            var check: String
            var value: String
            var poll: Int
            var time: String
        }
    }

    /// Each measure with limits around what is usual, in each extent; some of them pass, some fail, some are unknown.
    private static let everything: String = {
        var lines = ["expect:"]
        for form in MeasureForm.all {
            let name =
                switch form.argument {
                case .none, .optional: form.id
                case .needed: form.id + ".tier"
                case .field: form.id + ".remainingWaypoints.size"
                }
            let checks = form.quantity == .text ? ["== van-1", "!= missing"] : ["< 1", "< 30", ">= 300"]
            for check in checks {
                for extent in ["", ", always: true", ", never: true", ", throughout: true, after: ENROUTE_TO_PICKUP"] {
                    lines.append("  - {check: '\(name) \(check)', trips: all\(extent)}")
                }
            }
        }
        return lines.joined(separator: "\n")
    }()

    /// The rides and the halves of ``everything`` that they are judged by: the plain ride by both, because a file has at most
    /// 200 expectations, each scenario by one.
    private static let rides: [(scenario: String?, half: Int)] = {
        let isInCI = ProcessInfo.processInfo.environment["CI"] != nil
        let scenarios = isInCI ? Scenario.names : ["engine-trouble"]
        return [(nil, 0), (nil, 1)] + scenarios.enumerated().map { ($1, $0 % 2) }
    }()

    @Test(arguments: rides)
    func `a recording gives the same results as the run`(_ scenario: String?, half: Int) async throws {
        try await Program.withFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path }
            let lines = Self.everything.split(separator: "\n").dropFirst()
            let part = half == 0 ? lines.prefix(180) : lines.dropFirst(180)
            let (file, recording) = (path("expect.yaml"), path("ride.ndjson"))
            let (live, replayed) = (path("live.json"), path("replayed.json"))
            try Data(("expect:\n" + part.joined(separator: "\n")).utf8).write(to: URL(filePath: file))
            let flags = scenario.map { ["--scenario", $0] } ?? []
            let demo = try await Program.run(
                ["demo", "--speed", "240", "--seed", "1", "--output", "json", "--expect", file, "--report", live]
                    + ["--record", recording] + flags
            )
            #expect(demo.status == 1, "\(demo.errors)")
            let replay = try await Program.run(
                ["replay", recording, "--speed", "600", "--output", "plain", "--expect", file, "--report", replayed]
            )
            #expect(replay.status == 1, "\(replay.errors)")
            let first = try JSONDecoder().decode(Report.self, from: try Data(contentsOf: URL(filePath: live)))
            let second = try JSONDecoder().decode(Report.self, from: try Data(contentsOf: URL(filePath: replayed)))
            #expect(first.expectations.count == second.expectations.count && first.expectations.count >= part.count)
            for (one, other) in zip(first.expectations, second.expectations) { #expect(one == other) }
        }
    }
}
