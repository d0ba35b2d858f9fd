import Failures
import Foundation
import Testing
import TripText

/// How often which party was suspected.
struct ConfusionMatrix {
    /// For a true party, how often which party was the first suspect.
    private var firsts: [String: [String: Int]] = [:]
    private(set) var cases = 0
    private(set) var first = 0
    private(set) var among = 0
    private(set) var suspects = 0
    /// Proven suspects that are not the truth.
    private(set) var wrongProofs: [String] = []
    /// Cases whose message shows nothing of what came back.
    private(set) var silent: [String] = []
    /// For a truth, how often it was not among the suspects.
    private(set) var excluded: [String: Int] = [:]

    mutating func add(_ generated: GeneratedCase) {
        let truth = generated.truth
        add(truth.rawValue, truth.party, generated.message, evidence: generated.evidence)
    }

    /// Counts a message about a mistake with this name that this party must correct; `evidence` is what came back.
    mutating func add(_ name: String, _ truth: Party, _ message: UserMessage, evidence: String) {
        let found = message.suspects
        cases += 1
        suspects += found.count
        firsts[truth.rawValue, default: [:]][found.first?.party.rawValue ?? "none", default: 0] += 1
        if found.first?.party == truth { first += 1 }
        if found.contains(where: { $0.party == truth }) {
            among += 1
        } else {
            excluded[name, default: 0] += 1
        }
        if let proven = found.first, proven.strength == .proven, proven.party != truth {
            wrongProofs.append("\(name): \(message.what)")
        }
        let quote = evidence.prefix(20)
        if !quote.isEmpty, !message.what.contains(quote) { silent.append("\(name): \(message.what)") }
    }

    /// Compares the matrix with the kept one; `UPDATE_MATRIX=1` keeps it.
    func expect(recordedAs name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "matrix.\(name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_MATRIX"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "Update with UPDATE_MATRIX=1")
    }

    /// The matrix as text: one row for each true party.
    var text: String {
        let columns = Party.allCases.map(\.rawValue) + ["none"]
        let width = columns.map(\.count).max() ?? 0
        func line(_ name: String, _ values: [String]) -> String {
            let cells = zip(columns, values).map { column, value in
                String(repeating: " ", count: max(0, column.count - value.count)) + value
            }
            let line = name.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        let rows = Party.allCases.compactMap { party in
            firsts[party.rawValue].map { counts in
                line(party.rawValue, columns.map { counts[$0].map(String.init) ?? "" })
            }
        }
        let missed = excluded.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
        return """
            \(cases) cases; true party first: \(percent(first)), among the suspects: \(percent(among)); \
            suspects: \(String(format: "%.2f", Double(suspects) / Double(max(1, cases)))); \
            wrong proofs: \(wrongProofs.count); without evidence: \(silent.count)

            The rows are the true parties, the columns the first suspects.

            \(line("", columns))
            \(rows.joined(separator: "\n"))

            Not among the suspects: \(missed.isEmpty ? "none" : missed.joined(separator: ", "))

            """
    }

    private func percent(_ count: Int) -> String {
        String(format: "%.1f %%", 100 * Double(count) / Double(max(1, cases)))
    }
}
