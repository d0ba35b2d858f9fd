import Foundation
import Runtime
import Testing
import TripTestSupport

@testable import tripshare

/// Each notice once, or reported, whatever the receivers do and whenever the process ends.
@Suite("Interleavings of delivery", .ends(within: .adjustableTest))
struct NoticeInterleavingTests {
    /// The number of runs with several ends; a longer test has more.
    private static let runs = ProcessInfo.processInfo.environment["TRIPSHARE_SEEDS"].flatMap(Int.init) ?? 1000

    @Test func `delivers or reports each notice if processes end at random steps`() {
        for seed in 0..<UInt64(Self.runs) {
            var lives = SeededGenerator(seed: seed &+ 0x1234_5678)
            let ends = (0..<Int.random(in: 0...6, using: &lives)).map { _ in Int.random(in: 1...80, using: &lives) }
            let run = NoticeRun(seed: seed, ends: ends)
            run.perform()
            let problems = run.problems
            #expect(problems.isEmpty, "seed \(seed), ends \(ends): \(problems)")
            if !problems.isEmpty { return }
        }
    }

    @Test(arguments: 0..<UInt64(6))
    func `delivers or reports each notice if the process ends at any one step`(seed: UInt64) {
        var end = 1
        while true {
            let run = NoticeRun(seed: seed, ends: [end])
            run.perform()
            let problems = run.problems
            #expect(problems.isEmpty, "seed \(seed), step \(end): \(problems)")
            // The process has lived to its end.
            if run.lives == 1 || !problems.isEmpty { break }
            end += 1
        }
        #expect(end > 15, "the run has few steps")
    }

    @Test func `the runs contain what they are meant to test`() {
        var kinds: [String: Int] = [:]
        for seed in 0..<UInt64(60) {
            let run = NoticeRun(seed: seed, ends: [20, 40])
            run.perform()
            for step in run.world.steps {
                let name =
                    switch step {
                    case .sent: "sent"
                    case .received: "received"
                    case .removed: "removed"
                    case .reported: "reported"
                    case .refused: "refused"
                    }
                kinds[name, default: 0] += 1
            }
            kinds["unstored", default: 0] += run.world.unstored.count
            kinds["repeated", default: 0] += run.duplicates
        }
        for name in ["sent", "received", "removed", "reported", "refused", "unstored", "repeated"] {
            #expect((kinds[name] ?? 0) > 20, "\(kinds)")
        }
    }
}
