package import Failures
import FleetTokens
import FleetWire
import HTTPTransport
import TripModel

/// The reason why a simulated ride stopped.
package enum DriverError: Error, Sendable, Equatable {
    /// The service refused a call and a retry would not help; the message is untrusted text.
    case refused(call: String, httpStatus: Int, message: String?)
    /// The service was unreachable until all retries failed.
    case unreachable(call: String, Failure)
    /// No token was available.
    case noToken(call: String)
    /// The ride was cancelled.
    case cancelled

    /// Whether the failed call needs an operator's token.
    package var isOfOperator: Bool {
        switch self {
        // A driver's token permits calls about its own vehicle only.
        case .refused(let call, _, _), .unreachable(let call, _), .noToken(let call):
            !["GetVehicle", "UpdateVehicle"].contains(call)
        case .cancelled: false
        }
    }
}

/// Makes the calls of a driver app and of an operator, with retries.
struct DriverClient: Sendable {
    /// The number of attempts per call, with waits of 1, 2, 4 … 10 s between them.
    static let attempts = 6

    let baseURL: String
    let provider: ProviderID
    let vehicle: VehicleID
    let driverTokens: TokenProvider
    let operatorToken: @Sendable () async throws -> String
    let transport: HTTPTransport
    let clock: any TripClock
    /// Called with each completed call of the driver, and the trips that the vehicle serves.
    var onCall: @Sendable (DriverCall, Set<TripID>) -> Void = { _, _ in }

    /// Calls UpdateVehicle with the driver's token.
    func report(
        _ report: DriverReport,
        about trips: Set<TripID> = [],
        attempts: Int = Self.attempts
    ) async throws(DriverError) {
        let path = ResourceName.vehicle(provider, vehicle).path
        let target = "/v1/\(path)?updateMask=\(PercentEncoding.encode(report.mask.text))"
        try await call(
            "UpdateVehicle",
            "PUT",
            target,
            JSONBytes.encode(report),
            isOperator: false,
            about: trips,
            attempts: attempts
        )
    }

    /// Makes a call with an operator token.
    func operate(_ name: String, _ method: String, _ target: String, _ body: some Encodable) async throws(DriverError) {
        try await call(name, method, target, JSONBytes.encode(body), isOperator: true)
    }

    /// Calls GetTrip with an operator token.
    func trip(_ id: TripID) async throws(DriverError) -> Trip {
        let path = ResourceName.trip(provider, id).path
        let body = try await call("GetTrip", "GET", "/v1/\(path)", [], isOperator: true)
        do {
            return try TripCoding.decode(body)
        } catch {
            throw .refused(call: "GetTrip", httpStatus: 200, message: "the answer is not a trip")
        }
    }

    /// Calls GetVehicle with the driver's token and returns the vehicle's last position; `nil` if it has none.
    func position() async throws(DriverError) -> Coordinate? {
        let path = ResourceName.vehicle(provider, vehicle).path
        let body = try await call("GetVehicle", "GET", "/v1/\(path)", [], isOperator: false)
        do {
            return try VehicleCoding.decode(body).lastLocation?.coordinate
        } catch {
            throw .refused(call: "GetVehicle", httpStatus: 200, message: "the answer is not a vehicle")
        }
    }

    @discardableResult
    private func call(
        _ name: String,
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        isOperator: Bool,
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
                (header, token) = try await authorization(isOperator: isOperator)
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
                if !isOperator {
                    var call = driverCall(method, target, body, since: sent)
                    call.failure = DriverCall.Failure(code: error.name, message: error.reason)
                    onCall(call, trips)
                }
                failure = .unreachable(call: name, error)
                // The proxy variables of a running process do not change, so a retry cannot help.
                if error.code == .unusableProxy { throw failure }
                continue
            }
            if !isOperator {
                var call = driverCall(method, target, body, since: sent)
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
                if let token { driverTokens.reject(token, for: .vehicle(vehicle), status: 401) }
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

    /// Returns a call without its result.
    private func driverCall(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        since sent: Duration
    ) -> DriverCall {
        DriverCall(
            vehicle: vehicle,
            method: method,
            url: baseURL + target,
            body: String(decoding: body, as: UTF8.self),
            finished: clock.now(),
            latency: clock.realTime - sent
        )
    }

    private func authorization(
        isOperator: Bool
    ) async throws(TokenError) -> (header: String, token: BearerToken?) {
        guard isOperator else {
            let token = try await driverTokens.token(for: .vehicle(vehicle))
            return (token.authorizationHeaderValue, token)
        }
        do {
            return ("Bearer \(try await operatorToken())", nil)
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
        switch self {
        case .unavailable(let cause, let delay): cause.isPermanent ? nil : delay
        case .rejectedByService(_, let delay), .unusable(.expired, let delay), .unusable(.tooShort, let delay): delay
        case .unusable, .missingData, .denied, .noAuthorizationContext, .tooShortLived, .tooManyKeys, .tooManyWaiters,
            .cancelled, .closed:
            nil
        }
    }
}
