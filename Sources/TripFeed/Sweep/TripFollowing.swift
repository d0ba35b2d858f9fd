package import TripModel

/// Follows trips and reports their events: a ``TripFeed`` follows named trips, a ``ProjectFeed`` those of a project.
package protocol TripFollowing: Sendable {
    /// Follows the trips until no more can come or the task is cancelled.
    func run() async

    /// Adds a trip, unless it is already followed.
    func add(_ id: JourneyID)

    /// Removes a trip; ``FeedEnd/left`` is its last event.
    func remove(_ id: JourneyID) async

    /// Sends a command to the polls of a trip, which reply with a ``FeedEvent/scheduled(_:_:)``.
    func command(_ command: FeedCommand, journey: JourneyID) async

    /// Tells which trips the user looks at, so that they are polled at the full rate.
    func look(at trips: Set<JourneyID>)
}

extension TripFeed {
    /// All trips are polled at the same rate, whether the user looks at them or not.
    package func look(at trips: Set<JourneyID>) {}
}
