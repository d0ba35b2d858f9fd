import FleetEngineProtos
package import Runtime
import SwiftProtobuf
import TripModel

/// A method over REST with its messages, whose fields are the names of parameters and of selected fields.
package struct RESTMethod: Sendable {
    private let request: any Message.Type
    /// Whether the whole request is the body; otherwise its fields are query parameters.
    package let isBody: Bool
    private let answer: any Message.Type

    /// The name of the method, such as `UpdateVehicle`.
    package var name: String {
        let message = request.protoMessageName.split(separator: ".").last ?? ""
        return String(message.hasSuffix("Request") ? message.dropLast("Request".count) : message)
    }

    /// The fields of requests that are in the path or in the body.
    private static let elsewhere: Set<String> = [
        "name", "parent", "trip", "vehicle", "task", "deliveryVehicle",
    ]
    /// The fields of locations that exist over REST only.
    private static let unpublished: Set<String> = ["place", "pointLocationSource"]

    private typealias Trip = Maps_Fleetengine_V1_Trip
    private typealias Vehicle = Maps_Fleetengine_V1_Vehicle

    /// The methods by HTTP method, custom verb and collection; `/*` is one resource of it.
    private static let all = trips.merging(deliveries) { first, _ in first }

    private static let trips: [String: RESTMethod] = [
        "POST trips": Self(Maps_Fleetengine_V1_CreateTripRequest.self, Trip.self),
        "GET trips/*": Self(Maps_Fleetengine_V1_GetTripRequest.self, Trip.self),
        "PUT trips/*": Self(Maps_Fleetengine_V1_UpdateTripRequest.self, Trip.self),
        "DELETE trips/*": Self(Maps_Fleetengine_V1_DeleteTripRequest.self, Google_Protobuf_Empty.self),
        "POST:search trips": Self(
            body: Maps_Fleetengine_V1_SearchTripsRequest.self,
            Maps_Fleetengine_V1_SearchTripsResponse.self
        ),
        "POST:report billableTrips/*": Self(
            body: Maps_Fleetengine_V1_ReportBillableTripRequest.self,
            Google_Protobuf_Empty.self
        ),
        "POST vehicles": Self(Maps_Fleetengine_V1_CreateVehicleRequest.self, Vehicle.self),
        "GET vehicles": Self(
            Maps_Fleetengine_V1_ListVehiclesRequest.self,
            Maps_Fleetengine_V1_ListVehiclesResponse.self
        ),
        "GET vehicles/*": Self(Maps_Fleetengine_V1_GetVehicleRequest.self, Vehicle.self),
        "PUT vehicles/*": Self(Maps_Fleetengine_V1_UpdateVehicleRequest.self, Vehicle.self),
        "DELETE vehicles/*": Self(Maps_Fleetengine_V1_DeleteVehicleRequest.self, Google_Protobuf_Empty.self),
        "POST:updateAttributes vehicles/*": Self(
            body: Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self,
            Maps_Fleetengine_V1_UpdateVehicleAttributesResponse.self
        ),
        "POST:search vehicles": Self(
            body: Maps_Fleetengine_V1_SearchVehiclesRequest.self,
            Maps_Fleetengine_V1_SearchVehiclesResponse.self
        ),
    ]

    private static let deliveries: [String: RESTMethod] = [
        "GET taskTrackingInfo/*": Self(
            Maps_Fleetengine_Delivery_V1_GetTaskTrackingInfoRequest.self,
            TrackingMessage.self
        ),
        "POST tasks": Self(Maps_Fleetengine_Delivery_V1_CreateTaskRequest.self, TaskMessage.self),
        "POST:batchCreate tasks": Self(
            body: Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest.self,
            Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse.self
        ),
        "GET tasks": Self(
            Maps_Fleetengine_Delivery_V1_ListTasksRequest.self,
            Maps_Fleetengine_Delivery_V1_ListTasksResponse.self
        ),
        "GET tasks/*": Self(Maps_Fleetengine_Delivery_V1_GetTaskRequest.self, TaskMessage.self),
        "PATCH tasks/*": Self(Maps_Fleetengine_Delivery_V1_UpdateTaskRequest.self, TaskMessage.self),
        "DELETE tasks/*": Self(Maps_Fleetengine_Delivery_V1_DeleteTaskRequest.self, Google_Protobuf_Empty.self),
        "POST deliveryVehicles": Self(
            Maps_Fleetengine_Delivery_V1_CreateDeliveryVehicleRequest.self,
            DeliveryVehicleMessage.self
        ),
        "GET deliveryVehicles": Self(
            Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesRequest.self,
            Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse.self
        ),
        "GET deliveryVehicles/*": Self(
            Maps_Fleetengine_Delivery_V1_GetDeliveryVehicleRequest.self,
            DeliveryVehicleMessage.self
        ),
        "PATCH deliveryVehicles/*": Self(
            Maps_Fleetengine_Delivery_V1_UpdateDeliveryVehicleRequest.self,
            DeliveryVehicleMessage.self
        ),
        "DELETE deliveryVehicles/*": Self(
            Maps_Fleetengine_Delivery_V1_DeleteDeliveryVehicleRequest.self,
            Google_Protobuf_Empty.self
        ),
    ]

    private init(_ request: any Message.Type, _ answer: any Message.Type) {
        (self.request, self.answer, isBody) = (request, answer, false)
    }

    private init(body request: any Message.Type, _ answer: any Message.Type) {
        (self.request, self.answer, isBody) = (request, answer, true)
    }

    /// Finds a method, such as `GET trips/*` or `POST:search trips`; `nil` if it does not exist.
    package init?(_ name: String) {
        guard let method = Self.all[name] else { return nil }
        self = method
    }

    /// Returns a request with the names of the API: in camelCase, and with names in place of the numbers of enum values.
    ///
    /// A request that is not valid stays as it is. Fields that the message does not have are left out.
    package func canonical(_ request: JSONValue) -> JSONValue {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        // A request that the service refuses is shown as it was sent.
        guard let message = try? self.request.init(jsonUTF8Bytes: JSONBytes.encode(request), options: options),
            let bytes: [UInt8] = try? message.jsonUTF8Bytes(), let value = JSONValue(bytes)
        else { return request }
        return value
    }

    /// Returns why a query parameter that is no system parameter is refused, in the words of Google's front end; `nil` if it is
    /// accepted.
    package func refusal(ofParameter name: String) -> String? {
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let shown = name.bounded(to: 200)
        let start = "Invalid JSON payload received. Unknown name \"\(shown)\": Cannot bind query parameter."
        guard !isBody, path.count < 10, !Self.elsewhere.contains(FieldMask.camelCase(path[0])),
            let field = field(at: path)
        else { return "\(start) Field '\(shown)' could not be found in request message." }
        guard field.expected != .object else {
            return "\(start) '\(shown)' is a message type. Parameters can only be bound to primitive types."
        }
        return nil
    }

    /// Returns the field of the request at a path; `nil` if it does not exist.
    private func field(at path: [String]) -> MessageSchema.Field? {
        path.dropLast().reduce(MessageSchema(request)) { $0?[$1]?.message }?[path.last ?? ""]
    }

    /// Returns the first path of a selection that is no field of the answer; `nil` if all are.
    package func unknownPath(in selection: FieldSelection) -> String? {
        Self.unknownPath(in: selection, MessageSchema(answer), "")
    }

    private static func unknownPath(
        in selection: FieldSelection,
        _ message: MessageSchema?,
        _ path: String
    ) -> String? {
        for (name, inner) in selection.fields.sorted(by: { $0.key < $1.key }) where name != "*" {
            let place = path.isEmpty ? name : "\(path).\(name)"
            guard let field = message?[name] else {
                if unpublished.contains(name), inner.fields.isEmpty, !path.isEmpty { continue }
                return place
            }
            // The parts of a list are the parts of its elements.
            if let unknown = unknownPath(in: inner, field.element.message, place) { return unknown }
        }
        return nil
    }
}
