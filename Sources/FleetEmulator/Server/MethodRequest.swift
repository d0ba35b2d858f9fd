import FleetWire
import TripModel

/// A REST request of a method, from which its call is read.
struct MethodRequest {
    let request: PlainRequest
    let target: FleetTarget
    let provider: ProviderID

    /// The call; throws NOT_FOUND for an unknown path and METHOD_NOT_ALLOWED for another HTTP method of a known one.
    var call: FleetRequest {
        get throws(ServiceError) {
            switch target.method?.name {
            case "CreateTrip": return .createTrip(try id("tripId"), try body(TripMessage.init))
            case "GetTrip": return .getTrip(try id(), try TripConditions(request))
            case "UpdateTrip": return .updateTrip(try id(), mask, try body(TripMessage.init))
            case "DeleteTrip": return .deleteTrip(try id())
            case "SearchTrips": return .searchTrips(try body(TripSearch.init))
            case "ReportBillableTrip": return .reportBillableTrip(try id(), try body(BillableTripReport.init))
            case "CreateVehicle": return .createVehicle(try id("vehicleId"), try body(VehicleMessage.init))
            case "GetVehicle": return .getVehicle(try id(), try VehicleConditions(request))
            case "UpdateVehicle": return .updateVehicle(try id(), mask, try body(VehicleMessage.init))
            case "DeleteVehicle": return .deleteVehicle(try id())
            case "UpdateVehicleAttributes":
                return .updateVehicleAttributes(try id(), try body(VehicleSearch.attributes))
            case "ListVehicles": return .listVehicles(try VehicleList(request))
            case "SearchVehicles": return .searchVehicles(try body(VehicleSearch.init))
            default: return .delivery(try delivery)
            }
        }
    }

    /// The call of DeliveryService.
    private var delivery: DeliveryRequest {
        get throws(ServiceError) {
            switch target.method?.name {
            case "GetTaskTrackingInfo": return .getTaskTrackingInfo(try id())
            case "CreateTask": return .createTask(try id("taskId"), try body(TaskMessage.init))
            case "BatchCreateTasks":
                return .batchCreateTasks(
                    try body { bytes throws(WireError) in try TaskBatch(body: bytes, provider: provider) }
                )
            case "GetTask": return .getTask(try id())
            case "UpdateTask": return .updateTask(try id(), mask, try body(TaskMessage.init))
            case "DeleteTask": return .deleteTask(try id())
            case "ListTasks": return .listTasks(try TaskList(request))
            case "CreateDeliveryVehicle":
                return .createVehicle(try id("deliveryVehicleId"), try body(DeliveryVehicleMessage.init))
            case "GetDeliveryVehicle": return .getVehicle(try id())
            case "UpdateDeliveryVehicle": return .updateVehicle(try id(), mask, try body(DeliveryVehicleMessage.init))
            case "DeleteDeliveryVehicle": return .deleteVehicle(try id())
            case "ListDeliveryVehicles": return .listVehicles(try DeliveryVehicleList(request))
            default:
                // Trips to bill are reported, and there is no list of them.
                let isKnown =
                    target.collection == "billableTrips"
                    ? target.id != nil : RESTMethod.all.contains { $0.collection == target.collection }
                throw isKnown && !target.verb.contains(":") ? .methodNotAllowed : .noSuchMethod
            }
        }
    }

    private var mask: FieldMask { FieldMask(text: request.parameter("updateMask") ?? "") }

    private func body<Body>(_ read: ([UInt8]) throws(WireError) -> Body) throws(ServiceError) -> Body {
        do {
            return try read(request.body)
        } catch {
            throw .init(error)
        }
    }

    /// Returns the ID in the path.
    private func id<Kind>() throws(ServiceError) -> ResourceID<Kind> { try Self.parse(target.id ?? "") }

    /// Returns the ID in a parameter.
    private func id<Kind>(_ name: String) throws(ServiceError) -> ResourceID<Kind> {
        guard let text = request.parameter(name) else { throw .invalidArgument("\(name) is required") }
        return try Self.parse(text)
    }

    private static func parse<Kind>(_ text: String) throws(ServiceError) -> ResourceID<Kind> {
        do {
            return try ResourceID.normalized(text)
        } catch {
            throw .invalidArgument("The ID is empty, longer than 64 characters, or contains one of / : ? , #")
        }
    }
}
