package import TripModel

/// The maximum number of elements of each kind per message, over all its lists.
///
/// The numbers are far above what Fleet Engine sends, and low enough that every processing step is fast.
package enum ElementLimits {
    private static let table: [ElementKind: Int] = [
        // A rider's vehicle has about ten.
        .waypoints: 500,
        // A route of 100 km has about 5,000.
        .pathPoints: 20_000,
        .trafficIntervals: 5000,
        .stops: 200,
        // The maximum that the service accepts from a provider.
        .attributes: 100,
        .pastLocations: 1000,
        .names: 1000,
        .errorDetails: 100,
    ]

    /// Returns the maximum number of elements of a kind per message.
    package static func maximum(of kind: ElementKind) -> Int { table[kind] ?? 0 }

    /// The kinds of the elements by the names of the lists.
    static let lists: [String: ElementKind] = [
        "remainingWaypoints": .waypoints, "vehicleWaypoints": .waypoints, "waypoints": .waypoints,
        "route": .pathPoints, "pathToWaypoint": .pathPoints, "speedReadingInterval": .trafficIntervals,
        "roadStretch": .trafficIntervals, "intermediateDestinations": .stops,
        "actualIntermediateDestinationArrivalPoints": .stops, "actualIntermediateDestinations": .stops,
        "attributes": .attributes, "pastLocations": .pastLocations, "supportedTripTypes": .names,
        "currentTrips": .names, "remainingVehicleJourneySegments": .waypoints, "path": .pathPoints,
        "routePolylinePoints": .pathPoints, "tasks": .names,
    ]
}

/// The remaining limits of one message, and the number of omitted elements.
struct ElementBudget {
    private(set) var used: [ElementKind: Int] = [:]
    /// The numbers of omitted elements, with those that were not decoded at all.
    private(set) var omitted: [ElementKind: Int] = [:]

    /// Reserves up to `count` elements; the rest is counted as omitted.
    mutating func reserve(_ count: Int, of kind: ElementKind) -> Int {
        guard count > 0 else { return 0 }
        let known = used[kind, default: 0]
        let taken = min(count, ElementLimits.maximum(of: kind) - known)
        used[kind] = known + taken
        if taken < count { omitted[kind, default: 0] += count - taken }
        return taken
    }

    /// The omitted elements in the order of the kinds.
    var omittedElements: [OmittedElements] {
        guard !omitted.isEmpty else { return [] }
        return ElementKind.allCases.compactMap { kind in
            omitted[kind].map { OmittedElements(kind: kind, count: $0) }
        }
    }
}
