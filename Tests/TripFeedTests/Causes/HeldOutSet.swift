import Foundation
import Testing

/// A file of held-out cases, and what a diagnosis has to reach on it.
///
/// The floors are shares of ``CauseCount``, from 0 to 1. In no file may a wrong party be called proven.
struct HeldOutSet {
    /// The name of the file, without its extension.
    let file: String
    /// The minimum number of cases with a known place.
    let failures: Int
    /// The minimum number of ordinary answers.
    let ordinaryAnswers: Int
    /// The floor of `CauseCount.first`.
    let first: Double
    /// The floor of `CauseCount.ordinary`.
    let ordinary: Double
    /// The floor of `CauseCount.likely`.
    let likely: Double

    /// The files of `Tests/TripFeedTests/Causes`.
    static let all: [HeldOutSet] = [
        .init(file: "HeldOutCauses", failures: 160, ordinaryAnswers: 50, first: 0.92, ordinary: 0.97, likely: 0.92),
        .init(file: "HeldOutCauses2", failures: 200, ordinaryAnswers: 100, first: 0.89, ordinary: 0.97, likely: 0.93),
    ]

    /// Reads the cases of a checkout.
    func causes(checkout: URL) throws -> [InjectedCause] {
        let url = checkout.appending(path: "Tests/TripFeedTests/Causes/\(file).json")
        return try JSONDecoder().decode([HeldOutCause].self, from: Data(contentsOf: url)).map { try $0.injected() }
    }
}

extension HeldOutSet: CustomTestStringConvertible {
    var testDescription: String { file }
}
