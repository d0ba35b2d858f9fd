package import TripModel

/// The filters of SearchTrips.
package struct TripSearch: Sendable, Equatable {
    /// Only trips of this vehicle.
    package var vehicleID: VehicleID?
    /// Only trips that are neither COMPLETE nor CANCELED.
    package var activeOnly = false
    /// Only trips that were not updated for this duration.
    package var minimumStaleness: Duration?
    /// The requested page.
    package var page = PageRequest()

    /// Creates a search for all trips.
    package init() {}

    /// Parses a body; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        struct Message: Decodable {
            var vehicleId: String?
            var activeTripsOnly: Bool?
            var pageSize: Int?
            var pageToken: String?
            var minimumStaleness: String?
        }
        let normalized = try RequestBody.normalized(body.isEmpty ? Array("{}".utf8) : body, as: ProtoShape.searchTrips)
        let message = try JSONBytes.decode(Message.self, from: normalized)
        vehicleID = try message.vehicleId.nonEmptyID("vehicleId")
        activeOnly = message.activeTripsOnly ?? false
        minimumStaleness = message.minimumStaleness.flatMap(DurationText.duration)
        page = try PageRequest(size: message.pageSize, token: message.pageToken)
    }
}

/// A page of a list.
package struct PageRequest: Sendable, Equatable {
    /// The maximum number of items; `nil` for the service's default.
    package var size: Int?
    /// The token from the previous page.
    package var token: String?

    /// The first page.
    package init() {}

    /// Creates a page request; throws ``WireError`` for a negative size.
    package init(size: Int?, token: String?) throws(WireError) {
        guard (size ?? 0) >= 0 else { throw .unexpected(path: "pageSize", reason: "negative") }
        self.size = size == 0 ? nil : size
        self.token = token?.isEmpty == true ? nil : token
    }
}

/// The body of ReportBillableTrip.
package struct BillableTripReport: Sendable, Equatable {
    /// The country code, two letters.
    package var country: String
    /// The platform, by its API name, such as `ANDROID`; `nil` if unspecified.
    package var platform: String?
    /// The related IDs, at most 50.
    package var relatedIDs: [String]
    /// The solution, by its API name.
    package var solutionType: String

    /// Parses a body; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        struct Message: Decodable {
            var countryCode: String?
            var relatedIds: [String]?
            var platform: String?
            var solutionType: String?
        }
        let message = try JSONBytes.decode(
            Message.self,
            from: try RequestBody.normalized(body, as: ProtoShape.reportBillableTrip)
        )
        guard let country = message.countryCode, country.count == 2, country.allSatisfy(\.isLetter) else {
            throw .unexpected(path: "countryCode", reason: "two letters are expected")
        }
        guard (message.relatedIds?.count ?? 0) <= 50 else {
            throw .unexpected(path: "relatedIds", reason: "more than 50")
        }
        self.country = country
        platform = message.platform.flatMap { $0 == "BILLING_PLATFORM_IDENTIFIER_UNSPECIFIED" ? nil : $0 }
        relatedIDs = (message.relatedIds ?? []).map { $0.bounded(to: 200) }
        // An unspecified type is this one.
        let unspecified = "SOLUTION_TYPE_UNSPECIFIED"
        solutionType =
            message.solutionType.flatMap { $0 == unspecified ? nil : $0 } ?? "ON_DEMAND_RIDESHARING_AND_DELIVERIES"
    }
}

/// The parameters of SearchVehicles.
package struct VehicleSearch: Sendable, Equatable {
    package var pickup: Coordinate
    package var dropoff: Coordinate?
    /// The straight-line radius in meters, 400 … 10,000.
    package var radius: Int
    /// The maximum number of matches, 1 … 50.
    package var count: Int
    package var minimumCapacity: Int
    package var tripType: TripType
    /// The accepted vehicle categories.
    package var categories: [String]
    package var maximumStaleness: Duration
    /// The order, by its API name.
    package var order: String
    package var includesBackToBack: Bool
    /// `NONE` or `ANY`; `nil` if unspecified.
    package var currentTrips: String?
    package var attributes: AttributeRequirement
    /// The trip for which a vehicle is searched; it may not exist yet.
    package var tripID: TripID?

    /// Parses and validates a body; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        struct AttributeList: Decodable {
            var attributes: [AttributeMessage]?
        }
        struct Message: Decodable {
            var pickupPoint: TerminalLocationMessage?
            var dropoffPoint: TerminalLocationMessage?
            var pickupRadiusMeters: Int?
            var count: Int?
            var minimumCapacity: Int?
            var tripTypes: [String]?
            var vehicleTypes: [VehicleMessage.VehicleType]?
            var maximumStaleness: String?
            var orderBy: String?
            var includeBackToBack: Bool?
            var currentTripsPresent: String?
            var requiredAttributes: [AttributeMessage]?
            var requiredOneOfAttributes: [AttributeList]?
            var requiredOneOfAttributeSets: [AttributeList]?
            var filter: String?
            var tripId: String?
        }
        let message = try JSONBytes.decode(
            Message.self,
            from: try RequestBody.normalized(body, as: ProtoShape.searchVehicles)
        )
        guard let pickup = try message.pickupPoint.place("pickupPoint") else {
            throw .unexpected(path: "pickupPoint", reason: "missing")
        }
        self.pickup = pickup
        dropoff = try message.dropoffPoint.place("dropoffPoint")
        radius = try Self.number(message.pickupRadiusMeters, in: 400...10_000, "pickupRadiusMeters")
        count = try Self.number(message.count, in: 1...50, "count")
        minimumCapacity = try Self.number(message.minimumCapacity, in: 1...Int(Int32.max), "minimumCapacity")
        guard let types = message.tripTypes, types.count == 1, types[0] != "UNKNOWN_TRIP_TYPE" else {
            throw .unexpected(path: "tripTypes", reason: "exactly one of EXCLUSIVE and SHARED is expected")
        }
        tripType = TripType(name: types[0])
        categories = message.vehicleTypes?.compactMap(\.category) ?? []
        guard !categories.isEmpty else { throw .unexpected(path: "vehicleTypes", reason: "missing") }
        guard let order = message.orderBy, order != "UNKNOWN_VEHICLE_MATCH_ORDER" else {
            throw .unexpected(path: "orderBy", reason: "missing")
        }
        self.order = order
        maximumStaleness = message.maximumStaleness.flatMap(DurationText.duration) ?? .seconds(300)
        currentTrips = message.currentTripsPresent.flatMap { $0 == "CURRENT_TRIPS_PRESENT_UNSPECIFIED" ? nil : $0 }
        includesBackToBack = message.includeBackToBack ?? false
        tripID = try message.tripId.nonEmptyID("tripId")
        attributes = try AttributeRequirement(
            all: try message.requiredAttributes?.checked("requiredAttributes") ?? [],
            oneOf: try Self.lists(message.requiredOneOfAttributes?.map(\.attributes), "requiredOneOfAttributes"),
            oneSetOf: try Self.lists(
                message.requiredOneOfAttributeSets?.map(\.attributes),
                "requiredOneOfAttributeSets"
            ),
            filter: message.filter
        )
        try checkTogether()
    }

    private func checkTogether() throws(WireError) {
        if tripType == .shared {
            if dropoff == nil { throw .unexpected(path: "dropoffPoint", reason: "required for SHARED") }
            if currentTrips == nil { throw .unexpected(path: "currentTripsPresent", reason: "required for SHARED") }
        }
        if order == "DROPOFF_POINT_ETA", dropoff == nil {
            throw .unexpected(path: "dropoffPoint", reason: "required for this order")
        }
        if includesBackToBack, currentTrips != nil {
            throw .unexpected(path: "includeBackToBack", reason: "not together with currentTripsPresent")
        }
    }

    private static func number(
        _ value: Int?,
        in range: ClosedRange<Int>,
        _ path: String
    ) throws(WireError) -> Int {
        guard let value, range.contains(value) else {
            throw .unexpected(path: path, reason: "\(range.lowerBound) to \(range.upperBound) is expected")
        }
        return value
    }

    private static func lists(_ lists: [[AttributeMessage]?]?, _ path: String) throws(WireError) -> [[Attribute]] {
        var result: [[Attribute]] = []
        for (index, list) in (lists ?? []).enumerated() {
            // A list may contain the same key with several values.
            var attributes: [Attribute] = []
            for message in list ?? [] { attributes.append(try message.checked("\(path)[\(index)]")) }
            result.append(attributes)
        }
        return result
    }
}

extension VehicleSearch {
    /// Returns the attributes of UpdateVehicleAttributes; throws ``WireError``.
    package static func attributes(body: [UInt8]) throws(WireError) -> [Attribute] {
        struct Message: Decodable {
            var attributes: [AttributeMessage]?
        }
        let message = try JSONBytes.decode(
            Message.self,
            from: try RequestBody.normalized(body, as: ProtoShape.updateAttributes)
        )
        guard let attributes = message.attributes, !attributes.isEmpty else {
            throw .unexpected(path: "attributes", reason: "missing")
        }
        return try attributes.checked("attributes")
    }
}
