import Foundation
import Testing
import TripTestSupport

/// `--accessible` with the built program.
@Suite("Sentences for screen readers", .ends(within: .longTest))
struct AccessibleTests {
    @Test func `reports where the vehicle is, where it goes and on which street, not more often than every 15 seconds`()
        async throws
    {
        let run = try await Program.run(["demo", "--speed", "60", "--seed", "1", "--accessible", "--lang", "en"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.utf8.allSatisfy { $0 == 10 || $0 >= 32 }, "no escape sequence and no frame")
        let lines = run.output.split(separator: "\n")
        let positions = lines.filter { $0.contains("  Vehicle: ") }
        let form =
            /\d\d:\d\d:\d\d  Vehicle: [\d.]+ k?m before the (pickup|drop-off), heading \w+ on [\w ]+, \d+ km\/h\./
        #expect(positions.count { $0.wholeMatch(of: form) != nil } >= 4, "\(run.output)")
        // A status is written before the position that belongs to it.
        let status = try #require(lines.firstIndex { $0.contains("Driver is on the way to the pickup") })
        // A busy machine makes positions old, which has a line of its own.
        let next = lines[(status + 1)...].first { $0.contains("  Vehicle: ") }
        #expect(next?.contains("before the pickup") == true, "\(run.output)")
        #expect(lines.count { $0.contains("before the drop-off") } <= 10, "\(run.output)")
    }

    @Test(arguments: [["--output", "json"], ["--output", "tui"], ["--script", "steps"]])
    func `is not combined with another output`(_ flags: [String]) async throws {
        let run = try await Program.run(["demo", "--accessible"] + flags)
        #expect(run.status == 64 && run.errors.contains("--accessible writes sentences"), "\(run.errors)")
    }

    @Test func `a setting asks for it, and a flag for another output wins`() async throws {
        let arguments = ["demo", "--speed", "60", "--seed", "1", "--lang", "en"]
        let settings = ["TRIPSHARE_ACCESSIBLE": "true"]
        let words = try await Program.run(arguments, environment: settings)
        #expect(words.status == 0 && words.output.contains("Vehicle: "), "\(words.errors)")
        let json = try await Program.run(arguments + ["--output", "json"], environment: settings)
        #expect(json.status == 0 && json.output.hasPrefix("{"), "\(json.errors)")
    }
}
