import Failures
import Foundation
import Runtime
import Testing
import TripTestSupport

/// Compares with results that were written once, by an implementation that read characters where this one reads bytes.
///
/// `UPDATE_REDACTION=1` with `--filter RedactionOracleTests` writes them again, after a change of what is redacted.
@Suite("Redaction of generated texts", .ends(within: .longTest))
struct RedactionOracleTests {
    private struct Expected: Codable {
        struct Example: Codable {
            let text: String
            /// The results in the order of ``RedactionResults``; `nil` if the text is not changed.
            let results: [String?]
        }

        let cases: [Example]
        /// Of the texts of each seed from ``firstSeed`` on.
        let digests: [String]
    }

    private static let firstSeed = 1000
    private static let textsOfSeed = 25
    private static let file = Checkout.folder.appending(path: "Tests/FailuresTests/Redaction/expected.json")

    private static func expected() throws -> Expected {
        let expected = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: file))
        guard ProcessInfo.processInfo.environment["UPDATE_REDACTION"] != nil else { return expected }
        let examples = expected.cases.map { example in
            let results = RedactionResults.of(example.text).map { $0 == example.text ? nil : $0 }
            return Expected.Example(text: example.text, results: results)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let updated = Expected(cases: examples, digests: expected.digests.indices.map(digest))
        try encoder.encode(updated).write(to: file, options: .atomic)
        return updated
    }

    private static func digest(ofSeed index: Int) -> String {
        var generator = GeneratedText(seed: firstSeed + index)
        return RedactionResults.digest(of: (0..<textsOfSeed).map { _ in RedactionResults.of(generator.text()) })
    }

    @Test func `texts that resemble secrets are cleaned as written down`() throws {
        let examples = try Self.expected().cases
        #expect(examples.count > 50)
        for example in examples {
            let results = RedactionResults.of(example.text)
            #expect(results == example.results.map { $0 ?? example.text }, "\(example.text)")
        }
    }

    /// Secrets that other tests have made known would be hidden, too.
    @Test func `the results of more texts have the digests that were written down`() async throws {
        try await SeparateProcess.run {
            let digests = try Self.expected().digests
            #expect(digests.count == 40)
            for index in digests.indices { #expect(Self.digest(ofSeed: index) == digests[index], "\(index)") }
        }
    }

    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}"])
    func `a mark on a letter of a token does not show its signature`(_ mark: String) {
        let head = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0."
        let signature = String(repeating: "abcdefghijklmnopqrstuvwxyz", count: 13)
        for place in stride(from: 1, to: head.count + 250, by: 3) {
            let token = head + signature
            let shown = "got \(token.prefix(place))\(mark)\(token.dropFirst(place)) back".withoutPossibleSecrets
            #expect(!shown.contains("abcdefgh"), "\(shown)")
        }
    }

    @Test func `a text without anything to hide stays in one piece`() {
        let text = "GET https://host.example/v1/providers/p/trips/7f3a: 200, \"name\": \"a key\""
        #expect(text.withoutSecrets == text)
        #expect("\(text) token=abc".withoutSecrets == "\(text) token=<hidden>")
    }
}
