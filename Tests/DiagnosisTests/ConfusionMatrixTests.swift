import Failures
import Foundation
import Testing
import TripTestSupport
import TripText

/// Failures whose truth is known: how often the program suspects the right party.
@Suite("Generated diagnoses", .ends(within: .quickTest))
struct ConfusionMatrixTests {
    @Test(arguments: [("development", false), ("final", true)])
    func `the parties at fault are suspected as in the stored matrix`(name: String, isFinal: Bool) async throws {
        var matrix = ConfusionMatrix()
        for seed in 0..<1000 {
            matrix.add(try await GeneratedCase(seed: UInt64(seed) &* 0x9E37_79B9 &+ 7, isFinal: isFinal))
        }
        #expect(matrix.wrongProofs.isEmpty, "\(matrix.wrongProofs.prefix(10))")
        #expect(matrix.silent.isEmpty, "\(matrix.silent.prefix(10))")
        #expect(Double(matrix.first) >= 0.85 * Double(matrix.cases))
        #expect(Double(matrix.among) >= 0.98 * Double(matrix.cases))
        #expect(Double(matrix.suspects) <= 1.6 * Double(matrix.cases))
        try matrix.expect(recordedAs: name)
    }

    @Test(arguments: ["development", "final"])
    func `most answers of real products are blamed on the party that must fix them`(set: String) async throws {
        let cases = try HeldOutCase.all(set)
        var (first, among, suspects) = (0, 0, 0)
        for held in cases {
            let message = try await held.message()
            let isFirst = message.suspects.first.map { held.accepts($0.party) } ?? false
            first += isFirst ? 1 : 0
            among += message.suspects.contains { held.accepts($0.party) } ? 1 : 0
            suspects += message.suspects.count
            #expect(isFirst || message.suspects.first?.strength != .proven, "\(held.name): \(message.lines())")
        }
        #expect(Double(first) >= 0.85 * Double(cases.count), "\(first) of \(cases.count)")
        #expect(Double(among) >= 0.9 * Double(cases.count), "\(among) of \(cases.count)")
        #expect(Double(suspects) <= 1.6 * Double(cases.count), "\(suspects) of \(cases.count)")
    }

    @Test(arguments: 0..<150)
    func `a message claims nothing that the history refutes`(seed: Int) async throws {
        let generated = try await GeneratedCase(seed: UInt64(seed) &* 0xC2B2_AE35 &+ 3, isFinal: seed % 2 == 0)
        guard generated.history.tokens > 0 || generated.history.hasAnswer else { return }
        let words = generated.message.lines().joined(separator: " ")
        for refuted in [
            "this command line", "A newer token will not help", "Start it", "Check --token-url", "Check host and port",
        ] {
            #expect(!words.contains(refuted), "\(generated.truth): \(words)")
        }
    }

    @Test(arguments: 0..<150)
    func `only a proven suspect is named as a fact`(seed: Int) async throws {
        let generated = try await GeneratedCase(seed: UInt64(seed) &* 0x85EB_CA6B &+ 5, isFinal: seed % 2 == 0)
        let words = generated.message.lines().joined(separator: " ")
        let isProven = generated.message.suspects.first?.strength == .proven
        #expect(words.contains("At fault:") == isProven, "\(generated.truth): \(words)")
        #expect(!generated.message.suspects.isEmpty, "\(generated.truth): \(words)")
    }
}
