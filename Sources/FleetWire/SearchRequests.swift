package import TripModel

/// SearchTrips: which trips (reference, section 2.1).
package struct TripSearch: Sendable, Equatable {
    /// Only the trips of a vehicle.
    package var vehicleID: VehicleID?
    /// Only trips that are neither COMPLETE nor CANCELED.
    package var activeOnly = false
    /// Only trips that were not updated for so long.
    package var minimumStaleness: Duration?
    /// How many at a time, and from where on.
    package var page = PageRequest()

    /// All trips.
    package init() {}

    /// Reads a body; throws ``WireError``.
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

/// A part of a list.
package struct PageRequest: Sendable, Equatable {
    /// At most so many; `nil` leaves it to the service.
    package var size: Int?
    /// Where the page before it ended.
    package var token: String?

    /// The first page.
    package init() {}

    /// Throws ``WireError`` for a negative size.
    package init(size: Int?, token: String?) throws(WireError) {
        guard (size ?? 0) >= 0 else { throw .unexpected(path: "pageSize", reason: "negative") }
        self.size = size == 0 ? nil : size
        self.token = token?.isEmpty == true ? nil : token
    }
}

/// ReportBillableTrip: what is reported for the invoice.
package struct BillableTripReport: Sendable, Equatable {
    /// Two letters.
    package var country: String

    /// Reads a body; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        struct Message: Decodable {
            var countryCode: String?
            var relatedIds: [String]?
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
    }
}

/// SearchVehicles: which vehicles could serve a ride (reference, section 2.2).
package struct VehicleSearch: Sendable, Equatable {
    package var pickup: Coordinate
    package var dropoff: Coordinate?
    /// In metres as the crow flies, 400 … 10,000.
    package var radius: Int
    /// At most so many matches, 1 … 50.
    package var count: Int
    package var minimumCapacity: Int
    package var tripType: TripType
    /// The categories of vehicles that would do.
    package var categories: [String]
    package var maximumStaleness: Duration
    /// The order, as the API names it.
    package var order: String
    package var includesBackToBack: Bool
    /// `NONE` or `ANY`; `nil` where nothing is said.
    package var currentTrips: String?
    package var attributes: AttributeRequirement

    /// Reads a body and checks what belongs together; throws ``WireError``.
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
            // The same key may stand in a list with several values.
            var attributes: [Attribute] = []
            for message in list ?? [] { attributes.append(try message.checked("\(path)[\(index)]")) }
            result.append(attributes)
        }
        return result
    }
}

extension VehicleSearch {
    /// The attributes of UpdateVehicleAttributes; throws ``WireError``.
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
