import Failures
import FleetTokens
import FleetWire
import Runtime
import Transport
import TripModel

/// Makes the calls of a driver app and of an operator, with retries.
struct DriverClient: Sendable {
    /// The calls with a driver's token.
    static let driverCalls = [
        "GetVehicle", "UpdateVehicle", "GetDeliveryVehicle", "UpdateDeliveryVehicle", "UpdateTask",
    ]
    /// The number of attempts per call, with waits of 1, 2, 4 … 10 s between them.
    static let attempts = 6

    let baseURL: String
    let provider: ProviderID
    let vehicle: DrivenVehicle
    let driverTokens: TokenProvider
    let backendToken: @Sendable (BackendToken) async throws -> String
    let transport: HTTPTransport
    let clock: any TripClock
    /// Called with each completed call of the driver of a vehicle of trips, and the trips that the vehicle serves.
    var onCall: @Sendable (DriverCall, Set<TripID>) -> Void = { _, _ in }

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
        _ report: DriverReport,
        about trips: Set<TripID> = [],
        attempts: Int = Self.attempts
    ) async throws(DriverError) {
        switch vehicle {
        case .ofTrips:
            try await call(
                "UpdateVehicle",
                "PUT",
                updating(report.mask),
                JSONBytes.encode(report),
                by: .driver,
                about: trips,
                attempts: attempts
            )
        case .ofDeliveries:
            let report = DeliveryReport(report)
            // A vehicle of deliveries has no state that could be reported alone.
            guard !report.mask.paths.isEmpty else { return }
            try await updateDeliveryVehicle(report.mask, JSONBytes.encode(report), by: .driver, about: trips)
        }
    }

    /// Calls UpdateDeliveryVehicle.
    func updateDeliveryVehicle(
        _ mask: FieldMask,
        _ body: [UInt8],
        by sender: Sender,
        about shipments: Set<JourneyID> = []
    ) async throws(DriverError) {
        try await call("UpdateDeliveryVehicle", "PATCH", updating(mask), body, by: sender, about: shipments)
    }

    private func updating(_ mask: FieldMask) -> String {
        "/v1/\(path)?updateMask=\(PercentEncoding.encode(mask.text))"
    }

    /// Makes a call of the backend for trips.
    func operate(_ name: String, _ method: String, _ target: String, _ body: some Encodable) async throws(DriverError) {
        try await call(name, method, target, JSONBytes.encode(body), by: .backend(.trips))
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

    /// Makes a call and returns the body of its answer.
    @discardableResult
    func call(
        _ name: String,
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        by sender: Sender,
        about trips: Set<TripID> = [],
        attempts: Int = Self.attempts
    ) async throws(DriverError) -> [UInt8] {
        var failure = DriverError.cancelled
        var renewed = false
        var wait = Duration.zero
        for attempt in 0..<attempts {
            if attempt > 0 { try await pause(max(wait, .seconds(min(10, 1 << (attempt - 1))))) }
            wait = .zero
            let (header, token): (String, BearerToken?)
            do throws(TokenError) {
                (header, token) = try await authorization(of: sender)
            } catch {
                failure = Task.isCancelled ? .cancelled : .noToken(call: name)
                guard !Task.isCancelled, let delay = error.passesAfter else { throw failure }
                wait = min(delay, .seconds(60))
                continue
            }
            // A cancelled request may still reach the service, even after the OFFLINE report that follows it.
            guard !Task.isCancelled else { throw .cancelled }
            let response: HTTPTransportResponse
            let sent = clock.realTime
            do {
                response = try await transport.send(
                    HTTPTransportRequest(
                        method: method,
                        url: baseURL + target,
                        headers: [("authorization", header), ("content-type", "application/json")],
                        body: body,
                        timeout: .seconds(15)
                    )
                )
            } catch {
                if error.code == .cancelled { throw .cancelled }
                if var call = driverCall(by: sender, method, target, body, since: sent) {
                    call.failure = DriverCall.Failure(code: error.name, message: error.reason)
                    onCall(call, trips)
                }
                failure = .unreachable(call: name, error)
                // The proxy variables of a running process do not change, so a retry cannot help.
                if error.code == .unusableProxy { throw failure }
                continue
            }
            if var call = driverCall(by: sender, method, target, body, since: sent) {
                (call.status, call.bytes) = (response.status, response.body.count)
                if !(200..<300).contains(response.status) {
                    let error = ServiceError(httpStatus: response.status, body: response.body)
                    call.failure = DriverCall.Failure(code: "HTTP_\(response.status)", message: error.message)
                }
                onCall(call, trips)
            }
            switch response.status {
            case 200..<300: return response.body
            case 409 where method == "POST": return []  // It already exists, as intended.
            case 401 where !renewed:
                renewed = true
                if let token { driverTokens.reject(token, for: vehicle.context, status: 401) }
                fallthrough
            case 408, 429, 500...:
                // Honor `Retry-After`, up to a limit.
                let asked = response.header("retry-after").flatMap { HTTPDate.retryAfter($0, now: clock.now().wall) }
                wait = min(asked ?? .zero, .seconds(60))
                failure = .refused(call: name, httpStatus: response.status, message: nil)
            default:
                let error = ServiceError(httpStatus: response.status, body: response.body)
                throw .refused(call: name, httpStatus: response.status, message: error.message)
            }
        }
        throw failure
    }

    /// Returns a call without its result; `nil` for one of the backend.
    private func driverCall(
        by sender: Sender,
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        since sent: Duration
    ) -> DriverCall? {
        guard case .driver = sender else { return nil }
        return DriverCall(
            vehicle: vehicle.id,
            method: method,
            url: baseURL + target,
            body: String(decoding: body, as: UTF8.self),
            finished: clock.now(),
            latency: clock.realTime - sent
        )
    }

    private func authorization(
        of sender: Sender
    ) async throws(TokenError) -> (header: String, token: BearerToken?) {
        guard case .backend(let kind) = sender else {
            let token = try await driverTokens.token(for: vehicle.context)
            return (token.authorizationHeaderValue, token)
        }
        do {
            return ("Bearer \(try await backendToken(kind))", nil)
        } catch {
            // The token is signed locally, so a retry would fail the same way.
            throw .noAuthorizationContext
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

extension TokenError {
    /// The wait before a retry that may get a token; `nil` if the error needs a change by the user.
    fileprivate var passesAfter: Duration? {
        switch (failure.code, failure.cause?.code) {
        case (.tokenUnavailable, _): isPermanent ? nil : retryAfter
        case (.tokenRejected, _), (.tokenUnusable, .tokenExpired?), (.tokenUnusable, .tokenTooShort?): retryAfter
        default: nil
        }
    }
}
