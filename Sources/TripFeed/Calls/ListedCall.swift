package import FleetTokens
package import FleetWire

/// A call in a list of calls.
package struct ListedCall: Sendable {
    /// The status of a token; indirect, because it is large.
    private indirect enum Token {
        case status(TokenStatus)
    }

    /// The number in the list, starting at 1.
    package var number: Int
    /// The call.
    package var call: Call
    /// The parts that the answer omitted because they had not changed.
    package private(set) var leftOut: Set<GuardedPart> = []
    private var token: Token?

    /// Creates a listed call.
    package init(_ call: Call, number: Int = 0) { (self.call, self.number) = (call, number) }

    /// Creates a listed call of a completed poll; `nil` if no request was sent.
    package init?(_ report: PollReport) {
        guard let call = report.call else { return nil }
        self.init(call)
        leftOut = report.leftOut
    }

    /// Creates a listed call of a completed fetch; `nil` for other events, and if the source was not asked.
    package init?(_ event: TokenEvent, because reason: FetchReason? = nil) {
        guard let call = Call(event, because: reason) else { return nil }
        self.init(call)
        token = .status(event.status)
    }

    /// The status of the token after a fetch; `nil` for other calls.
    package var tokenStatus: TokenStatus? { if case .status(let status) = token { status } else { nil } }
}

extension Call {
    /// The party in lists: whom the program called, or the other one that called.
    package var party: Party { self.asker == .program ? self.answerer : self.asker }
}
