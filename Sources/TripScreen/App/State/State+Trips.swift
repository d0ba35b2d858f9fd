import Runtime
import TripModel
import TripText

/// Which trips are followed, and which of them is shown.
extension State {
    /// Shows another trip in the current view.
    mutating func select(_ index: Int) {
        guard trips.indices.contains(index), index != selected else { return }
        selected = index
        forgetPlaces()
    }

    /// Resets scroll positions and selections after a change of the shown trip.
    mutating func forgetPlaces() {
        for kind in views { panels[kind].forgetPlaces() }
        refreshView()
    }

    /// Shows the trip a number of steps after the current one.
    mutating func select(after steps: Int) { select((selected + steps + trips.count) % max(1, trips.count)) }

    /// Appends a trip to the list.
    mutating func append(_ journey: JourneyID) {
        followed.places[journey] = trips.count
        trips.append(FollowedTrip(id: journey))
        log.reporter.namesTrips = trips.count > 1
    }

    /// Removes a trip from the screen; the last one stays, because the screen needs a trip.
    mutating func remove(_ index: Int) {
        guard trips.count > 1 else { return }
        followed.all[index].giveUpBodies(&followed.bodies)
        followed.places[trips[index].id] = nil
        trips.remove(at: index)
        // Reading the trips would copy each of them.
        followed.places = followed.places.mapValues { $0 > index ? $0 - 1 : $0 }
        log.reporter.namesTrips = trips.count > 1
        guard index <= selected else { return }
        let wasShown = index == selected
        selected = max(0, min(index < selected ? selected - 1 : selected, trips.count - 1))
        if wasShown { forgetPlaces() }
        keepListedSelection()
    }

    /// Removes the first ended trip of the list if there are too many.
    mutating func removeOldestEnded() {
        guard trips.count > followed.maximumEnded else { return }
        // By index: an element of the loop would be a copy of the whole trip.
        let ended = trips.indices.filter { trips[$0].end != nil }
        guard ended.count > followed.maximumEnded, let oldest = ended.first(where: { $0 != selected }) else { return }
        remove(oldest)
    }
}
