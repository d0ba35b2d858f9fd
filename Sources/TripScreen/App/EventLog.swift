package import Canvas
package import Failures
package import FleetTokens
package import Foundation
package import Runtime
import TripFeed
package import TripModel
package import TripText

/// A bounded event log, newest entry last.
package struct EventLog: Sendable {
    /// A log entry.
    package struct Entry: Sendable, Equatable {
        /// The time by the local clock.
        package var time: Date
        /// The journey; `nil` if it concerns all trips.
        package var journey: JourneyID?
        /// The style role.
        package var role: Role
        /// The sanitized text.
        package var text: String
        /// The party at fault and the next step; sanitized.
        package var advice: String?
        /// Whether the next change of the interval replaces this entry.
        package var isInterval = false
        /// What it is about: an event, or calls in a log; empty for what the user did.
        var origins: [Statement.Origin] = []

        /// Returns whether the entry concerns a trip, or all trips.
        func concerns(_ journey: JourneyID) -> Bool { self.journey == nil || self.journey == journey }
    }

    /// What the events have shown of each trip.
    var journeys = JourneyTable()
    /// Converts what they have changed to messages.
    var reporter: Reporter
    /// Decides when the bell rings.
    let alerts = Alerts()
    /// The latest entries, oldest first, at most ``maximumCount``.
    package private(set) var entries: SharedArray<Entry> = []
    static let maximumCount = 500

    /// Returns the entries about a trip and those about all trips, oldest first.
    package func entries(of journey: JourneyID) -> [Entry] { entries.filter { $0.concerns(journey) } }

    /// Adds an entry; returns `false` if it replaces another one.
    @discardableResult
    mutating func add(_ entry: Entry) -> Bool {
        if replacesLast(entry) { return false }
        insert(entry)
        if entries.count > Self.maximumCount { entries.removeFirst() }
        return true
    }

    /// The longest time in seconds by which an entry, such as a slow answer or a finding, comes after newer entries.
    private static let longestDelay = 60.0

    /// Inserts an entry in order of time; after a change of the clock it is the last one.
    private mutating func insert(_ entry: Entry) {
        var place = entries.endIndex
        while place > entries.startIndex {
            let delay = entries[place - 1].time.timeIntervalSince(entry.time)
            if delay <= 0 { break }
            guard delay <= Self.longestDelay else {
                place = entries.endIndex
                break
            }
            place -= 1
        }
        entries.insert(entry, at: place)
    }

    /// Replaces the previous entry if both report the interval of the same trip within seconds.
    ///
    /// A key that is held down then causes a single entry.
    private mutating func replacesLast(_ entry: Entry) -> Bool {
        guard entry.isInterval, let index = entries.lastIndex(where: { $0.journey == entry.journey }),
            entries[index].isInterval, entry.time.timeIntervalSince(entries[index].time) < 10
        else { return false }
        entries[index] = entry
        return true
    }

    /// Replaces all entries by the entries of another time.
    mutating func replace(with entries: SharedArray<Entry>) {
        self.entries = entries
    }
}

/// A failed poll and the status of the token then.
///
/// All that the screen says about the failure comes from it.
package struct FailedPoll: Sendable, Equatable {
    /// Why the poll failed.
    package let failure: Failure
    /// The status of the token that explains it; `nil` if none does.
    package let token: TokenStatus?

    /// Creates a failed poll with the status of the token when it ended.
    init(_ failure: Failure, _ token: TokenStatus?) {
        (self.failure, self.token) = (failure, token?.explaining(failure))
    }

    /// Returns the message about it.
    package func message(about journey: JourneyID, _ settings: State.Settings) -> UserMessage {
        UserMessage(failure, token, journey: journey, host: settings.host, localizer: settings.localizer)
    }

    /// Returns all that is known about it.
    package func details(about journey: JourneyID, _ settings: State.Settings) -> FailureDetails {
        FailureDetails(
            failure,
            token,
            journey: journey,
            host: settings.host,
            zone: settings.zone,
            localizer: settings.localizer
        )
    }
}

extension FollowedTrip {
    /// The last poll if it failed; `nil` otherwise.
    package var failedPoll: FailedPoll? { lastFailure.flatMap { $0.end == nil ? $0.poll : nil } }

    /// Returns the message about why it is no longer followed; `nil` while it is.
    package func endMessage(host: String, _ localizer: Localizer) -> UserMessage? {
        end.map { UserMessage($0, tokenAtEnd, journey: id, host: host, localizer: localizer) }
    }

    private var tokenAtEnd: TokenStatus? {
        guard case .failed(let failure) = end else { return nil }
        return lastFailure?.poll.token?.explaining(failure)
    }
}
