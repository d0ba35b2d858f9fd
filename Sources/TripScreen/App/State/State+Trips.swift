import Runtime
import TripModel
import TripText

/// Which trips are followed, and which of them is shown.
extension State {
    /// Shows another trip in the current view.
    mutating func select(_ index: Int) {
        followed.leaves = nil
        guard trips.indices.contains(index), index != selected else { return }
        selected = index
        forgetPlaces()
    }

    /// The real time for which an ended shipment of a demo is still shown, in seconds.
    private static let farewell = 8.0

    /// Plans to show the next shipment of a demo some seconds after the end of the shown one.
    mutating func planNext(after index: Int) {
        guard settings.ride != nil, index == selected, trips[index].id.kind == .shipment, next != nil else { return }
        followed.leaves = time.latest.advanced(by: .seconds(Self.farewell * settings.speed))
    }

    /// Shows the next shipment once the planned time has come; not while the user looks at something else.
    mutating func showNext() {
        guard let leaves = followed.leaves, time.latest.steady >= leaves.steady else { return }
        guard view == .trip, focus == .view, let next else {
            followed.leaves = nil
            return
        }
        display.changes += 1
        select(next)
    }

    /// The shipment that is delivered next, in the order in which they are followed; `nil` if all have ended.
    private var next: Int? {
        func isOpen(_ index: Int) -> Bool { trips[index].end == nil && trips[index].id.kind == .shipment }
        return trips.indices.dropFirst(selected + 1).first(where: isOpen) ?? trips.indices.first(where: isOpen)
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
