package import Runtime
import TripModel

/// The trips of the screen, and which of them is shown.
package struct FollowedTrips: Sendable {
    /// The followed trips in the order given; at least one.
    package internal(set) var all: SharedArray<FollowedTrip>
    /// The shown trip, an index of ``all``.
    package internal(set) var selected = 0
    /// When the screen goes on to the next shipment, because the shown one has ended; `nil` if it does not.
    var leaves: Moment?
    /// The index of each trip in ``all``.
    var places: [JourneyID: Int]
    /// The stored bodies of all trips.
    var bodies = BodyLedger()
    /// Numbers the calls of all trips and of the project.
    var calls = CallNumbers()
    /// The maximum number of ended trips shown, at least the number of initial trips.
    let maximumEnded: Int

    /// Creates the trips of a session; a trip that is named twice appears once.
    init(_ trips: [JourneyID]) {
        var named: Set<JourneyID> = []
        let trips = trips.filter { named.insert($0).inserted }
        all = SharedArray(trips.map(FollowedTrip.init))
        places = Dictionary(trips.enumerated().map { ($1, $0) }) { first, _ in first }
        maximumEnded = max(1000, trips.count)
    }
}

extension State {
    /// The followed trips in the order given; at least one.
    package internal(set) var trips: SharedArray<FollowedTrip> {
        get { followed.all }
        _modify { yield &followed.all }
    }

    /// The shown trip, an index of ``trips``.
    package internal(set) var selected: Int {
        get { followed.selected }
        set { followed.selected = newValue }
    }
}
