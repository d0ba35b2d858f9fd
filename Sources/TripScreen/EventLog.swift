package import Canvas
package import Foundation
package import TripModel

/// What happened, newest last, bounded.
package struct EventLog: Sendable {
    /// One line.
    package struct Entry: Sendable, Equatable {
        /// When, by our clock.
        package var time: Date
        /// The trip that it is about; `nil` where it is about all.
        package var trip: TripID?
        /// How it is meant.
        package var role: Role
        /// What happened, harmless already.
        package var text: String
    }

    /// The last entries, oldest first, at most ``longest``.
    package private(set) var entries: [Entry] = []
    /// How many of the newest entries are scrolled out of sight.
    package internal(set) var scroll = 0

    /// Only events with this text are shown; empty for all.
    package internal(set) var filter = ""

    static let longest = 500

    /// The entries that the filter lets through, oldest first.
    package var shown: [Entry] {
        guard !filter.isEmpty else { return entries }
        let needle = filter.lowercased()
        return entries.filter {
            $0.text.lowercased().contains(needle) || ($0.trip?.rawValue.lowercased().contains(needle) ?? false)
        }
    }

    /// Adds a line; a scrolled log keeps its place.
    mutating func add(_ entry: Entry) {
        entries.append(entry)
        if entries.count > Self.longest { entries.removeFirst() }
        if scroll > 0 { scrollBack(by: 1) }
    }

    /// Moves towards older entries, or towards newer ones with a negative number.
    mutating func scrollBack(by lines: Int) {
        scroll = min(max(0, scroll + lines), max(0, shown.count - 1))
    }
}
