import FleetEngineProtos
import SwiftProtobuf

extension RESTMethod {
    /// All methods of the three services.
    package static let all = trips + deliveries

    private typealias Trip = Maps_Fleetengine_V1_Trip
    private typealias Vehicle = Maps_Fleetengine_V1_Vehicle

    /// Reads a trip.
    package static let getTrip = RESTMethod("GET trips/*", Maps_Fleetengine_V1_GetTripRequest.self, Trip.self)
    /// Reads a page of the trips of a project.
    package static let searchTrips = RESTMethod(
        "POST:search trips",
        Maps_Fleetengine_V1_SearchTripsRequest.self,
        Maps_Fleetengine_V1_SearchTripsResponse.self
    )
    /// Reads a shipment as its recipient sees it.
    package static let getTaskTrackingInfo = RESTMethod(
        "GET taskTrackingInfo/*",
        Maps_Fleetengine_Delivery_V1_GetTaskTrackingInfoRequest.self,
        TrackingMessage.self
    )

    private static let trips = [
        getTrip,
        searchTrips,
        RESTMethod("POST trips", Maps_Fleetengine_V1_CreateTripRequest.self, Trip.self),
        RESTMethod("PUT trips/*", Maps_Fleetengine_V1_UpdateTripRequest.self, Trip.self),
        RESTMethod("DELETE trips/*", Maps_Fleetengine_V1_DeleteTripRequest.self, Google_Protobuf_Empty.self),
        RESTMethod(
            "POST:report billableTrips/*",
            Maps_Fleetengine_V1_ReportBillableTripRequest.self,
            Google_Protobuf_Empty.self
        ),
        RESTMethod("POST vehicles", Maps_Fleetengine_V1_CreateVehicleRequest.self, Vehicle.self),
        RESTMethod(
            "GET vehicles",
            Maps_Fleetengine_V1_ListVehiclesRequest.self,
            Maps_Fleetengine_V1_ListVehiclesResponse.self
        ),
        RESTMethod("GET vehicles/*", Maps_Fleetengine_V1_GetVehicleRequest.self, Vehicle.self),
        RESTMethod("PUT vehicles/*", Maps_Fleetengine_V1_UpdateVehicleRequest.self, Vehicle.self),
        RESTMethod("DELETE vehicles/*", Maps_Fleetengine_V1_DeleteVehicleRequest.self, Google_Protobuf_Empty.self),
        RESTMethod(
            "POST:updateAttributes vehicles/*",
            Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self,
            Maps_Fleetengine_V1_UpdateVehicleAttributesResponse.self
        ),
        RESTMethod(
            "POST:search vehicles",
            Maps_Fleetengine_V1_SearchVehiclesRequest.self,
            Maps_Fleetengine_V1_SearchVehiclesResponse.self
        ),
    ]

    private static let deliveries = [
        getTaskTrackingInfo,
        RESTMethod("POST tasks", Maps_Fleetengine_Delivery_V1_CreateTaskRequest.self, TaskMessage.self),
        RESTMethod(
            "POST:batchCreate tasks",
            Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest.self,
            Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse.self
        ),
        RESTMethod(
            "GET tasks",
            Maps_Fleetengine_Delivery_V1_ListTasksRequest.self,
            Maps_Fleetengine_Delivery_V1_ListTasksResponse.self
        ),
        RESTMethod("GET tasks/*", Maps_Fleetengine_Delivery_V1_GetTaskRequest.self, TaskMessage.self),
        RESTMethod("PATCH tasks/*", Maps_Fleetengine_Delivery_V1_UpdateTaskRequest.self, TaskMessage.self),
        RESTMethod("DELETE tasks/*", Maps_Fleetengine_Delivery_V1_DeleteTaskRequest.self, Google_Protobuf_Empty.self),
        RESTMethod(
            "POST deliveryVehicles",
            Maps_Fleetengine_Delivery_V1_CreateDeliveryVehicleRequest.self,
            DeliveryVehicleMessage.self
        ),
        RESTMethod(
            "GET deliveryVehicles",
            Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesRequest.self,
            Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse.self
        ),
        RESTMethod(
            "GET deliveryVehicles/*",
            Maps_Fleetengine_Delivery_V1_GetDeliveryVehicleRequest.self,
            DeliveryVehicleMessage.self
        ),
        RESTMethod(
            "PATCH deliveryVehicles/*",
            Maps_Fleetengine_Delivery_V1_UpdateDeliveryVehicleRequest.self,
            DeliveryVehicleMessage.self
        ),
        RESTMethod(
            "DELETE deliveryVehicles/*",
            Maps_Fleetengine_Delivery_V1_DeleteDeliveryVehicleRequest.self,
            Google_Protobuf_Empty.self
        ),
    ]
}
