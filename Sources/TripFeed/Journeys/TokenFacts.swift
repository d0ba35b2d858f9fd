package import Failures
package import FleetTokens
import Foundation
import Runtime

/// What is known about the token of a journey.
package struct TokenFacts: Sendable {
    /// A status is large, and most journeys of a project have no token of their own.
    private indirect enum Stored: Sendable {
        case none
        case status(Fact<TokenStatus>)
    }

    /// Few journeys of a project have it, too.
    private indirect enum StoredKeys: Sendable {
        case none
        case facts(KeyFacts)
    }

    private var stored = Stored.none
    private var storedKeys = StoredKeys.none
    /// The fetches and the refusals.
    package private(set) var counts = TokenCounts()
    /// Why there is none; `nil` if there is one, and before the first fetch.
    package private(set) var missing: Fact<Failure>?
    /// The injected fault that explains ``missing``.
    private var fault: InjectedFault?
    /// When the token ends that the source returned again; `nil` if it did not.
    private var repeatedUntil: Date?
    /// Why the last fetch began.
    package private(set) var fetchReason: FetchReason?
    /// The names of the warnings about the last token.
    package private(set) var warnings: Set<String> = []

    /// The status after the last event; `nil` before the first one.
    package var status: Fact<TokenStatus>? { if case .status(let fact) = stored { fact } else { nil } }

    /// What the tokens were used for.
    package private(set) var keys: KeyFacts {
        get { if case .facts(let facts) = storedKeys { facts } else { KeyFacts() } }
        set { storedKeys = newValue == KeyFacts() ? .none : .facts(newValue) }
    }

    /// Returns the status with the details about a failed poll; `nil` if it does not explain the failure.
    package func status(explaining failure: Failure) -> TokenStatus? { status?.value.explaining(failure) }

    /// Records an event; returns `false` if it only repeats the last failure or the last returned token.
    mutating func apply(_ event: TokenEvent, _ stamp: EventStamp) -> Bool {
        counts.add(event.kind)
        keys.apply(event, after: status?.value, stamp)
        if case .omitted = event.kind {} else { stored = .status(Fact(event.status, stamp)) }
        switch event.kind {
        case .fetching(let reason): fetchReason = reason
        case .stored:
            missing = nil
            warnings = Set(event.status.warnings.map(\.name))
        case .failed(let error):
            let cause = event.status.injected(into: error.failure)
            guard missing?.value.path != error.failure.path || fault != cause else { return false }
            (missing, fault) = (Fact(error.failure, stamp), cause)
        case .repeated(let end):
            guard repeatedUntil != end || missing != nil else { return false }
            (missing, repeatedUntil) = (nil, end)
        case .rejected, .discardedLate, .clockDisagreement, .evicted, .omitted, .closed: break
        }
        return true
    }

    /// Records a complete poll, unless it had a server token.
    mutating func apply(_ report: PollReport, _ stamp: EventStamp) {
        if !report.isByServer { keys.apply(report, stamp) }
    }

    /// Records a call of the driver.
    mutating func apply(_ call: Call, _ stamp: EventStamp) { keys.apply(call, stamp) }
}
