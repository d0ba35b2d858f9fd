import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The order and the filter of the table of trips.
package struct TripList: Sendable, Equatable {
    /// The sort key.
    package enum Order: Sendable, Hashable, CaseIterable {
        /// The order given by the user.
        case given
        case name
        case status
        case arrival
        /// The age of the vehicle's position.
        case age
        /// The number of failed polls.
        case errors

        /// What it orders by, within a sentence.
        var noun: Text {
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

    /// The sort key.
    package var order = Order.given
    /// Whether the order is reversed.
    package var isReversed = false
    /// Shows only trips with this text in their name, status or vehicle; empty shows all.
    package var filter = ""
}

extension State {
    /// The rows of the table, as indices of ``trips``.
    package var listed: [Int] { followed.longList?.order ?? ordered }

    /// The rows of the table, computed now.
    var ordered: [Int] {
        let needle = list.filter.lowercased()
        let found =
            needle.isEmpty
            ? Array(trips.indices) : trips.indices.filter { trips[$0].matches(needle, settings.localizer) }
        let sorted: [Int]
        switch list.order {
        case .given: sorted = found
        case .name: sorted = found.sorted { trips[$0].id.rawValue < trips[$1].id.rawValue }
        case .status: sorted = found.sortedByKey { trips[$0].state.journey?.status.rank.map(Double.init) }
        case .arrival:
            sorted = found.sortedByKey { index in
                Arrivals(of: trips[index].state).all.lazy.compactMap(\.expected).first?.timeIntervalSince1970
            }
        case .age: sorted = found.sortedByKey { trips[$0].state.receivedAge(at: now).map { -$0.seconds } }
        case .errors: sorted = found.sortedByKey { -Double(trips[$0].history.errors) }
        }
        return list.isReversed ? sorted.reversed() : sorted
    }

    /// Moves the selection down by a number of rows.
    mutating func moveSelection(by rows: Int) {
        keepLongList()
        let listed = listed
        guard !listed.isEmpty else { return }
        let place = listed.firstIndex(of: selected) ?? 0
        selected = listed[min(max(0, place + rows), listed.count - 1)]
    }

    /// Selects the first row if the selected trip does not match the filter.
    mutating func keepSelectionVisible() {
        keepLongList()
        let listed = listed
        if let first = listed.first, !listed.contains(selected) { selected = first }
    }
}

extension [Int] {
    /// Returns the indices sorted by a number; items without a number come last, and equal items stay in their order.
    fileprivate func sortedByKey(_ key: (Int) -> Double?) -> [Int] {
        map { (index: $0, key: key($0) ?? .infinity) }
            .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
            .map(\.index)
    }
}

extension FollowedTrip {
    /// Returns whether its name, status or vehicle contains a lowercase text.
    fileprivate func matches(_ needle: String, _ localizer: Localizer) -> Bool {
        id.rawValue.lowercased().contains(needle)
            || (state.journey?.status.name.lowercased().contains(needle) ?? false)
            || (state.journey?.vehicleID?.rawValue.lowercased().contains(needle) ?? false)
            || StatusWords(state, localizer: localizer).text.lowercased().contains(needle)
    }
}
