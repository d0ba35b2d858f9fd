package import Failures
import FleetTokens
import Runtime

/// A failure: its code in the table of failures, its values and its cause; the evidence is recorded apart from it.
///
/// In format 1.1 and before, the code had no family, and each value a member of its own.
package final class RecordedProblem: Sendable, Codable {
    /// The code, such as `transport.timed_out`.
    package let code: String
    /// `source` if no complete answer of a source of tokens was received.
    package let asked: String?
    /// The values by their names; `nil` without values, and in format 1.1.
    package let values: [String: RecordedValue]?
    /// The wait before another attempt, in seconds.
    package let retryAfter: Double?
    /// The failure that caused this one.
    package let cause: RecordedProblem?

    // MARK: Format 1.1

    /// The reason in words, or a name.
    let reason: String?
    /// Another name, such as the intended spelling.
    let name: String?
    /// More names, such as the known keys.
    let names: [String]?
    /// An HTTP status, an exit status, a signal, a limit or a size.
    let number: Int?
    /// The number of a gRPC status; ``number`` is the HTTP status of the same answer over REST.
    let grpcStatus: Int?
    /// A duration in seconds.
    let seconds: Double?
    /// Another duration in seconds.
    let ofSeconds: Double?

    /// Converts a failure.
    package init(_ failure: Failure) {
        code = failure.code.rawValue
        asked = failure.asked == .service ? nil : failure.asked.rawValue
        values = failure.values.isEmpty ? nil : failure.values.mapValues(RecordedValue.init)
        retryAfter = failure.retryAfter?.recorded
        cause = failure.cause.map { RecordedProblem($0) }
        (reason, name, names, number, grpcStatus, seconds, ofSeconds) = (nil, nil, nil, nil, nil, nil, nil)
    }
}

extension RecordedProblem {
    /// The families of failures, of which each place of a recording has one.
    package enum Family: String, Sendable {
        case transport, token, source, fault, warning
    }

    /// Returns the failure; `nil` for an unknown code and for one of another family.
    package func failure(of family: Family) -> Failure? {
        guard let code = FailureCode(rawValue: code) else {
            return failure(inOldForm: family)?.retrying(after: retryAfter.map(Duration.init(recorded:)))
        }
        guard isOfSource ? family == .source : code.family == family.rawValue else { return nil }
        return failure(code, depth: 0)
    }

    /// The failure of a connection; an unknown code is another error with this reason.
    package var transportError: Failure { failure(of: .transport) ?? .other(reason: reason ?? code) }

    /// Returns the failure with a code of any family, as that of a cause; `nil` for an unknown one.
    func anyFailure(depth: Int = 1) -> Failure? { FailureCode(rawValue: code).flatMap { failure($0, depth: depth) } }

    /// Returns the failure; `nil` for one that is about its cause if that is missing or unknown.
    private func failure(_ code: FailureCode, depth: Int) -> Failure? {
        let cause = depth < Self.mostCauses ? cause?.anyFailure(depth: depth + 1) : nil
        guard cause != nil || !code.row.traits.contains(.isOfCause) else { return nil }
        return Failure(
            code,
            failureValues,
            asked: isOfSource && code.row.ofSource != nil ? .source : .service,
            cause: cause,
            retryAfter: retryAfter.map(Duration.init(recorded:))
        )
    }

    private var isOfSource: Bool { asked == Failure.Asked.source.rawValue }

    /// The maximum number of values that are read.
    private static let mostValues = 20
    /// The maximum number of causes of causes that are read.
    private static let mostCauses = 5

    private var failureValues: [String: FailureValue] {
        let known = (values ?? [:]).sorted { $0.key < $1.key }.prefix(Self.mostValues)
        return Dictionary(known.compactMap { name, value in value.failureValue.map { (name, $0) } }) { $1 }
    }
}

extension RecordedProblem: Equatable {
    package static func == (left: RecordedProblem, right: RecordedProblem) -> Bool {
        left.code == right.code && left.asked == right.asked && left.values == right.values
            && left.retryAfter == right.retryAfter
            && left.cause == right.cause
            && (left.reason, left.name, left.names, left.number) == (
                right.reason, right.name, right.names, right.number
            )
            && (left.grpcStatus, left.seconds, left.ofSeconds) == (right.grpcStatus, right.seconds, right.ofSeconds)
    }
}
