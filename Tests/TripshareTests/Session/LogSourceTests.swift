import AsyncAlgorithms
import Foundation
import Recording
import Testing
import TripFeed
import TripTestSupport

@testable import tripshare

@Suite("The source of a log", .ends(within: .longTest))
struct LogSourceTests {
    @Test func `the end comes once, after all entries`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A folder that is left over is harmless.
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "log")
        // Several reads of the file, the last of which ends in a line.
        let filler = String(repeating: " ", count: 40_000) + "\n"
        let text = LogCommandTests.ride.map { $0 + "\n" }.joined(separator: filler) + "torn"
        try Data(text.utf8).write(to: file)
        let source = try LogSource(path: file.path, trips: [], provider: nil, limits: FindingLimits(), follows: false)
        let (steps, invalid, reads) = await withTaskGroup(of: Void.self) { group in
            group.addTask { await source.read(ScaledClock(speed: 1)) }
            var (steps, invalid, reads) = (0, 0, 0)
            for await part in source.parts {
                guard case .items(let items) = part else { break }
                #expect(!items.isEmpty)
                reads += 1
                for item in items {
                    if case .step = item.content { steps += 1 }
                    if case .problem = item.content { invalid += 1 }
                }
            }
            return (steps, invalid, reads)
        }
        #expect(steps == LogCommandTests.ride.count && invalid == 1 && reads > 0)
        #expect(source.hasEnded)
    }
}
