import FleetWire
import Runtime

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
        var sent = JSONValue.object([])
        // The other parameters belong to Google's front end, and one of them may be a token.
        for (name, value) in request.query where method.refusal(ofParameter: name) == nil {
            let path = name.split(separator: ".").map { FieldMask.camelCase($0) }
            sent.set(Self.value(value, of: path), at: path[...])
        }
        // A body with too many values is refused. It would take seconds to read.
        if JSONBytes.hasFewValues(request.body), let body = JSONValue(request.body) {
            if method.isBody, case .object = body { sent = body } else { sent.set(body, at: [collection.resource]) }
        }
        let id = target.id.map { JSONValue.Member(key: collection.id, value: .string($0)) }
        let spelled = LogSpelling.spelled(method.canonical(sent), in: collection.resource)
        guard case .object(let members) = spelled else { return nil }
        self.request = .object([id].compactMap(\.self) + members)
    }

    /// Returns the value of a parameter as in a body.
    private static func value(_ text: String, of path: [String]) -> JSONValue {
        switch text {
        case "true", "false": .bool(text == "true")
        default: .string(path.last == "updateMask" ? FieldMask(text: text).text : text)
        }
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

extension JSONValue {
    /// Sets the value at a path of keys of an object; several values of a key become a list.
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let key = path.first, case .object(var members) = self else { return }
        let index = members.firstIndex { $0.key == key }
        var inner = index.map { members[$0].value }
        if path.count > 1 {
            inner = inner ?? .object([])
            inner?.set(value, at: path.dropFirst())
        } else if case .array(let values)? = inner {
            inner = .array(values + [value])
        } else {
            inner = inner.map { .array([$0, value]) } ?? value
        }
        if let index {
            members[index].value = inner ?? value
        } else {
            members.append(Member(key: key, value: inner ?? value))
        }
        self = .object(members)
    }
}
