import Foundation
import Testing
import TripTestSupport

/// The options of sessions with each source of events.
@Suite("Options with each source", .ends(within: .longTest))
struct OptionTableTests {
    @Test(arguments: OptionTable.Source.allCases)
    func `each option works, or the refusal says why`(source: OptionTable.Source) async throws {
        try await OptionTrial.run(source) { trial in
            for option in OptionTable.Option.allCases { try await trial.check(option) }
        }
    }

    @Test func `the manual has the table`() throws {
        let page = Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/Commands.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        for line in OptionTable.markdown { #expect(lines.contains(line), "put this into Commands.md: \(line)") }
    }
}
