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

extension TripsPanel {
    /// Returns the rows of the table, as indices of ``State/trips``.
    func listed(in state: State) -> [Int] { longList?.order ?? ordered(in: state) }

    /// Returns the rows of the table, computed now.
    private func ordered(in state: State) -> [Int] {
        let (trips, localizer) = (state.trips, state.settings.localizer)
        let needle = list.filter.lowercased()
        let found =
            needle.isEmpty ? Array(trips.indices) : trips.indices.filter { trips[$0].matches(needle, localizer) }
        let sorted: [Int]
        switch list.order {
        case .given: sorted = found
        case .name: sorted = found.sorted { trips[$0].id.rawValue < trips[$1].id.rawValue }
        case .status: sorted = found.sortedByKey { trips[$0].state.journey?.status.rank.map(Double.init) }
        case .arrival:
            sorted = found.sortedByKey { index in
                Arrivals(of: trips[index].state).all.lazy.compactMap(\.expected).first?.timeIntervalSince1970
            }
        case .age: sorted = found.sortedByKey { trips[$0].state.receivedAge(at: state.now).map { -$0.seconds } }
        case .errors: sorted = found.sortedByKey { -Double(trips[$0].history.errors) }
        }
        return list.isReversed ? sorted.reversed() : sorted
    }

    /// Requires a new order, after all trips were replaced.
    mutating func keepPlaces(in state: State) { longList = nil }

    /// Updates the cached order of a long list if necessary; only while the table is shown.
    mutating func updateLongList(in state: State) {
        guard state.trips.count > LongList.longestLive else {
            longList = nil
            return
        }
        guard state.view == .trips else { return }
        let second = (state.time.latest.steady.seconds / max(1, state.settings.speed)).rounded(.down)
        let key = LongList.Key(
            list: list,
            language: state.settings.localizer.language,
            trips: state.trips.count,
            second: Localizer.whole(second)
        )
        guard longList?.key != key else { return }
        let (live, active) = Connection.count(in: state)
        longList = LongList(key: key, order: ordered(in: state), active: active, live: live)
    }
}

extension State {
    /// The rows of the table of trips, as indices of ``trips``.
    package var listed: [Int] { panels.trips.listed(in: self) }

    /// The numbers of live and of followed trips.
    var liveTrips: (live: Int, active: Int) {
        panels.trips.longList.map { ($0.live, $0.active) } ?? Connection.count(in: self)
    }

    /// Updates the cached order of a long list of trips if necessary.
    mutating func updateLongList() {
        guard trips.count > LongList.longestLive || panels.trips.longList != nil else { return }
        change(TripsPanel.self) { $0.updateLongList(in: $1) }
    }

    /// Selects a listed trip, after one was removed while the table is shown.
    mutating func keepListedSelection() {
        if view == .trips { _ = update(TripsPanel.self) { $0.scrollToSelection(in: $1) } }
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
