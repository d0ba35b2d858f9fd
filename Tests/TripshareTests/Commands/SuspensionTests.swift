import Foundation
import Testing
import TripTestSupport

@Suite("Suspension", .ends(within: .longTest))
struct SuspensionTests {
    /// Two hours pass in a time namespace of the process.
    ///
    /// Skipped if the system does not allow one.
    @Test func `a token that expired while the machine was suspended is refused by the system clock`() async throws {
        let path = URL(fileURLWithPath: Program.path).deletingLastPathComponent().appendingPathComponent("Benchmarks")
            .path
        let run = try await Program.withFolder { folder in
            try await RunningProgram(path: path, ["suspension"], in: folder).result()
        }
        if run.status == 77 { try Test.cancel("\(run.output)") }
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("is refused"))
    }
}
