/// A type with secret content: it prints its description only, also by `dump`.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["redacted": description]) }
}
