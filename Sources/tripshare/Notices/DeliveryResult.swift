/// The result of one attempt to deliver notices to a receiver.
enum DeliveryResult: Sendable, Equatable {
    /// The receiver has them: a status of 200 to 299, or a command with the exit code 0.
    case delivered
    /// The receiver does not want them, and they are not sent again; the reason is in the language of the process.
    ///
    /// A status of 400 to 499 except 408 and 429, a redirection, a command that cannot be started or whose input is too large.
    case refused(String)
    /// They are sent again, not before `retryAfter`; the reason is in the language of the process.
    ///
    /// No connection, a time-out, the status 408, 429 or 500 to 599, a command with another exit code than 0.
    case failed(String, retryAfter: Duration? = nil)
}
