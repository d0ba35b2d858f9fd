import FleetWire
import TripModel

/// The answers and parameters of DeliveryService.
extension FleetRoutes {
    /// Encodes an answer of DeliveryService.
    static func body(of response: DeliveryResponse, _ enums: EnumFormat) -> [UInt8] {
        switch response {
        case .trackingInfo(let info): TaskTrackingCoding.encode(info, enums: enums)
        case .task(let task): MessageBytes.encode(task, enums: enums)
        case .created(let answer): MessageBytes.encode(answer, enums: enums)
        case .tasks(let answer): MessageBytes.encode(answer, enums: enums)
        case .vehicle(let vehicle): MessageBytes.encode(vehicle, enums: enums)
        case .vehicles(let answer): MessageBytes.encode(answer, enums: enums)
        case .empty: CollectionCoding.empty
        }
    }
}

extension TaskList {
    init(_ request: PlainRequest) throws(ServiceError) {
        self.init()
        page = try PageRequest(request)
        do throws(WireError) {
            if let text = request.parameter("filter"), !text.isEmpty { filter = try TaskFilter(text) }
        } catch {
            throw ServiceError(error)
        }
    }
}

extension DeliveryVehicleList {
    init(_ request: PlainRequest) throws(ServiceError) {
        self.init()
        page = try PageRequest(request)
        do throws(WireError) {
            if let text = request.parameter("filter"), !text.isEmpty { filter = try AttributeFilter(text) }
        } catch {
            throw ServiceError(error)
        }
        viewport = try VehicleList.Viewport(request)
    }
}

extension PageRequest {
    fileprivate init(_ request: PlainRequest) throws(ServiceError) {
        let size = try request.number("pageSize")
        do throws(WireError) {
            try self.init(size: size, token: request.parameter("pageToken"))
        } catch {
            throw ServiceError(error)
        }
    }
}
