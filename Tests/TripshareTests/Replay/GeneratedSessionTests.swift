import Testing
import TripTestSupport
import TripText

@testable import tripshare

/// The recording of any session gives its screens again.
@Suite("Recordings of generated sessions", .serialized, .ends(within: .longTest))
struct GeneratedSessionTests {
    @Test(arguments: UInt64(1)...6)
    func `is verified`(seed: UInt64) async throws {
        try await Program.withFolder { folder in
            var session = try await GeneratedSession(seed: seed, in: folder)
            let result = try await session.verify(reads: 60)
            #expect(result.isEqual, "\(result.text(.english).joined(separator: "\n"))")
            #expect(result.screens > 10 && result.untracedScreens == 0 && result.skipped == 0)
        }
    }
}
