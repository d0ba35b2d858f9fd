package import Failures
package import FleetTokens

/// A call in a list of calls.
package struct ListedCall: Sendable {
    /// The status of a token; indirect, because it is large.
    private indirect enum Token {
        case status(TokenStatus)
    }

    /// The number in the list, starting at 1.
    package var number: Int
    /// The event that it came with; `nil` if its events are not numbered.
    package var event: EventNumber?
    /// The call.
    package var call: Call
    /// The parts that the answer omitted because they had not changed.
    package private(set) var leftOut: Set<GuardedPart> = []
    private var token: Token?

    /// Creates a listed call.
    package init(_ call: Call, number: Int = 0) { (self.call, self.number) = (call, number) }

    /// Creates a listed call of a completed poll; `nil` if no request was sent for it alone: a page of a search is one call.
    package init?(_ report: PollReport) {
        guard let call = report.call, call.operation != .searchTrips else { return nil }
        self.init(call)
        leftOut = report.leftOut
    }

    /// Returns the listed calls of a completed fetch; none for other events, and if the source was not asked.
    package static func calls(of event: TokenEvent) -> [ListedCall] {
        event.calls.map { call in
            var listed = ListedCall(call)
            if call.operation == .fetchToken { listed.token = .status(event.status) }
            return listed
        }
    }

    /// The status of the token after a fetch; `nil` for other calls.
    package var tokenStatus: TokenStatus? { if case .status(let status) = token { status } else { nil } }
}

extension Call {
    /// The party in lists: the party that the program called, or the party that called another one.
    package var party: Party { self.asker == .program ? self.answerer : self.asker }
}
