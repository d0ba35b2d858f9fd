import ArgumentParser
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// `tripshare expect`: checks a file of expectations, or writes an example or a schema.
struct ExpectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expect",
        abstract: "Check a file of expectations, or write an example or its schema.",
        discussion: "Prints the expectations of the file. watch, demo, replay and watch --log judge them with --expect."
    )

    @Argument(help: ArgumentHelp("The file of expectations (YAML).", valueName: "file"))
    var file: String?

    @Flag(help: "Write a commented file with one expectation of each kind.")
    var example = false

    @Flag(help: "Write the JSON Schema of files of expectations, for editors.")
    var schema = false

    func validate() throws {
        let count = (file == nil ? 0 : 1) + (example ? 1 : 0) + (schema ? 1 : 0)
        try require(count == 1, .usageExpect)
    }

    func run() throws {
        if example { return Printing.own(ExpectationFile.example.trimmingCharacters(in: .newlines)) }
        if schema { return Printing.own(Self.schema) }
        guard let file else { return }
        for expectation in try ExpectationFile.read(at: file, trips: nil) {
            let words = expectation.words
            Printing.out(expectation.name == words ? words : "\(expectation.name): \(words)")
        }
    }

    /// The schema as it is written.
    static var schema: String {
        let schema = ExpectationKey.schema(findings: FindingRule.all.map(\.id))
        return String(decoding: JSONBytes.encode(schema, isIndented: true), as: UTF8.self)
    }
}
