import FleetWire
package import Runtime
import Synchronization
package import TripModel

/// What the control API can change.
package struct EmulatorControl: Sendable {
    let faults: FaultInjector
    let drivers: DriverControl
    let clock: ClockControl
    let provider: ProviderID
    let resets: EmulatorReset
    /// The endpoint of a presenter's console; `nil` if there is none.
    package var presenter: PresenterEndpoint?

    /// Creates the controls of one emulator.
    package init(
        faults: FaultInjector,
        drivers: DriverControl,
        clock: ClockControl,
        provider: ProviderID,
        resets: EmulatorReset
    ) {
        (self.faults, self.drivers, self.clock, self.provider) = (faults, drivers, clock, provider)
        self.resets = resets
    }

    /// Waits until the drivers have acted on a step of the paused clock.
    func driversCatchUp(with clock: any TripClock) async {
        await drivers.progress.catchUp(with: clock, isPaused: self.clock.isPaused)
    }
}

/// Requests to reset an emulator to its beginning, and the answers to them.
///
/// The control API requests a reset; what plays the scenario performs it, because the drivers have to stop first.
package final class EmulatorReset: Sendable {
    /// One request.
    package struct Request: Sendable {
        fileprivate let promise: AsyncPromise<Bool>

        /// Answers the request: whether everything is as it was at the beginning.
        package func finish(_ isReset: Bool) { promise.set(isReset) }
    }

    /// The requests, for the single task that performs them.
    package let requests: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation
    private let unanswered = Mutex<[AsyncPromise<Bool>]>([])

    /// Creates a source without requests.
    package init() {
        (requests, continuation) = AsyncStream.makeStream(of: Request.self)
    }

    /// Requests a reset and waits until it is performed; returns `false` if it failed or the emulator is ending.
    package func perform() async -> Bool {
        let promise = AsyncPromise<Bool>()
        unanswered.withLock { $0.append(promise) }
        defer { unanswered.withLock { $0.removeAll { $0 === promise } } }
        guard case .enqueued = continuation.yield(Request(promise: promise)) else { return false }
        return await promise.value ?? false
    }

    /// Ends the requests; those without an answer fail.
    package func end() {
        continuation.finish()
        for promise in unanswered.withLock({ $0 }) { promise.cancel() }
    }
}

/// The endpoint of the control API that a presenter's console calls in another process.
///
/// The program that runs the emulator defines the content of requests and answers. Callers need its secret in the header
/// ``EndpointSecret/header``, because the control API accepts every process of the machine.
package struct PresenterEndpoint: Sendable {
    /// The secret that callers send.
    package let secret: EndpointSecret
    /// Returns the report about the session as JSON; `nil` before there is one.
    let report: @Sendable () -> [UInt8]?
    /// Accepts a request; returns `false` if it is invalid.
    let accept: @Sendable ([UInt8]) -> Bool

    /// Creates an endpoint with a new secret from closures.
    package init(
        report: @escaping @Sendable () -> [UInt8]?,
        accept: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        (secret, self.report, self.accept) = (EndpointSecret(), report, accept)
    }
}

extension ControlRoutes {
    /// Returns the report, or accepts a request; without an endpoint the method does not exist.
    func present(_ request: PlainRequest) throws(ServiceError) -> PlainResponse {
        guard let endpoint = control.presenter else { throw .noSuchMethod }
        guard endpoint.secret.isMet(by: request.secret) else {
            throw .permissionDenied(
                "The header \(EndpointSecret.header) with the secret of the demo's file is required."
            )
        }
        switch request.method {
        case "GET":
            guard let report = endpoint.report() else { throw .unavailable }
            return PlainResponse(status: 200, body: report)
        case "POST":
            guard endpoint.accept(request.body) else { throw .invalidArgument("The request is unknown.") }
            return PlainResponse(status: 200, body: CollectionCoding.empty)
        default: throw .methodNotAllowed
        }
    }
}

/// What providers and drivers have reported, and the way back to the beginning.
extension ControlRoutes {
    private struct BillableTripList: Encodable {
        struct Report: Encodable {
            var id: String
            var time: String
            var countryCode: String
            var platform: String?
            var relatedIds: [String]
            var solutionType: String
        }

        var billableTrips: [Report]
    }

    /// Lists the reports of billable trips.
    func billableTrips() -> PlainResponse {
        let reports = router.service.billableTrips.map { trip in
            BillableTripList.Report(
                id: trip.id.rawValue,
                time: Timestamp.text(trip.time),
                countryCode: trip.report.country,
                platform: trip.report.platform,
                relatedIds: trip.report.relatedIDs,
                solutionType: trip.report.solutionType
            )
        }
        return answer(BillableTripList(billableTrips: reports))
    }

    /// Returns a vehicle in the format of GetVehicle with the fields `pastLocations` and `deviceSettings`.
    func vehicle(_ id: VehicleID) throws(ServiceError) -> PlainResponse {
        PlainResponse(status: 200, body: MessageBytes.encode(try router.service.reportedVehicle(id)))
    }

    /// Restarts what the emulator plays.
    func reset() async throws(ServiceError) -> PlainResponse {
        guard await control.resets.perform() else { throw .unavailable }
        return PlainResponse(status: 200, body: CollectionCoding.empty)
    }
}
