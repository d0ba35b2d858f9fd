/// What went wrong: a row of the table of failures, with the values of this case, the evidence and the cause.
///
/// Two failures are equal if their codes, values, causes and injected faults are: the evidence about equal failures differs.
public struct Failure: Error, Sendable, Equatable {
    /// The stored parts, outside of the value because errors are passed through many results.
    private final class Storage: Sendable {
        let code: FailureCode
        let values: [String: FailureValue]
        let exchange: Exchange?
        let cause: Failure?

        init(_ code: FailureCode, _ values: [String: FailureValue], _ exchange: Exchange?, _ cause: Failure?) {
            (self.code, self.values, self.exchange, self.cause) = (code, values, exchange, cause)
        }
    }

    private let storage: Storage

    /// The row of the table.
    public var code: FailureCode { storage.code }
    /// The values of this case by their names, which are the placeholders of the texts.
    public var values: [String: FailureValue] { storage.values }
    /// What was sent and what came back; `nil` if nothing was sent, or if the failure comes from a recording.
    public var exchange: Exchange? { storage.exchange }
    /// The failure that caused this one; `nil` if it is the root.
    public var cause: Failure? { storage.cause }

    /// Creates a failure.
    public init(
        _ code: FailureCode,
        _ values: [String: FailureValue] = [:],
        exchange: Exchange? = nil,
        cause: Failure? = nil
    ) {
        storage = Storage(code, values, exchange, cause)
    }

    /// Returns the failure with its evidence; one that has evidence keeps it.
    public func with(_ exchange: Exchange?) -> Failure {
        guard let exchange, self.exchange == nil else { return self }
        return Failure(code, values, exchange: exchange, cause: cause)
    }

    /// Compares codes, values, causes and injected faults.
    public static func == (left: Failure, right: Failure) -> Bool {
        left.storage === right.storage
            || left.code == right.code && left.values == right.values && left.cause == right.cause
                && left.exchange?.fault == right.exchange?.fault
    }
}

extension Failure: CustomStringConvertible {
    /// The code and the values, for logs of developers and messages of tests.
    public var description: String {
        guard !values.isEmpty else { return code.rawValue }
        return "\(code.rawValue) \(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    }
}

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
    case term(String)
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
