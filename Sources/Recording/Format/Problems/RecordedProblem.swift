/// An error of a token, a token source or a connection: its name for programs and its values.
///
/// The members that are not `nil` depend on ``code``.
package final class RecordedProblem: Sendable, Codable {
    /// The name for programs, such as `timed_out`.
    package let code: String
    /// The reason in words, or a name; without secrets.
    package let reason: String?
    /// Another name, such as the intended spelling.
    package let name: String?
    /// More names, such as the known keys.
    package let names: [String]?
    /// An HTTP status, an exit status, a signal, a limit or a size.
    package let number: Int?
    /// The number of a gRPC status; ``number`` is the HTTP status of the same answer over REST.
    package let grpcStatus: Int?
    /// A duration in seconds.
    package let seconds: Double?
    /// Another duration in seconds.
    package let ofSeconds: Double?
    /// The wait before another attempt, in seconds.
    package let retryAfter: Double?
    /// The values of a failure with one of the codes of ``Failures/FailureCode``; `nil` for the other codes.
    package let values: [String: RecordedValue]?
    /// The error that caused this one.
    package let cause: RecordedProblem?

    /// Creates a problem from its code and values.
    package init(
        _ code: String,
        reason: String? = nil,
        name: String? = nil,
        names: [String]? = nil,
        number: Int? = nil,
        grpcStatus: Int? = nil,
        seconds: Double? = nil,
        ofSeconds: Double? = nil,
        retryAfter: Double? = nil,
        values: [String: RecordedValue]? = nil,
        cause: RecordedProblem? = nil
    ) {
        self.code = code
        self.reason = reason.map { RecordedText.redacted($0) }
        self.name = name.map { RecordedText.redacted($0) }
        self.names = names.map { $0.prefix(20).map { RecordedText.redacted($0) } }
        self.number = number
        self.grpcStatus = grpcStatus
        self.seconds = seconds
        self.ofSeconds = ofSeconds
        self.retryAfter = retryAfter
        self.values = values
        self.cause = cause
    }

    /// The duration of ``seconds``.
    var duration: Duration { Duration(recorded: seconds ?? 0) }

    /// The duration of ``retryAfter``.
    var delay: Duration { Duration(recorded: retryAfter ?? 0) }
}

extension RecordedProblem: Equatable {
    package static func == (left: RecordedProblem, right: RecordedProblem) -> Bool {
        left.code == right.code && left.reason == right.reason && left.name == right.name
            && left.names == right.names && left.number == right.number && left.grpcStatus == right.grpcStatus
            && left.seconds == right.seconds
            && left.ofSeconds == right.ofSeconds && left.retryAfter == right.retryAfter && left.values == right.values
            && left.cause == right.cause
    }
}
