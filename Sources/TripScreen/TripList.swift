import Foundation
import TripFeed
import TripModel
import TripText

/// How the table of trips is ordered and filtered.
package struct TripList: Sendable, Equatable {
    /// What the rows are ordered by.
    package enum Order: Sendable, Hashable, CaseIterable {
        /// As the trips were named.
        case given
        case name
        case status
        case arrival
        /// The age of the vehicle's position.
        case age
        /// Failed polls.
        case errors

        /// What it orders by, within a sentence.
        var noun: StringKey {
            switch self {
            case .given: .orderGiven
            case .name: .orderName
            case .status: .orderStatus
            case .arrival: .orderArrival
            case .age: .orderAge
            case .errors: .orderErrors
            }
        }
    }

    /// What the rows are ordered by.
    package var order = Order.given
    /// Whether the last comes first.
    package var isReversed = false
    /// Only trips with this in their name, status or vehicle are shown; empty for all.
    package var filter = ""
}

extension State {
    /// The trips of the table in its order, as indices of ``trips``.
    package var listed: [Int] { longList?.order ?? ordered }

    /// The trips of the table in the order of this moment.
    var ordered: [Int] {
        let needle = list.filter.lowercased()
        let found =
            needle.isEmpty ? Array(trips.indices) : trips.indices.filter { trips[$0].matches(needle, settings.wording) }
        let sorted: [Int]
        switch list.order {
        case .given: sorted = found
        case .name: sorted = found.sorted { trips[$0].id.rawValue < trips[$1].id.rawValue }
        case .status: sorted = found.sortedByKey { trips[$0].state.trip?.status.rank.map(Double.init) }
        case .arrival:
            sorted = found.sortedByKey { index in
                Arrivals(of: trips[index].state).all.lazy.compactMap(\.expected).first?.timeIntervalSince1970
            }
        case .age: sorted = found.sortedByKey { trips[$0].state.receivedAge(at: now).map { -$0.seconds } }
        case .errors: sorted = found.sortedByKey { -Double(trips[$0].history.errors) }
        }
        return list.isReversed ? sorted.reversed() : sorted
    }

    /// Chooses the trip that stands so many rows further down in the table.
    mutating func moveSelection(by rows: Int) {
        keepLongList()
        let listed = listed
        guard !listed.isEmpty else { return }
        let place = listed.firstIndex(of: selected) ?? 0
        selected = listed[min(max(0, place + rows), listed.count - 1)]
    }

    /// Chooses the first trip of the table where the chosen one is filtered out.
    mutating func keepSelectionVisible() {
        keepLongList()
        let listed = listed
        if let first = listed.first, !listed.contains(selected) { selected = first }
    }
}

extension [Int] {
    /// Ordered by a number, those without one last, equal ones as they were.
    fileprivate func sortedByKey(_ key: (Int) -> Double?) -> [Int] {
        map { (index: $0, key: key($0) ?? .infinity) }
            .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
            .map(\.index)
    }
}

extension FollowedTrip {
    /// Whether its name, its status or its vehicle holds a text in lower case.
    fileprivate func matches(_ needle: String, _ say: Wording) -> Bool {
        id.rawValue.lowercased().contains(needle)
            || (state.trip?.status.name.lowercased().contains(needle) ?? false)
            || (state.trip?.vehicleID?.rawValue.lowercased().contains(needle) ?? false)
            || StatusWords(state, say: say).text.lowercased().contains(needle)
    }
}
