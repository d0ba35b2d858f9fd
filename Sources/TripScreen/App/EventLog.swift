package import Canvas
package import Foundation
package import Runtime
import TripFeed
package import TripModel
import TripText

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
    /// The number of newest entries hidden by scrolling in the view of all events.
    package internal(set) var scroll = 0
    /// The same number in the panel of one trip.
    package internal(set) var panelScroll = 0

    /// Only entries that contain this text are shown; empty shows all.
    package internal(set) var filter = ""

    static let maximumCount = 500

    /// Creates an empty log.
    init(_ reporter: Reporter) { self.reporter = reporter }

    /// The entries that match the filter, oldest first.
    package var shown: SharedArray<Entry> {
        filter.isEmpty ? entries : entries.filter(lets)
    }

    /// Returns whether an entry matches the filter.
    private func lets(_ entry: Entry) -> Bool {
        guard !filter.isEmpty else { return true }
        let needle = filter.lowercased()
        return entry.text.lowercased().contains(needle)
            || (entry.journey?.rawValue.lowercased().contains(needle) ?? false)
    }

    /// Returns the entries about a trip and those about all trips, oldest first.
    package func entries(of journey: JourneyID) -> [Entry] { entries.filter { $0.concerns(journey) } }

    /// Adds an entry; a scrolled log and the scrolled panel of the shown trip retain their position.
    mutating func add(_ entry: Entry, showing journey: JourneyID?) {
        if replacesLast(entry) { return }
        insert(entry)
        if entries.count > Self.maximumCount { entries.removeFirst() }
        if scroll > 0, lets(entry) { scrollBack(by: 1) }
        if let journey, panelScroll > 0, entry.concerns(journey) { scrollPanel(of: journey, by: 1) }
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
        scrollBack(by: 0)
        panelScroll = min(panelScroll, max(0, entries.count - 1))
    }

    /// Scrolls the panel of a trip to older entries, or to newer ones with a negative number.
    mutating func scrollPanel(of journey: JourneyID, by lines: Int) {
        panelScroll = min(max(0, panelScroll + lines), max(0, entries(of: journey).count - 1))
    }

    /// Scrolls to older entries, or to newer ones with a negative number.
    mutating func scrollBack(by lines: Int) {
        scroll = min(max(0, scroll + lines), max(0, shown.count - 1))
    }
}
