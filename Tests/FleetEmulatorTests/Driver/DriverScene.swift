import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripModel
import TripTestSupport

/// A simulated driver on a manual clock, with a service whose answers come from a script.
///
/// The tokens have a clock of their own, so that only the driver sleeps on the first one.
final class DriverScene: Sendable {
    /// A time after the end of any ride.
    ///
    /// A sleeper at this time means that the driver has finished.
    private static let endOfTime = Duration.seconds(100_000)

    let plan: RidePlan
    let clock: ManualClock
    let tokenClock: ManualClock
    let tokens: ScriptedTokenSource
    private let driver: SimulatedDriver
    private let log: RequestLog
    private let calls: DriverCalls

    init(
        seed: UInt64 = 7,
        speed: Double = 1,
        isPatient: Bool = false,
        tokens tokenScript: (@Sendable (ScriptedTokenSource.Fetch) -> ScriptedTokenSource.Answer)? = nil,
        script:
            @escaping @Sendable (DriverScene.Clocks, SentRequest) throws(Failure) ->
            HTTPTransportResponse = { _, _ in HTTPTransportResponse(status: 200) }
    ) throws {
        let clocks = Clocks(ride: ManualClock(speed: speed), tokens: ManualClock())
        let log = RequestLog()
        let source = ScriptedTokenSource { fetch in
            if let tokenScript { return tokenScript(fetch) }
            let now = clocks.tokens.now().wall
            return .token(FakeToken(fetch.context, issuedAt: now, serial: fetch.number).issued)
        }
        (plan, clock, tokenClock, tokens, self.log) = (.standard(seed: seed), clocks.ride, clocks.tokens, source, log)
        let calls = DriverCalls()
        self.calls = calls
        driver = SimulatedDriver(
            script: DriverScript(
                .standard(seed: seed),
                trip: try TripID("tr-1"),
                vehicle: try VehicleID("veh-1")
            ),
            provider: try ProviderID("p"),
            baseURL: "http://fleet.test",
            driverTokens: TokenProvider(source: source, clock: clocks.tokens, seed: 1),
            backendToken: { _ in "operator" },
            transport: HTTPTransport { request throws(Failure) in
                try script(clocks, log.add(request, at: clocks.ride.now()))
            },
            clock: clocks.ride,
            seed: seed,
            isPatient: isPatient,
            onCall: { call, trips in calls.all.withLock { $0.append((call, trips)) } }
        )
    }

    private final class DriverCalls: Sendable {
        let events = Locked<[DriverEvent]>([])
        let all = Locked<[(call: Call, trips: Set<JourneyID>)]>([])
    }

    /// The clock of the ride and the clock of the tokens.
    struct Clocks: Sendable {
        var ride: ManualClock
        var tokens: ManualClock
    }

    /// The completed calls of the driver, with the trips that the vehicle served.
    var reported: [(call: Call, trips: Set<JourneyID>)] { calls.all.withLock { $0 } }

    /// What the driver has told.
    var events: [DriverEvent] { calls.events.withLock { $0 } }

    /// All requests so far.
    var sent: [SentRequest] { log.all }

    /// The requests of one call, such as `UpdateVehicle`.
    func sent(_ call: String) -> [SentRequest] { sent.filter { $0.call == call } }

    /// Creates the vehicle and the trip.
    func prepare() async -> DriverError? {
        let driver = driver
        return await finish(Task { await failure { () throws(DriverError) in try await driver.prepare() } })
    }

    /// Drives until the end or until the ride is cancelled at a given time.
    ///
    /// The clock jumps from one wait to the next.
    func drive(cancelledAt time: Duration? = nil) async -> DriverError? {
        let (driver, calls) = (driver, calls)
        return await finish(
            Task {
                await failure { () throws(DriverError) in
                    try await driver.drive { event in calls.events.withLock { $0.append(event) } }
                }
            },
            cancelledAt: time
        )
    }

    /// Advances the clock until a task has finished, and returns the result of the task.
    private func finish(_ task: Task<DriverError?, Never>, cancelledAt time: Duration? = nil) async -> DriverError? {
        let clock = clock
        // Awaited below: it ends when it is cancelled.
        let mark = Task {
            _ = await task.value
            try await clock.sleep(until: Self.endOfTime)
        }
        if let time {
            await advance(until: time)
            task.cancel()
        }
        await advance(until: Self.endOfTime - .seconds(1))
        mark.cancel()
        _ = await mark.result
        return await task.value
    }

    /// Advances the clock to the next deadline of a sleeper while it is not later than a given time.
    private func advance(until end: Duration) async {
        while true {
            await clock.sleepers()
            guard let next = clock.earliest, next <= end else { return }
            clock.advance(by: next - clock.now().steady)
        }
    }
}

/// The error of a call as a value.
private func failure(of call: () async throws(DriverError) -> Void) async -> DriverError? {
    do {
        try await call()
        return nil
    } catch {
        return error
    }
}

/// All requests of a driver, in order.
private final class RequestLog: Sendable {
    private let requests = Mutex<[SentRequest]>([])

    var all: [SentRequest] { requests.withLock(\.self) }

    func add(_ request: HTTPTransportRequest, at moment: Moment) -> SentRequest {
        requests.withLock { requests in
            var sent = SentRequest(request: request, moment: moment)
            sent.number = requests.count { $0.call == sent.call } + 1
            requests.append(sent)
            return sent
        }
    }
}
