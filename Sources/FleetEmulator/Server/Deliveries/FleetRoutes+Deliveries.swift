package import FleetTokens
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

/// The URLs of the token endpoint for deliveries; ``TokenEndpoint`` lists its paths.
extension EmulatorAddress {
    /// The URL template of the recipients' token endpoint; `{trackingId}` is replaced by the ID.
    package var trackingTokenURL: String { tokenURL("delivery_consumer/{trackingId}") }
    /// The URL template of the token endpoint of delivery drivers; `{deliveryVehicleId}` is replaced by the ID.
    package var deliveryVehicleTokenURL: String { tokenURL("delivery_driver/{deliveryVehicleId}") }
    /// The URL template of the token endpoint of drivers who also change the stops; `{deliveryVehicleId}` is replaced.
    package var trustedDeliveryVehicleTokenURL: String { tokenURL("trusted_delivery_driver/{deliveryVehicleId}") }
    /// The URL of the token endpoint for tokens that cover all tasks and delivery vehicles.
    package var deliveryServerTokenURL: String { tokenURL("delivery_server") }

    private func tokenURL(_ path: String) -> String { serverTokenURL.dropLast("server".count) + path }

    /// How a client reads the token endpoint's answers about deliveries.
    package var deliveryTokenFormat: TokenAnswerFormat {
        tokenFormat == TokenEndpointFormat().answerFormat ? TokenEndpointFormat.snakeCase.answerFormat : tokenFormat
    }
}
