import Failures
import FleetTokens
import FleetWire
import Runtime
import TripModel

/// Makes the calls of a driver app and of an operator, with retries.
struct DriverClient: Sendable {
    /// The calls with a driver's token.
    static let driverCalls = [
        "GetVehicle", "UpdateVehicle", "GetDeliveryVehicle", "UpdateDeliveryVehicle", "UpdateTask",
    ]
    /// The number of attempts of a call until the service has accepted one.
    static let attempts = 6

    /// The timeout of a call in real time.
    static let timeout = Duration.seconds(15)

    let baseURL: String
    let provider: ProviderID
    let vehicle: DrivenVehicle
    let driverTokens: TokenProvider
    let backendToken: @Sendable (BackendToken) async throws -> String
    let transport: HTTPTransport
    let clock: any TripClock
    /// Called with each completed call of the driver of a vehicle of trips, and the trips that the vehicle serves.
    var onCall: @Sendable (Call, Set<JourneyID>) -> Void = { _, _ in }
    /// What happens when a call fails for a reason that may pass.
    var retry = DriverRetry.attempts(attempts)
    /// Whether calls are also repeated without end before the service has accepted one.
    var isPatient = false
    /// What could not be sent.
    var outage = DriverOutage()
    /// Called when the outage begins or ends.
    var onEvent: @Sendable (DriverEvent) -> Void = { _ in }

    /// Whose token a call has.
    enum Sender {
        case driver
        case backend(BackendToken)
    }

    /// The path of the vehicle's resource.
    private var path: String {
        switch vehicle {
        case .ofTrips(let vehicle): ResourceName.vehicle(provider, vehicle).path
        case .ofDeliveries(let vehicle): ResourceName.deliveryVehicle(provider, vehicle).path
        }
    }

    /// Calls UpdateVehicle or UpdateDeliveryVehicle with the driver's token.
    func report(
        _ report: VehicleMessage,
        about journeys: Set<JourneyID> = [],
        retry: DriverRetry? = nil,
        timeout: Duration = Self.timeout
    ) async throws(DriverError) {
        switch vehicle {
        case .ofTrips:
            try await call(
                "UpdateVehicle",
                "PUT",
                updating(report.mask),
                MessageBytes.encode(report),
                by: .driver,
                about: journeys,
                retry: retry,
                timeout: timeout
            )
        case .ofDeliveries:
            let report = DeliveryVehicleMessage(report)
            // A vehicle of deliveries has no state that could be reported alone.
            guard !report.mask.paths.isEmpty else { return }
            let body = MessageBytes.encode(report)
            try await updateDeliveryVehicle(report.mask, body, by: .driver, about: journeys, retry: retry)
        }
    }

    /// Calls UpdateDeliveryVehicle.
    func updateDeliveryVehicle(
        _ mask: FieldMask,
        _ body: [UInt8],
        by sender: Sender,
        about journeys: Set<JourneyID> = [],
        retry: DriverRetry? = nil
    ) async throws(DriverError) {
        let target = updating(mask)
        try await call("UpdateDeliveryVehicle", "PATCH", target, body, by: sender, about: journeys, retry: retry)
    }

    private func updating(_ mask: FieldMask) -> String {
        "/v1/\(path)?updateMask=\(PercentEncoding.encode(mask.text))"
    }

    /// Makes a call of the backend for trips.
    func operate(_ name: String, _ method: String, _ target: String, _ body: [UInt8]) async throws(DriverError) {
        try await call(name, method, target, body, by: .backend(.trips))
    }

    /// Calls GetTrip with an operator token.
    func trip(_ id: TripID) async throws(DriverError) -> Trip {
        let path = ResourceName.trip(provider, id).path
        let body = try await call("GetTrip", "GET", "/v1/\(path)", [], by: .backend(.trips))
        do {
            return try TripCoding.decode(body)
        } catch {
            throw .refused(call: "GetTrip", httpStatus: 200, message: "the answer is not a trip")
        }
    }

    /// Fetches the vehicle with the driver's token and returns its last position; `nil` if it has none.
    func position() async throws(DriverError) -> Coordinate? {
        guard vehicle.ofDeliveries == nil else {
            let location = try await deliveryVehicle().lastLocation
            return location?.coordinate ?? location?.rawCoordinate
        }
        let body = try await call("GetVehicle", "GET", "/v1/\(path)", [], by: .driver)
        do {
            return try VehicleCoding.decode(body).lastLocation?.coordinate
        } catch {
            throw .refused(call: "GetVehicle", httpStatus: 200, message: "the answer is not a vehicle")
        }
    }

    /// Calls GetDeliveryVehicle with the driver's token.
    func deliveryVehicle() async throws(DriverError) -> DeliveryVehicle {
        let body = try await call("GetDeliveryVehicle", "GET", "/v1/\(path)", [], by: .driver)
        do {
            return try DeliveryVehicleCoding.decode(body)
        } catch {
            throw .refused(
                call: "GetDeliveryVehicle",
                httpStatus: 200,
                message: "the answer is not a delivery vehicle"
            )
        }
    }

    func authorization(
        of sender: Sender
    ) async throws(Failure) -> (header: String, token: BearerToken?) {
        guard case .backend(let kind) = sender else {
            do throws(TokenError) {
                let token = try await driverTokens.token(for: vehicle.context)
                return (token.authorizationHeaderValue, token)
            } catch {
                throw error.failure
            }
        }
        do {
            return ("Bearer \(try await backendToken(kind))", nil)
        } catch {
            // The token is signed locally, so a retry would fail the same way.
            throw Failure(.noAuthorizationContext)
        }
    }

    /// Waits for a duration of the clock's time.
    func pause(_ duration: Duration) async throws(DriverError) {
        do {
            try await clock.sleep(until: clock.now().steady + duration)
        } catch {
            throw .cancelled
        }
    }
}
