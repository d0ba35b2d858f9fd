import Foundation
import Recording
import Runtime
import Testing
import TripTestSupport

@testable import tripshare

/// Reports and screen recordings, read by programs that are not this project's.
@Suite("Reports in other programs", .ends(within: .longTest))
struct ReportReaderTests {
    private static let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path

    /// Exports a recording and returns what the reader found.
    private static func read<Facts: Decodable>(_ format: String, of recording: String) async throws -> Facts {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "export").path
            let run = try await Program.run(["export", recording, "--format", format, "--output-file", file])
            #expect(run.status == 0, "\(run.errors)")
            let output = try await PythonProgram.run("Tests/TripshareTests/Python/reports.py", [format, file])
            return try JSONDecoder().decode(Facts.self, from: output)
        }
    }

    private struct Markdown: Decodable {
        struct Table: Decodable {
            var heading: String
            var rows: [[String]]
        }
        var headings: [String]
        var tables: [Table]
        var html: Int

        func rows(_ heading: String) -> [[String]] {
            tables.filter { $0.heading == heading }.flatMap { $0.rows.dropFirst() }
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `markdown-it reads the report: trip, promises, errors, findings, tokens, notes and versions`() async throws {
        let facts: Markdown = try await Self.read("markdown", of: Self.ride)
        #expect(
            facts.headings == [
                "Session report", "Trip tr-1", "Status", "Promises and reality", "Errors", "Findings", "Tokens",
                "Notes",
                "Configuration and versions",
            ]
        )
        #expect(
            facts.html == 0
                && facts.tables.allSatisfy { table in table.rows.allSatisfy { $0.count == table.rows[0].count } }
        )
        #expect(facts.rows("Status").map(\.first).contains("ENROUTE_TO_PICKUP"))
        #expect(facts.rows("Promises and reality").map(\.first) == ["pickup", "dropoff"])
        #expect(facts.rows("Errors").map { $0[3] }.sorted() == ["HTTP_503", "TRANSPORT_TIMED_OUT"])
        #expect(!facts.rows("Notes").isEmpty)
        #expect(facts.rows("Configuration and versions").contains(["Report", Tripshare.programAndVersion]))
    }

    private struct Cast: Decodable {
        var version: Int
        var width: Int
        var height: Int
        var frames: Int
        var seconds: Double
        var areTimesInOrder: Bool
        var sizes: [[Int]]
        var rows: [String]
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `asciinema reads the screen of a session, and a terminal shows its last picture`() async throws {
        let packed = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings/engine-trouble.ndjson.gz").path
        try await Program.withFolder { folder in
            let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", packed])
            let file = folder.appending(path: "engine-trouble.ndjson")
            try Data(unpacked.output.utf8).write(to: file)
            var reader = try RecordingReader(bytes: Array(unpacked.output.utf8))
            var picture: ScreenPicture?
            while let event = reader.next() {
                guard case .screen(let line) = event.content, line.rows != nil else { continue }
                picture = ScreenPicture.picture(of: line, after: picture)
            }
            let cast: Cast = try await Self.read("asciicast", of: file.path)
            #expect(cast.version == 2 && cast.width == 80 && cast.height == 24 && cast.sizes.isEmpty)
            #expect(cast.frames > 20 && cast.areTimesInOrder && (5...120).contains(cast.seconds))
            #expect(cast.rows == picture?.rows)
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `a session without a screen is shown at 80x24`() async throws {
        let cast: Cast = try await Self.read("asciicast", of: Self.ride)
        #expect(cast.width == 80 && cast.height == 24 && cast.frames > 5)
        #expect(cast.rows.contains { $0.contains("Trip complete") }, "\(cast.rows)")
    }
}
