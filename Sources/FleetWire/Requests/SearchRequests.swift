import FleetEngineProtos
import SwiftProtobuf
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
        let message = try RequestBody.decode(
            Maps_Fleetengine_V1_SearchTripsRequest.self,
            from: body.isEmpty ? Array("{}".utf8) : body
        )
        vehicleID = try message.vehicleID.id("vehicleId")
        activeOnly = message.activeTripsOnly
        if message.hasMinimumStaleness { minimumStaleness = message.minimumStaleness.length }
        page = try PageRequest(size: Int(message.pageSize), token: message.pageToken)
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
        let message = try RequestBody.decode(Maps_Fleetengine_V1_ReportBillableTripRequest.self, from: body)
        let country = message.countryCode
        guard country.count == 2, country.allSatisfy(\.isLetter) else {
            throw .unexpected(path: "countryCode", reason: "two letters are expected")
        }
        guard message.relatedIds.count <= 50 else { throw .unexpected(path: "relatedIds", reason: "more than 50") }
        self.country = country
        platform = EnumNames.billingPlatform.nameIfSet(message.platform)
        relatedIDs = message.relatedIds.map { $0.bounded(to: 200) }
        // An unspecified type is this one.
        solutionType = EnumNames.solutionType.nameIfSet(message.solutionType) ?? "ON_DEMAND_RIDESHARING_AND_DELIVERIES"
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
        let message = try RequestBody.decode(Maps_Fleetengine_V1_SearchVehiclesRequest.self, from: body)
        guard message.hasPickupPoint else { throw .unexpected(path: "pickupPoint", reason: "missing") }
        pickup = try message.pickupPoint.checked("pickupPoint")
        dropoff = message.hasDropoffPoint ? try message.dropoffPoint.checked("dropoffPoint") : nil
        radius = try Self.number(message.pickupRadiusMeters, in: 400...10_000, "pickupRadiusMeters")
        count = try Self.number(message.count, in: 1...50, "count")
        minimumCapacity = try Self.number(message.minimumCapacity, in: 1...Int(Int32.max), "minimumCapacity")
        let types = message.tripTypes
        guard types.count == 1, let type = EnumNames.tripType.nameIfSet(types[0]) else {
            throw .unexpected(path: "tripTypes", reason: "exactly one of EXCLUSIVE and SHARED is expected")
        }
        tripType = TripType(name: type)
        categories = message.vehicleTypes.compactMap { EnumNames.category.nameIfSet($0.category) }
        guard !categories.isEmpty else { throw .unexpected(path: "vehicleTypes", reason: "missing") }
        guard let order = EnumNames.matchOrder.nameIfSet(message.orderBy) else {
            throw .unexpected(path: "orderBy", reason: "missing")
        }
        self.order = order
        maximumStaleness = message.hasMaximumStaleness ? message.maximumStaleness.length : .seconds(300)
        currentTrips = EnumNames.currentTrips.nameIfSet(message.currentTripsPresent)
        includesBackToBack = message.includeBackToBack
        tripID = try message.tripID.id("tripId")
        attributes = try AttributeRequirement(
            all: try message.requiredAttributes.checked("requiredAttributes"),
            oneOf: try Self.lists(message.requiredOneOfAttributes, "requiredOneOfAttributes"),
            oneSetOf: try Self.lists(message.requiredOneOfAttributeSets, "requiredOneOfAttributeSets"),
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
        _ value: Int32,
        in range: ClosedRange<Int>,
        _ path: String
    ) throws(WireError) -> Int {
        guard range.contains(Int(value)) else {
            throw .unexpected(path: path, reason: "\(range.lowerBound) to \(range.upperBound) is expected")
        }
        return Int(value)
    }

    private static func lists(
        _ lists: [Maps_Fleetengine_V1_VehicleAttributeList],
        _ path: String
    ) throws(WireError) -> [[Attribute]] {
        var result: [[Attribute]] = []
        for (index, list) in lists.enumerated() {
            // A list may contain the same key with several values.
            var attributes: [Attribute] = []
            for message in list.attributes { attributes.append(try message.checked("\(path)[\(index)]")) }
            result.append(attributes)
        }
        return result
    }
}

extension VehicleSearch {
    /// Returns the attributes of UpdateVehicleAttributes; throws ``WireError``.
    package static func attributes(body: [UInt8]) throws(WireError) -> [Attribute] {
        let message = try RequestBody.decode(Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self, from: body)
        guard !message.attributes.isEmpty else { throw .unexpected(path: "attributes", reason: "missing") }
        return try message.attributes.checked("attributes")
    }
}
