import FleetEngineProtos
package import FleetWire
package import Foundation
import Runtime
package import TripModel

extension World {
    /// SearchTrips; results are in order of creation.
    package func searchTrips(_ search: TripSearch, at now: Date) throws(ServiceError) -> Page<Trip> {
        if let staleness = search.minimumStaleness, staleness < .zero {
            throw .invalidArgument("minimum_staleness is negative")
        }
        var found: [(number: Int, item: TripID)] = []
        for (id, record) in trips where search.vehicleID == nil || record.trip.vehicleID == search.vehicleID?.rawValue {
            if search.activeOnly, !record.isActive { continue }
            if let staleness = search.minimumStaleness, now.timeIntervalSince(record.updatedAt) < staleness.seconds {
                continue
            }
            found.append((record.number, id))
        }
        var filter = search
        filter.page = PageRequest()
        let page = try Page(of: found, search.page, filter: "\(filter)")
        var views: [Trip] = []
        for id in page.items {
            var trip = try view(of: id, at: now)
            if search.vehicleID == nil { trip.leaveOutRoute() }
            views.append(trip)
        }
        return Page(items: views, next: page.next, total: page.total)
    }

    /// ListVehicles; results are in order of creation.
    package func listVehicles(_ list: VehicleList, at now: Date) throws(ServiceError) -> Page<VehicleMessage> {
        let found = vehicles.values.filter { (record: VehicleRecord) -> Bool in
            let vehicle = record.vehicle
            if let capacity = list.minimumCapacity, vehicle.maximumCapacity < capacity { return false }
            if !list.tripTypes.isEmpty, !list.tripTypes.contains(where: vehicle.tripTypes.contains) {
                return false
            }
            if !list.categories.isEmpty, !list.categories.contains(vehicle.category ?? "UNKNOWN") { return false }
            if let state = list.state, vehicle.state != state { return false }
            if list.onTripOnly, record.trips.isEmpty { return false }
            if let staleness = list.maximumStaleness, !vehicle.isFresh(staleness, at: now) { return false }
            if let viewport = list.viewport {
                guard let here = vehicle.place, viewport.contains(here) else { return false }
            }
            return list.attributes.isMet(by: vehicle.attributes.compactMap(\.attribute))
        }
        var filter = list
        filter.page = PageRequest()
        let page = try Page(of: found.map { ($0.number, $0) }, list.page, filter: "\(filter)")
        return Page(items: page.items.map(\.answered), next: page.next, total: page.total)
    }

    /// SearchVehicles; the best match comes first.
    package func searchVehicles(_ search: VehicleSearch, at now: Date) -> [VehicleMatch] {
        let matches = vehicles.values.sorted { $0.number < $1.number }.compactMap {
            match(of: $0, search, at: now)
        }
        let sorted = matches.enumerated().sorted { one, two in
            let (left, right) = (one.element.cost(search.order), two.element.cost(search.order))
            return left == right ? one.offset < two.offset : left < right
        }
        return sorted.prefix(search.count).map(\.element)
    }

    /// Returns how a vehicle could serve a ride; `nil` if it could not.
    private func match(of record: VehicleRecord, _ search: VehicleSearch, at now: Date) -> VehicleMatch? {
        let vehicle = record.vehicle
        guard vehicle.state == .online, vehicle.tripTypes.contains(search.tripType),
            vehicle.maximumCapacity >= search.minimumCapacity,
            search.categories.contains(vehicle.category ?? "UNKNOWN"),
            vehicle.isFresh(search.maximumStaleness, at: now),
            search.attributes.isMet(by: vehicle.attributes.compactMap(\.attribute)),
            let here = vehicle.place, let kind = kind(of: record, search)
        else { return nil }
        let straight = here.distance(to: search.pickup)
        guard straight.meters <= Double(search.radius) else { return nil }
        var match = VehicleMatch(
            vehicle: record.answered,
            straightDistance: straight,
            tripType: search.tripType,
            kind: kind,
            order: search.order
        )
        // A back-to-back vehicle starts from the end of its current ride.
        let last = kind.hasSuffix("BACK_TO_BACK") ? record.way.waypoints.last : nil
        let drive = roads.drive(from: last?.coordinate ?? here, to: search.pickup)
        let start = last?.eta ?? now
        match.pickupETA = start.addingTimeInterval(drive.duration.seconds)
        match.pickupDistance = drive.distance
        if let dropoff = search.dropoff {
            let ride = roads.drive(from: search.pickup, to: dropoff)
            match.rideDistance = ride.distance
            match.dropoffETA = match.pickupETA?.addingTimeInterval(ride.duration.seconds)
        }
        return match
    }

    /// Returns the type of a match; `nil` if the vehicle's trips exclude another trip.
    private func kind(of record: VehicleRecord, _ search: VehicleSearch) -> String? {
        // The trip for which a vehicle is searched does not exclude its own match.
        let active = record.trips.filter { $0 != search.tripID }.compactMap { trips[$0]?.trip }
        let isFinishing =
            active.count == 1 && active[0].tripStatus == .enrouteToDropoff && record.vehicle.backToBackEnabled
        switch search.currentTrips {
        case "NONE": return active.isEmpty ? "EXCLUSIVE" : nil
        case "ANY":
            guard active.count <= 5, record.way.waypoints.count <= 10 else { return nil }
            if active.isEmpty { return "EXCLUSIVE" }
            let seats = Int(record.vehicle.maximumCapacity) - active.reduce(0) { $0 + Int($1.numberOfPassengers) }
            if active.allSatisfy({ $0.tripType == .shared }), seats >= search.minimumCapacity { return "CARPOOL" }
            return isFinishing && search.tripType == .shared ? "CARPOOL_BACK_TO_BACK" : nil
        default:
            if active.isEmpty { return "EXCLUSIVE" }
            return search.includesBackToBack && isFinishing ? "BACK_TO_BACK" : nil
        }
    }
}

extension Trip {
    /// Removes what a search without a vehicle does not return.
    mutating func leaveOutRoute() {
        route = nil
        remainingWaypoints = []
        remainingDistance = nil
        etaToFirstWaypoint = nil
        remainingTime = nil
    }
}

extension VehicleMessage {
    /// The last position on the road.
    fileprivate var place: Coordinate? { lastLocation.hasLocation ? lastLocation.location.coordinate : nil }

    /// Returns whether the location was reported within `staleness`.
    fileprivate func isFresh(_ staleness: Duration, at now: Date) -> Bool {
        guard lastLocation.hasServerTime else { return false }
        return now.timeIntervalSince(lastLocation.serverTime.time) <= staleness.seconds
    }
}

extension VehicleMatch {
    /// Returns the sort key of an order; smaller is better.
    fileprivate func cost(_ order: String) -> Double {
        let never = Double.greatestFiniteMagnitude
        let pickup = pickupETA?.timeIntervalSinceReferenceDate ?? never
        return switch order {
        case "PICKUP_POINT_ETA": pickup
        case "PICKUP_POINT_DISTANCE": pickupDistance?.meters ?? never
        case "DROPOFF_POINT_ETA": dropoffETA?.timeIntervalSinceReferenceDate ?? never
        case "COST": straightDistance.meters / Roads.speed + pickup
        default: straightDistance.meters
        }
    }
}

/// A page of a list and the token for the next page.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    package var next: String?
    /// The total number of items on all pages.
    package var total: Int
}

extension Page {
    /// The default page size.
    static var size: Int { 100 }
    /// The maximum page size; a larger request gets this many items.
    static var maximumSize: Int { 1000 }

    /// Creates a page of items in order of creation; a page token is valid only for the filter that created it.
    ///
    /// The token names the last item of its page, so that items that appear or disappear between two pages neither hide others
    /// nor repeat them.
    init(
        of items: [(number: Int, item: Item)],
        _ request: PageRequest,
        filter: String
    ) throws(ServiceError) {
        var last = 0
        if let token = request.token {
            let parts = token.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]), number >= 0, parts[1] == Self.digest(filter) else {
                throw .invalidArgument("page_token is not valid for this list")
            }
            last = number
        }
        let rest = items.filter { $0.number > last }.sorted { $0.number < $1.number }
        let page = rest.prefix(min(request.size ?? Self.size, Self.maximumSize))
        let next = page.count < rest.count ? page.last.map { "\($0.number)-\(Self.digest(filter))" } : nil
        self.init(items: page.map(\.item), next: next, total: items.count)
    }

    /// FNV-1a with 64 bits.
    ///
    /// `hashValue` differs between processes.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
