package import TripFeed

extension ExpectationFile {
    /// A commented file with one expectation of each kind.
    package static var example: String { EmbeddedText.text(of: "Expectations/example.yaml") }
}
