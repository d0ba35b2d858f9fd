import Failures
import Foundation
import Runtime
import Testing
import TripTestSupport

/// Compares diagnoses with answers of real software whose cause is known.
///
/// `TRIPSHARE_CAUSE_MATRIX=1` prints the confusion matrix of each file and the wrong diagnoses.
@Suite("Causes of answers of real software", .ends(within: .quickTest))
struct HeldOutCauseTests {
    @Test(arguments: HeldOutSet.all)
    func `the first suspect of a real answer is its cause`(_ set: HeldOutSet) async throws {
        let causes = try set.causes(checkout: Checkout.folder)
        #expect(causes.count { $0.place != .nowhere } >= set.failures)
        #expect(causes.count { $0.place == .nowhere } >= set.ordinaryAnswers)
        var count = CauseCount()
        var accepted: [String] = []
        for (index, cause) in causes.enumerated() {
            guard let diagnosis = try await cause.diagnosis() else {
                accepted.append(cause.name)
                continue
            }
            count.add(cause, diagnosis, seed: UInt64(index))
        }
        if ProcessInfo.processInfo.environment["TRIPSHARE_CAUSE_MATRIX"] != nil {
            print("\(set.file)\n" + count.wrong.joined(separator: "\n") + count.matrix)
        }
        let wrong = "\(count.matrix)\n\(count.wrong.prefix(5).joined(separator: "\n"))"
        #expect(accepted.isEmpty, "the client accepts answers that are none: \(accepted)")
        #expect(count.wronglyProven.isEmpty, "\(count.wronglyProven.prefix(5).joined(separator: "\n"))")
        #expect(count.first.value >= set.first, "\(wrong)")
        #expect(count.ordinary.value >= set.ordinary, "\(wrong)")
        #expect(count.likely.value >= set.likely, "\(wrong)")
    }

    @Test func `each case of all files has its own name, and parties unless it is ordinary`() throws {
        let causes = try HeldOutSet.all.flatMap { try $0.causes(checkout: Checkout.folder) }
        #expect(Set(causes.map(\.name)).count == causes.count)
        for cause in causes {
            #expect(cause.parties.isEmpty == (cause.place == .nowhere), "\(cause.name)")
        }
    }
}
