package import Failures
package import FleetTokens
package import Foundation
import Runtime
package import TripFeed
import TripModel

/// The completed token fetches of a trip; the latest ones individually.
package struct TokenHistory: Sendable, Equatable {
    /// A fetch.
    package struct Entry: Sendable, Equatable {
        /// When it completed, by the local clock.
        package var time: Date
        /// Its reason; `nil` if its start was not observed.
        package var reason: FetchReason?
        /// Its duration.
        package var duration: Duration?
        /// The token's expiry; `nil` without a token or if unknown.
        package var end: Date?
        /// The number of the stored token; `nil` without a new one.
        package var number: Int?
        /// Why it failed.
        package var failure: Failure?
        /// The injected fault that explains it; `nil` if none does.
        package var injected: InjectedFault?
        /// The event of its completion; `nil` if the events are not numbered.
        package var event: EventNumber?
        /// The number of polls that were sent with the token.
        package var polls = 0
    }

    /// The latest fetches, oldest first, at most ``maximumCount``.
    package private(set) var entries: [Entry] = []
    /// The number of tokens that the service refused.
    package private(set) var rejections = 0
    /// When it refused the latest ones, oldest first, at most ``maximumCount``.
    package private(set) var rejected: [Date] = []

    /// The number of fetches and refusals dropped because the screen was slow.
    package private(set) var omitted = 0

    private var reason: FetchReason?
    /// The last event of the token; `nil` before the first.
    private(set) var last: EventStamp?
    /// The last refusal; `nil` before the first.
    private(set) var refusal: Refusal?

    /// A refusal of the token by the service.
    struct Refusal: Sendable, Equatable {
        /// The status that the service answered with.
        let status: AnswerStatus
        /// The event of the token; `nil` if the events are not numbered.
        let event: EventStamp?
        /// The poll that was refused, which ends after the event of the token; `nil` before.
        fileprivate(set) var poll: EventStamp?

        /// The events, the refused poll first.
        var evidence: [EventStamp] { [poll, event].compactMap(\.self) }
    }

    static let maximumCount = 100

    /// Records a token event and its number in the session.
    mutating func add(_ event: TokenEvent, _ number: EventNumber?) {
        last = number.map { EventStamp(number: $0, received: event.at) }
        switch event.kind {
        case .fetching(let reason): self.reason = reason
        case .stored(let generation): addToken(event, generation)
        case .repeated: addToken(event, nil)
        // A pause after a refusal is no fetch.
        case .failed(let error) where error.failure.rejection != nil: break
        case .failed(let error):
            var entry = Entry(time: event.at.wall, duration: event.status.lastFetchDuration, failure: error.failure)
            entry.injected = event.status.injected(into: error.failure)
            add(entry)
        case .rejected(let status):
            rejections += 1
            refusal = Refusal(status: status, event: last)
            rejected = rejected.suffix(Self.maximumCount - 1) + [event.at.wall]
        case .omitted(let omission): omitted += omission.total
        case .discardedLate, .clockDisagreement, .evicted, .closed: break
        }
    }

    /// Counts a completed poll of the trip for the token that it was sent with; a page of a search has another token.
    mutating func count(_ report: PollReport) {
        guard let call = report.call, call.operation != .searchTrips, let number = call.token,
            let index = entries.lastIndex(where: { $0.number == number })
        else { return }
        entries[index].polls += 1
    }

    /// Returns the number of polls that were sent with a token; `nil` if its fetch is not known.
    package func polls(with number: Int) -> Int? { entries.last { $0.number == number }?.polls }

    /// Records the event of a complete poll, which may be the one that the last refusal is about: then it began before.
    mutating func addPoll(_ report: PollReport, _ stamp: EventStamp) {
        guard let refusal, refusal.poll == nil, report.status == refusal.status, let event = refusal.event,
            report.started.steady <= event.received.steady
        else { return }
        self.refusal?.poll = stamp
    }

    private mutating func addToken(_ event: TokenEvent, _ number: Int?) {
        var entry = Entry(time: event.at.wall, duration: event.status.lastFetchDuration, end: event.status.expiresAt)
        entry.number = number
        add(entry)
    }

    private mutating func add(_ entry: Entry) {
        var entry = entry
        entry.reason = reason
        entry.event = last?.number
        reason = nil
        entries.append(entry)
        if entries.count > Self.maximumCount { entries.removeFirst() }
    }

    /// The maximum duration of the latest fetches.
    package var maximum: Duration? { entries.compactMap(\.duration).max() }
}
