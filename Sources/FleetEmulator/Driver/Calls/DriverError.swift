package import Failures

/// The reason why a simulated ride stopped.
package enum DriverError: Error, Sendable, Equatable {
    /// The service refused a call and a retry would not help; the message is untrusted text.
    case refused(call: String, httpStatus: Int, message: String?)
    /// The service was unreachable until all retries failed.
    case unreachable(call: String, Failure)
    /// No token was available, for this reason.
    case noToken(call: String, Failure)
    /// The ride was cancelled.
    case cancelled

    /// Whether the failed call needs an operator's token.
    package var isOfOperator: Bool {
        switch self {
        // A driver's token permits calls about its own vehicle only.
        case .refused(let call, _, _), .unreachable(let call, _), .noToken(let call, _):
            !DriverClient.driverCalls.contains(call)
        case .cancelled: false
        }
    }
}
