import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// The times in the output of a replay are those of the recording.
@Suite("Times of a replay", .ends(within: .longTest))
struct ReplayTimeTests {
    private struct Line: Decodable {
        var time: String?
    }

    private static let expectations = """
        expect:
          - {check: polls < 30, trips: all, always: true}
          - {check: overdue < 5, always: true}
          - {status: CANCELED}
          - {status: COMPLETE, within: 60}
          - {never: true, finding: offRoute}
          - {failing: true}
        """

    /// Returns the times of all lines in seconds since midnight.
    private static func times(_ lines: Data) throws -> [Double] {
        try lines.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let text = try JSONDecoder().decode(Line.self, from: line).time else { return nil }
            let parts = text.dropLast().split(separator: "T")[1].split(separator: ":").compactMap { Double($0) }
            return parts[0] * 3600 + parts[1] * 60 + parts[2]
        }
    }

    @Test func `every line has the same time at every speed`() async throws {
        try await Program.withFolder { folder in
            let ride = try await unpackedRide(in: folder)
            var outputs: [String] = []
            for speed in ["600", "550", "300"] {
                let run = try await Program.run(["replay", ride.path, "--output", "json", "--speed", speed])
                #expect(run.status == 0, "\(run.errors)")
                let times = try Self.times(Data(run.output.utf8))
                #expect(times.count > 100)
                outputs.append(run.output)
            }
            #expect(outputs.allSatisfy { $0 == outputs[0] })
        }
    }

    @Test(arguments: ["plain", "json"])
    func `lines, verdicts and reports are the same at every speed`(form: String) async throws {
        try await Program.withFolder { folder in
            let ride = try await unpackedRide(in: folder)
            let file = folder.appending(path: "expect.yaml")
            try Data(Self.expectations.utf8).write(to: file)
            var outputs: Set<String> = []
            var reports: Set<String> = []
            for speed in ["600", "400", "500"] {
                let report = folder.appending(path: "\(speed).json")
                let run = try await Program.run(
                    [
                        "replay", ride.path, "--output", form, "--speed", speed, "--expect", file.path, "--report",
                        report.path,
                    ]
                )
                #expect(run.status == 1, "\(run.errors)")
                outputs.insert(run.output)
                reports.insert(String(decoding: try Data(contentsOf: report), as: UTF8.self))
            }
            #expect(outputs.count == 1 && reports.count == 1)
        }
    }
}
