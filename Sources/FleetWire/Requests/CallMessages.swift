package import Failures
import Runtime
package import TripModel

extension JourneyRequest {
    /// The message `GetTripRequest` or `GetTaskTrackingInfoRequest` of a gRPC call as ProtoJSON.
    package var message: [UInt8] {
        struct Message: Encodable {
            var name: String
            var currentRouteSegmentVersion: String?
            var currentRouteSegmentTrafficVersion: String?
            var remainingWaypointsRouteVersion: String?
        }
        return JSONBytes.encode(
            Message(
                name: ResourceName(provider, journey).text,
                currentRouteSegmentVersion: routeVersion?.rawValue,
                currentRouteSegmentTrafficVersion: trafficVersion?.rawValue,
                remainingWaypointsRouteVersion: waypointsRouteVersion?.rawValue
            )
        )
    }

    /// Sets the versions of a request that was sent; another request changes nothing.
    package mutating func readVersions(of request: Call.Request) {
        let values: [String: String]
        if request.medium == .grpc {
            guard case .object(let members)? = request.body.flatMap({ JSONValue($0.bytes) }) else { return }
            values = Dictionary(members.compactMap { member in member.value.string.map { (member.key, $0) } }) { $1 }
        } else {
            values = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
        }
        routeVersion = values["currentRouteSegmentVersion"].map { Version($0) }
        trafficVersion = values["currentRouteSegmentTrafficVersion"].map { Version($0) }
        waypointsRouteVersion = values["remainingWaypointsRouteVersion"].map { Version($0) }
    }
}

extension TripSearch {
    /// The message `SearchTripsRequest` of a gRPC call as ProtoJSON; default values are omitted.
    package func message(in provider: ProviderID) -> [UInt8] {
        struct Message: Encodable {
            var parent: String
            var vehicleId: String?
            var activeTripsOnly: Bool?
            var pageSize: Int?
            var pageToken: String?
            var minimumStaleness: String?
        }
        return JSONBytes.encode(
            Message(
                parent: "providers/\(provider)",
                vehicleId: vehicleID?.rawValue,
                activeTripsOnly: activeOnly ? true : nil,
                pageSize: page.size,
                pageToken: page.token,
                minimumStaleness: minimumStaleness.map(DurationText.text)
            )
        )
    }
}
