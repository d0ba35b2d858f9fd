/// A value of a failure.
public enum FailureValue: Sendable, Hashable {
    /// A text: a library's own words or a name from the configuration.
    case text(String)
    /// A number without a unit.
    case number(Int)
    /// A size in bytes.
    case bytes(Int)
    /// A duration.
    case duration(Duration)
    /// Several names.
    case texts([String])
    /// A name of this program for something, by the key of its text.
    case term(TextKey)
}

extension Failure {
    /// The text with a name; `nil` if there is none.
    public func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }

    /// The number or the size with a name; `nil` if there is none.
    public func number(_ name: String) -> Int? {
        switch values[name] {
        case .number(let number), .bytes(let number): number
        case .text, .duration, .texts, .term, nil: nil
        }
    }

    /// The duration with a name; `nil` if there is none.
    public func duration(_ name: String) -> Duration? {
        if case .duration(let duration)? = values[name] { duration } else { nil }
    }
}
