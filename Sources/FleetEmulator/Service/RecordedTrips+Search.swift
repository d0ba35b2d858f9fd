import FleetWire
import Foundation
import Recording
import Runtime
import TripModel

extension RecordedTrips {
    /// SearchTrips over the trips of a recording at a time, in the recording's order.
    func search(_ search: TripSearch, at now: Date) throws(ServiceError) -> Page<Trip> {
        if let staleness = search.minimumStaleness, staleness < .zero {
            throw .invalidArgument("minimum_staleness is negative")
        }
        var start = 0
        if let token = search.page.token {
            guard let number = Int(token), timelines.indices.contains(number) else {
                throw .invalidArgument("page_token is not valid for this list")
            }
            start = number
        }
        let size = min(search.page.size ?? Page<Trip>.size, Page<Trip>.maximumSize)
        var page = Page<Trip>(items: [], next: nil, total: timelines.count { $0.id.kind == .trip })
        for index in timelines.indices[start...] {
            guard let snapshot = timelines[index].snapshot(at: now), case .trip(var trip) = snapshot.journey,
                search.vehicleID == nil || trip.vehicleID == search.vehicleID
            else { continue }
            if search.activeOnly, trip.status.isTerminal { continue }
            if let staleness = search.minimumStaleness, now.timeIntervalSince(snapshot.time) < staleness.seconds {
                continue
            }
            guard page.items.count < size else {
                page.next = String(index)
                break
            }
            if search.vehicleID == nil { trip.leaveOutRoute() }
            page.items.append(trip)
        }
        return page
    }
}
