import FleetWire

/// A call as the log shows it.
struct LoggedCall: Sendable {
    /// A collection of the service.
    private struct Collection {
        /// The field of a resource in a request that creates or updates it.
        var resource: String
        /// The field with the ID of a resource.
        var id: String
        /// The label with the ID; `nil` for none.
        var label: String?
    }

    private static let collections: [String: Collection] = [
        "trips": Collection(resource: "trip", id: "tripId", label: "trip_id"),
        "billableTrips": Collection(resource: "trip", id: "tripId", label: "trip_id"),
        "vehicles": Collection(resource: "vehicle", id: "vehicleId", label: "vehicle_id"),
        "tasks": Collection(resource: "task", id: "taskId", label: "task_id"),
        "deliveryVehicles": Collection(
            resource: "deliveryVehicle",
            id: "deliveryVehicleId",
            label: "delivery_vehicle_id"
        ),
        "taskTrackingInfo": Collection(resource: "taskTrackingInfo", id: "trackingId"),
    ]

    /// The name of the method, such as `UpdateVehicle`.
    let method: String
    /// The request in the spelling of the log.
    let request: JSONValue
    private let collection: Collection

    /// The field of a resource in requests, such as `deliveryVehicle`.
    var resource: String { collection.resource }
    /// The name of the method in the name of the log, such as `update_vehicle`.
    var logName: String {
        method.reduce(into: "") { name, letter in
            if letter.isUppercase, !name.isEmpty { name += "_" }
            name += letter.lowercased()
        }
    }

    /// Creates the call of a request; `nil` if the service has no such method.
    init?(_ target: FleetTarget, _ request: PlainRequest) {
        guard let method = target.method, let collection = Self.collections[target.collection] else { return nil }
        (self.method, self.collection) = (method.name, collection)
        var members: [JSONValue.Member] = []
        if let id = target.id { members.append(.init(key: collection.id, value: .string(id))) }
        // The other parameters are those of Google's front end, and one of them may be a token.
        for (name, value) in request.query where method.refusal(ofParameter: name) == nil {
            members.append(.init(key: FieldMask.camelCase(name), value: .string(value)))
        }
        if let body = JSONValue(request.body) {
            let spelled = LogSpelling.spelled(body, in: collection.resource)
            if method.isBody, case .object(let fields) = spelled {
                members += fields
            } else {
                members.append(.init(key: collection.resource, value: spelled))
            }
        }
        self.request = .object(members)
    }

    /// Returns the labels: the IDs of the resources that the call is about.
    func labels(response: JSONValue?) -> [(key: String, value: String)] {
        let served = response?["currentTrips"].flatMap { value -> String? in
            if case .array(let trips) = value { trips.first?.string } else { nil }
        }
        let found = [
            ("trip_id", served), ("vehicle_id", response?["vehicleId"]?.string),
            ("delivery_vehicle_id", response?["deliveryVehicleId"]?.string),
        ]
        let own = collection.label.map { [($0, request[collection.id]?.string)] } ?? []
        return (own + found).compactMap { key, value in value.map { (key, $0) } }
    }
}
