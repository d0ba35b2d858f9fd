import Foundation
import Testing
import TripTestSupport

/// Quota, thresholds and command names, with the real program.
@Suite("Quota, thresholds, commands", .ends(within: .longTest))
struct SessionSettingTests {
    private func ride(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Program.Run {
        try await Program.run(
            ["demo", "--speed", "120", "--output", "json", "--until", "COMPLETE"] + arguments,
            environment: environment
        )
    }

    /// Independent of the machine's load: every position is older than 0 s, and none is older than eleven days.
    private static let strict = ["--threshold", "measuredAge=0"]
    private static let lenient = ["--threshold", "measuredAge=1000000"]

    private func isStale(_ run: Program.Run) -> Bool { run.output.contains(#""rule":"positionStale""#) }

    @Test func `a threshold decides when a finding is reported`() async throws {
        let strict = try await ride(Self.strict)
        #expect(strict.status == 0 && isStale(strict), "\(strict.output)")
        let lenient = try await ride(Self.strict + Self.lenient)
        #expect(lenient.status == 0 && !isStale(lenient), "\(lenient.output)")
    }

    @Test func `the configuration's thresholds apply unless a flag sets them`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data(#"{"thresholds": {"measuredAge": 0}}"#.utf8).write(to: file)
            let environment = ["TRIPSHARE_CONFIG": file.path]
            let strict = try await ride([], environment: environment)
            #expect(strict.status == 0 && isStale(strict), "\(strict.output)")
            let lenient = try await ride(Self.lenient, environment: environment)
            #expect(lenient.status == 0 && !isStale(lenient), "\(lenient.output)")
        }
    }

    @Test func `the environment's thresholds override the file's, and a flag overrides both`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data(#"{"thresholds": {"measuredAge": 1000000, "gap": 45}}"#.utf8).write(to: file)
            let environment = ["TRIPSHARE_CONFIG": file.path, "TRIPSHARE_THRESHOLDS": "gap=40, measuredAge=0"]
            let strict = try await ride([], environment: environment)
            #expect(strict.status == 0 && isStale(strict), "\(strict.output)")
            let lenient = try await ride(Self.lenient, environment: environment)
            #expect(lenient.status == 0 && !isStale(lenient), "\(lenient.output)")
        }
    }

    @Test(arguments: [("ofRoute=3", "no threshold ‘ofRoute’"), ("gap=45,gap", "NAME=NUMBER"), ("gap=-1", "gap takes")])
    func `names the variable with invalid thresholds`(
        text: String,
        words: String
    ) async throws {
        let run = try await Program.runInProcess(["demo"], environment: ["TRIPSHARE_THRESHOLDS": text])
        #expect(run.status == 78 && run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.contains("TRIPSHARE_THRESHOLDS"))
        #expect((1...3).contains(run.errors.split(separator: "\n").count))
    }

    @Test(arguments: [
        (#"{"thresholds": {"ofRoute": 3}}"#, "no threshold ‘ofRoute’"),
        (#"{"thresholds": {"gap": "long"}}"#, "gap takes a number"),
        (#"{"thresholds": {"routeShare": 1.5}}"#, "from 0 to 1 "),
        (#"{"thresholds": 3}"#, "‘thresholds’"),
        (#"{"quota": 2.5}"#, "‘quota’"),
        (#"{"quota": 0}"#, "‘0’"),
    ])
    func `names an invalid setting`(text: String, words: String) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data(text.utf8).write(to: file)
            let run = try await Program.runInProcess(["demo"], environment: ["TRIPSHARE_CONFIG": file.path])
            #expect(run.status == 78 && run.errors.contains(words), "\(run.errors)")
            #expect((1...3).contains(run.errors.split(separator: "\n").count))
        }
    }

    @Test func `lists all thresholds when one is unknown`() async throws {
        let run = try await Program.runInProcess(["demo", "--threshold", "speeed=3"])
        #expect(run.status == 64)
        for name in ["‘speeed’", "overdue (30 s)", "routeShare (0.05 of 1)", "offRoute (50 m)", "speed (68 m/s)"] {
            #expect(run.errors.contains(name), "\(run.errors)")
        }
    }

    @Test(arguments: [(["--quota", "6"], [:]), ([], ["TRIPSHARE_QUOTA": "6"])] as [([String], [String: String])])
    func `a quota lengthens the interval`(arguments: [String], environment: [String: String]) async throws {
        try await EmulatedEngine.run(["--speed", "60"]) { ready, _ in
            let run = try await Program.run(
                ["watch", "--emulator", ready, "--once", "--output", "plain"] + arguments,
                environment: environment
            )
            #expect(run.status == 0 && run.output.contains("Interval raised from 5 s to 10 s"), "\(run.output)")
        }
    }

    @Test func `lists all commands when one is unknown`() async throws {
        let run = try await Program.runInProcess(["wacth", "trip-1"])
        #expect(run.status == 64)
        #expect(run.errors.contains("no command ‘wacth’") && run.errors.contains("‘watch’"))
        #expect(run.errors.contains("demo, present, watch, track, trips, emulate, drive, token, tokens, doctor"))
        #expect(run.errors.split(separator: "\n").count == 2)
    }
}
