package import FleetTokens
package import Foundation
import TripModel

/// The fetches of a trip's tokens that are over, the last ones one by one.
package struct TokenHistory: Sendable, Equatable {
    /// One fetch.
    package struct Entry: Sendable, Equatable {
        /// When it was over, by our clock.
        package var time: Date
        /// Why it was begun; `nil` where its beginning was not seen.
        package var reason: FetchReason?
        /// How long it took.
        package var duration: Duration?
        /// When the token that it brought ends; `nil` where it brought none, or that is not known.
        package var end: Date?
        /// Why it brought none.
        package var error: TokenError?
    }

    /// The last fetches, oldest first, at most ``longest``.
    package private(set) var entries: [Entry] = []
    /// Tokens that the service refused.
    package private(set) var rejections = 0

    /// Fetches and refusals of which this screen, when it was slow, heard no more than their number.
    package private(set) var omitted = 0

    private var reason: FetchReason?

    static let longest = 100

    /// Takes in what happened to the token.
    mutating func add(_ event: TokenEvent) {
        switch event.kind {
        case .fetching(let reason): self.reason = reason
        case .stored, .repeated:
            add(Entry(time: event.at.wall, duration: event.status.lastFetchDuration, end: event.status.expiresAt))
        case .failed(let error):
            add(Entry(time: event.at.wall, duration: event.status.lastFetchDuration, error: error))
        case .rejected: rejections += 1
        case .omitted(let omission): omitted += omission.total
        case .discardedLate, .clockDisagreement, .evicted, .closed: break
        }
    }

    private mutating func add(_ entry: Entry) {
        var entry = entry
        entry.reason = reason
        reason = nil
        entries.append(entry)
        if entries.count > Self.longest { entries.removeFirst() }
    }

    /// The slowest of the last fetches.
    package var maximum: Duration? { entries.compactMap(\.duration).max() }
}
