/// A value of a failure, as it is shown and recorded.
package enum FailureValue: Sendable, Hashable {
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

    /// Whether a value of this type may have this name.
    func mayBeNamed(_ name: String) -> Bool {
        switch self {
        case .text: FailureText(rawValue: name) != nil
        case .number: FailureNumber(rawValue: name) != nil
        case .bytes: FailureSize(rawValue: name) != nil
        case .duration: FailureDuration(rawValue: name) != nil
        case .texts: FailureList(rawValue: name) != nil
        case .term: FailureTerm(rawValue: name) != nil
        }
    }
}

extension Failure {
    /// The text with a name; `nil` if there is none.
    package subscript(name: FailureText) -> String? {
        if case .text(let text)? = values[name.rawValue] { text } else { nil }
    }

    /// The number with a name; `nil` if there is none.
    package subscript(name: FailureNumber) -> Int? {
        if case .number(let number)? = values[name.rawValue] { number } else { nil }
    }

    /// The size with a name; `nil` if there is none.
    package subscript(name: FailureSize) -> Int? {
        if case .bytes(let bytes)? = values[name.rawValue] { bytes } else { nil }
    }

    /// The duration with a name; `nil` if there is none.
    package subscript(name: FailureDuration) -> Duration? {
        if case .duration(let duration)? = values[name.rawValue] { duration } else { nil }
    }

    /// Returns the failure with a text; unchanged for `nil`.
    package func with(_ name: FailureText, _ text: String?) -> Failure { with(name, text.map(FailureValue.text)) }

    /// Returns the failure with a number; unchanged for `nil`.
    package func with(_ name: FailureNumber, _ number: Int?) -> Failure { with(name, number.map(FailureValue.number)) }

    /// Returns the failure with a size in bytes; unchanged for `nil`.
    package func with(_ name: FailureSize, _ bytes: Int?) -> Failure { with(name, bytes.map(FailureValue.bytes)) }

    /// Returns the failure with a duration; unchanged for `nil`.
    package func with(_ name: FailureDuration, _ duration: Duration?) -> Failure {
        with(name, duration.map(FailureValue.duration))
    }

    /// Returns the failure with names.
    package func with(_ name: FailureList, _ texts: [String]) -> Failure { with(name, .texts(texts)) }

    /// Returns the failure with a name of this program; unchanged for `nil`.
    package func with(_ name: FailureTerm, _ key: TextKey?) -> Failure { with(name, key.map(FailureValue.term)) }

    private func with(_ name: some RawRepresentable<String>, _ value: FailureValue?) -> Failure {
        value.map { with([name.rawValue: $0]) } ?? self
    }
}
