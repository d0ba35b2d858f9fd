import Failures
import FleetWire
import Foundation
import Runtime
import TripModel

/// A logged request to Fleet Engine and its answer.
struct LogEntry {
    /// A method of DeliveryService.
    enum DeliveryCall: Equatable {
        /// Creates, updates or gets a task; all three return the whole task.
        case task
        /// Creates several tasks.
        case tasks
        /// Creates, updates or gets a delivery vehicle; all three return the whole vehicle.
        case vehicle
        /// Gets what the recipient of a shipment sees.
        case tracking
        /// Lists and deletions.
        case other

        /// Creates a call from a name such as `updatedeliveryvehicle`.
        init(normalisedName name: String) {
            switch name {
            case "createtask", "updatetask", "gettask": self = .task
            case "batchcreatetasks": self = .tasks
            case "createdeliveryvehicle", "updatedeliveryvehicle", "getdeliveryvehicle": self = .vehicle
            case "gettasktrackinginfo": self = .tracking
            default: self = .other
            }
        }
    }

    /// A method of the service.
    enum Call: Equatable {
        case createTrip
        case updateTrip
        case getTrip
        /// Creates, updates or gets a vehicle; all three return the whole vehicle.
        case vehicle
        /// Delivery vehicles and tasks.
        case delivery(DeliveryCall)
        /// Searches, lists and unknown methods.
        case other

        /// Creates a call from a name such as `updatevehicle`; `nil` if it is not a Fleet Engine method.
        init?(normalisedName name: String) {
            switch name {
            case "createtrip": self = .createTrip
            case "updatetrip": self = .updateTrip
            case "gettrip": self = .getTrip
            case "createvehicle", "updatevehicle", "getvehicle": self = .vehicle
            default:
                guard
                    ["create", "update", "get", "list", "search", "delete", "batch", "report"].contains(
                        where: name.hasPrefix
                    )
                else { return nil }
                if name.contains("delivery") || name.contains("task") {
                    self = .delivery(DeliveryCall(normalisedName: name))
                } else if name.contains("trip") || name.contains("vehicle") {
                    self = .other
                } else {
                    return nil
                }
            }
        }
    }

    /// The answer as the message that the method returns; indirect, because entries are sorted.
    indirect enum Answer {
        case trip(LogMessage<TripMessage>)
        /// A vehicle, and what its driver sent.
        case vehicle(LogMessage<VehicleMessage>, sent: LogMessage<VehicleMessage>)
        case tasks([LogMessage<TaskMessage>])
        case deliveryVehicle(LogMessage<DeliveryVehicleMessage>)
        case shipment(LogMessage<TrackingMessage>)

        /// Reads the answer to a call; `nil` for an answer that nothing needs.
        fileprivate init?(_ response: JSONValue, to call: Call, _ request: JSONValue) {
            switch call {
            case .createTrip, .updateTrip, .getTrip: self = .trip(LogMessage(response))
            case .vehicle: self = .vehicle(LogMessage(response), sent: LogMessage(request["vehicle"] ?? request))
            case .delivery(.task): self = .tasks([LogMessage(response)])
            case .delivery(.tasks): self = .tasks((response["tasks"]?.elements ?? []).map { LogMessage($0) })
            case .delivery(.vehicle): self = .deliveryVehicle(LogMessage(response))
            case .delivery(.tracking): self = .shipment(LogMessage(response))
            case .delivery(.other), .other: return nil
            }
        }
    }

    /// When the service received the request.
    let time: Date
    /// The entry's ID in Cloud Logging; breaks ties of time.
    let insertID: String
    let call: Call
    /// The name of the method as Google spells it, such as `UpdateVehicle`; the name in the log if it is unknown.
    let method: String
    let request: JSONValue
    /// The answer; `nil` if the service refused the request.
    let response: JSONValue?
    /// The answer; `nil` if the service refused the request, and for an answer that nothing needs.
    let answer: Answer?
    /// The error answer; `nil` if the service accepted the request.
    let error: ServiceAnswer?
    /// The project, if the entry contains it.
    let provider: ProviderID?

    /// Parses an entry; `nil` if it is not a Fleet Engine log entry with a time.
    init?(_ value: JSONValue) {
        guard let (call, name, payload) = Self.payload(of: value) else { return nil }
        let texts = [value["timestamp"], value["receivetimestamp"], value["servertime"]]
        guard let time = texts.lazy.compactMap({ $0?.string }).compactMap(Timestamp.date).first else { return nil }
        self.time = time
        self.call = call
        method = Self.methods[name] ?? name.boundedName
        insertID = value["insertid"]?.string ?? ""
        let request = payload["request"] ?? .object([])
        self.request = request
        error = payload["errorresponse"].flatMap(Self.error)
        response = error == nil ? payload["response"] : nil
        answer = response.flatMap { Answer($0, to: call, request) }
        provider = Self.provider(of: value, payload: payload)
    }

    /// The methods of the service and who usually calls them; `client` if several parties do.
    private static let askers: [String: Failures.Call.Party] = [
        "CreateTrip": .backend, "UpdateTrip": .backend, "DeleteTrip": .backend, "ReportBillableTrip": .backend,
        "GetTrip": .rider, "SearchTrips": .client, "CreateVehicle": .driver, "UpdateVehicle": .driver,
        "GetVehicle": .client, "DeleteVehicle": .backend, "UpdateVehicleAttributes": .backend,
        "ListVehicles": .backend, "SearchVehicles": .client, "CreateTask": .backend, "UpdateTask": .backend,
        "GetTask": .client, "DeleteTask": .backend, "ListTasks": .backend, "BatchCreateTasks": .backend,
        "CreateDeliveryVehicle": .backend, "UpdateDeliveryVehicle": .driver, "GetDeliveryVehicle": .client,
        "DeleteDeliveryVehicle": .backend, "ListDeliveryVehicles": .backend, "GetTaskTrackingInfo": .rider,
    ]

    /// The methods by their names in lower case.
    private static let methods = Dictionary(uniqueKeysWithValues: askers.keys.map { ($0.lowercased(), $0) })

    /// Who usually makes the call: a log does not say who did.
    var asker: Failures.Call.Party { Self.askers[method] ?? .client }

    /// Returns an error answer; `nil` for an empty one, which some exports add to successful calls.
    private static func error(_ value: JSONValue) -> ServiceAnswer? {
        guard value.members?.isEmpty == false else { return nil }
        return ServiceAnswer(
            httpStatus: value["httpstatuscode"]?.integer ?? 0,
            status: value["code"]?.string?.boundedName,
            message: value["message"]?.string?.bounded(to: ServiceAnswer.longestMessage)
        )
    }

    /// Returns the call of an entry, its name, and the object with its request and response.
    private static func payload(of value: JSONValue) -> (Call, String, JSONValue)? {
        if let payload = value["jsonpayload"] {
            let type = payload["@type"]?.string?.split(separator: ".").last?.lowercased() ?? ""
            let log = value["logname"]?.string?.replacingOccurrences(of: "%2F", with: "/").split(separator: "/").last
            let names = [
                type.hasSuffix("log") ? String(type.dropLast(3)) : type,
                log?.lowercased().replacingOccurrences(of: "_", with: "") ?? "",
            ]
            for name in names {
                if let call = Call(normalisedName: name) { return (call, name, payload) }
            }
            return nil
        }
        // Fleet Archive: the name of the call is the key.
        for member in (value.members ?? []).sorted(by: { $0.key < $1.key }) where member.value.members != nil {
            if let call = Call(normalisedName: member.key) { return (call, member.key, member.value) }
        }
        return nil
    }

    /// Returns the project from the resource name, else from the label that Cloud Logging sets.
    private static func provider(of value: JSONValue, payload: JSONValue) -> ProviderID? {
        let request = payload["request"]
        let texts = [
            payload["response"]?["name"], request?["trip"]?["name"], request?["vehicle"]?["name"],
            payload["response"]?["tasks"]?.elements?.first?["name"], request?["task"]?["name"],
            request?["deliveryvehicle"]?["name"], request?["name"],
            request?["parent"], value["resource"]?["labels"]?["resourcecontainer"], value["logname"],
        ]
        for text in texts.lazy.compactMap({ $0?.string }) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count >= 2, parts[0] == "providers" || parts[0] == "projects" else { continue }
            // An invalid name is skipped in favor of the next candidate.
            if let provider = try? ProviderID(String(parts[1])) { return provider }
        }
        return nil
    }

    /// Whether it is a call of DeliveryService.
    var isDelivery: Bool { if case .delivery = call { true } else { false } }

    /// The trip of a trip call.
    var tripID: TripID? {
        let text = request["tripid"]?.string ?? (response?["name"] ?? request["trip"]?["name"])?.string?.lastPart
        // An invalid ID counts as missing.
        return text.flatMap { try? TripID($0) }
    }

    /// The vehicle of a vehicle call.
    var vehicleID: VehicleID? {
        let text = request["vehicleid"]?.string ?? (response?["name"] ?? request["vehicle"]?["name"])?.string?.lastPart
        // An invalid ID counts as missing.
        return text.flatMap { try? VehicleID($0) }
    }

    /// The shipment of a recipient's call.
    var trackingID: TrackingID? {
        let text = request["trackingid"]?.string ?? (response?["name"] ?? request["name"])?.string?.lastPart
        // An invalid ID counts as missing.
        return text.flatMap { try? TrackingID($0) }
    }

    /// What a rider or a recipient asked for; `nil` for the calls of others.
    var readJourney: JourneyID? {
        switch call {
        case .getTrip: tripID.map(JourneyID.trip)
        case .delivery(.tracking): trackingID.map(JourneyID.shipment)
        default: nil
        }
    }
}
