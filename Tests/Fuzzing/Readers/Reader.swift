/// A reader of outside bytes, as the fuzzer calls it.
package struct Reader: Sendable {
    /// The name of the reader, and of its folder of inputs.
    package let name: String
    /// Reads an input; a crash, a violated ``require(_:_:)``, much memory or much time is a finding.
    package let read: @Sendable (_ input: [UInt8]) -> Void

    /// All readers.
    package static let all = ofService + ofTokens + ofFiles + ofMaps + ofRequests
}

/// Ends the process with a message if a condition does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
