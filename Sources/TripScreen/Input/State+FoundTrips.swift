import Runtime
import TripModel

extension State {
    /// The maximum number of trips that a search offers.
    static let mostFoundTrips = 1000
    /// The time for which the result of a search is offered without another search.
    private static let searchInterval = Duration.seconds(10)

    /// Requests the trips of the project for the completions of `:watch`, unless it was done a moment ago.
    mutating func searchTrips() -> [Effect] {
        guard settings.findsTrips else { return [] }
        if let last = project.searched, time.latest.steady - last.steady < Self.searchInterval { return [] }
        project.searched = time.latest
        return [.findTrips]
    }
}
