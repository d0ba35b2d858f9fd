import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// Recordings of sessions have the members and values of the JSON Schema only.
@Suite("Schema of recorded sessions", .ends(within: .longTest))
struct RecordingSchemaSessionTests {
    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the stored recordings fit the schema, and a changed line does not`() async throws {
        let folder = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let result = try await RecordingSchema.check(files.filter { $0.pathExtension == "gz" })
        #expect(result.invalid == [] && result.accepted == [])
        #expect(result.lines["header"] == files.count && result.lines["poll"] ?? 0 > 100)
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why), arguments: UInt64(11)...13)
    func `a generated session fits the schema`(seed: UInt64) async throws {
        try await Program.withFolder { folder in
            var session = try await GeneratedSession(seed: seed, in: folder)
            _ = try await session.verify(reads: 40)
            let result = try await RecordingSchema.check([folder.appending(path: "session.ndjson")])
            #expect(result.invalid == [] && result.accepted == [])
            #expect(result.lines["token"] ?? 0 > 0 && result.lines["screen"] ?? 0 > 0, "\(result.lines)")
        }
    }
}
