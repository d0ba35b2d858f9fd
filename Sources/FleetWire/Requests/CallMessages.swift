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
                name: ResourceName(provider, trip).text,
                currentRouteSegmentVersion: routeVersion?.rawValue,
                currentRouteSegmentTrafficVersion: trafficVersion?.rawValue,
                remainingWaypointsRouteVersion: waypointsRouteVersion?.rawValue
            )
        )
    }

    /// Sets the versions of a message, as ``message`` has them; a text that is not such a message changes nothing.
    package mutating func readVersions(ofMessage text: String) {
        guard let message = JSONValue(Array(text.utf8)) else { return }
        routeVersion = message["currentRouteSegmentVersion"]?.string.map { Version($0) }
        trafficVersion = message["currentRouteSegmentTrafficVersion"]?.string.map { Version($0) }
        waypointsRouteVersion = message["remainingWaypointsRouteVersion"]?.string.map { Version($0) }
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
