import Foundation
import Testing
import TripTestSupport

@Suite("Suspension", .ends(within: .minutes(20)))
struct SuspensionTests {
    /// Two hours pass in a process's own namespace of clocks; a system that has none, or lends none, skips it.
    @Test func `a token that ended while the machine was suspended is refused by the system's clock`() async throws {
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
