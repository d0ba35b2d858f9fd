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
        /// Who is at fault and what to do next, harmless already.
        package var advice: String?
        /// Whether the next change of the interval takes its place.
        package var isInterval = false

        /// Whether it is about a trip, or about all.
        func concerns(_ trip: TripID) -> Bool { self.trip == nil || self.trip == trip }
    }

    /// The last entries, oldest first, at most ``longest``.
    package private(set) var entries: [Entry] = []
    /// How many of the newest entries are scrolled out of sight in the view of all.
    package internal(set) var scroll = 0
    /// How many are in the panel of one trip.
    package internal(set) var panelScroll = 0

    /// Only events with this text are shown; empty for all.
    package internal(set) var filter = ""

    static let longest = 500

    /// The entries that the filter lets through, oldest first.
    package var shown: [Entry] {
        filter.isEmpty ? entries : entries.filter(lets)
    }

    /// Whether the filter lets an entry through.
    private func lets(_ entry: Entry) -> Bool {
        guard !filter.isEmpty else { return true }
        let needle = filter.lowercased()
        return entry.text.lowercased().contains(needle)
            || (entry.trip?.rawValue.lowercased().contains(needle) ?? false)
    }

    /// The entries on a trip and those on none, oldest first.
    package func entries(of trip: TripID) -> [Entry] { entries.filter { $0.concerns(trip) } }

    /// Adds a line; a scrolled log keeps its place, and so does the panel of the shown trip.
    mutating func add(_ entry: Entry, showing trip: TripID?) {
        if takesPlace(entry) { return }
        entries.append(entry)
        if entries.count > Self.longest { entries.removeFirst() }
        if scroll > 0, lets(entry) { scrollBack(by: 1) }
        if let trip, panelScroll > 0, entry.concerns(trip) { scrollPanel(of: trip, by: 1) }
    }

    /// Puts an entry in the place of the one before where both tell of the interval of a trip, seconds apart: a key that
    /// is held down is one event.
    private mutating func takesPlace(_ entry: Entry) -> Bool {
        guard entry.isInterval, let index = entries.lastIndex(where: { $0.trip == entry.trip }),
            entries[index].isInterval, entry.time.timeIntervalSince(entries[index].time) < 10
        else { return false }
        entries[index] = entry
        return true
    }

    /// Moves the panel of a trip towards older entries, or towards newer ones with a negative number.
    mutating func scrollPanel(of trip: TripID, by lines: Int) {
        panelScroll = min(max(0, panelScroll + lines), max(0, entries(of: trip).count - 1))
    }

    /// Moves towards older entries, or towards newer ones with a negative number.
    mutating func scrollBack(by lines: Int) {
        scroll = min(max(0, scroll + lines), max(0, shown.count - 1))
    }
}
