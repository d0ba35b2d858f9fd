import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// The content of an emulator: a scenario, the default ride or a recording, with its drivers.
struct EmulatedWorld: Sendable {
    /// What the emulator plays.
    enum Program: Sendable {
        /// The default ride.
        case ride(Scenario)
        case scenario(Scenario)
        case recording(RecordedTrips)
    }

    /// The service.
    let service: FleetService
    /// The trips that exist now or will be created, which a rider follows.
    let trips: [TripID]
    /// The vehicles that serve them.
    let vehicles: [VehicleID]
    /// The shipments that recipients follow, by their tracking IDs.
    let shipments: [TrackingID]
    /// The vehicles that deliver them.
    let deliveryVehicles: [DeliveryVehicleID]
    /// All vehicles with a driver.
    var drivenVehicles: [DrivenVehicle] {
        vehicles.map(DrivenVehicle.ofTrips) + deliveryVehicles.map(DrivenVehicle.ofDeliveries)
    }
    /// What a client follows: the trips, and the shipments.
    var journeys: [JourneyID] { trips.map(JourneyID.trip) + shipments.map(JourneyID.shipment) }
    /// The fields that no answer contains, because the log format of a recording may lack them.
    let absentFields: Set<TripField>
    /// Injects failures.
    let faults = FaultInjector()
    /// Controls the drivers from outside.
    let drivers = DriverControl()
    /// Requests to start again from the beginning.
    let resets = EmulatorReset()
    /// The faults that exist from the beginning.
    var initialFaults: [Fault] = [] {
        didSet { addInitialFaults() }
    }
    /// The captions shown to users.
    let captions = SceneCaptions()
    /// The calls of the drivers.
    let calls = DriverCallRelay()
    /// The endpoint of a presenter's console; `nil` if there is none.
    var presenter: PresenterEndpoint?
    /// The scenario; `nil` for a recording.
    let scenario: Scenario?
    /// The recording with its own times.
    let recording: RecordedTrips?
    private let clock: ScaledClock
    let seed: UInt64

    /// Creates a world whose program starts now.
    init(_ program: Program, seed: UInt64, clock: ScaledClock) throws {
        (self.seed, self.clock) = (seed, clock)
        switch program {
        case .recording(let recording):
            let recorded = recording.shifted(to: clock.now().wall)
            service = FleetService(.recording(recorded))
            let journeys = recorded.timelines.map(\.id)
            trips = journeys.compactMap(\.trip)
            shipments = journeys.compactMap(\.tracking)
            deliveryVehicles = []
            var known: Set<VehicleID> = []
            vehicles = recorded.timelines.compactMap(\.vehicleID).filter { known.insert($0).inserted }
            scenario = nil
            self.recording = recording
            absentFields = recorded.absentFields
        case .ride(let scenario), .scenario(let scenario):
            service = FleetService(.world(World(provider: try ProviderID("tripshare-demo"), roads: scenario.roads)))
            trips = scenario.followed
            vehicles = scenario.drivers.compactMap(\.vehicle.ofTrips)
            shipments = scenario.shipments
            deliveryVehicles = scenario.drivers.compactMap(\.vehicle.ofDeliveries)
            self.scenario = scenario
            recording = nil
            absentFields = []
        }
    }

    /// Returns a check of the scenario, starting now; `nil` for a recording.
    func watch(_ clock: ScaledClock, lateness: Double) -> SceneWatch? {
        scenario.map { SceneWatch($0, captions: captions, clock: clock, lateness: lateness) }
    }

    /// Returns the handles for the control API.
    func control(_ clock: ScaledClock) -> EmulatorControl {
        var control = EmulatorControl(
            faults: faults,
            drivers: drivers,
            clock: clock.control,
            provider: service.provider,
            resets: resets
        )
        control.presenter = presenter
        return control
    }

    /// Returns to the beginning: no trips and vehicles of a scenario, a recording that starts now, and the first faults.
    ///
    /// Time continues, because it is also the time of clients and their tokens.
    func reset() {
        faults.clear()
        addInitialFaults()
        drivers.reset()
        if let recording {
            service.reset(to: .recording(recording.shifted(to: clock.now().wall)))
        } else {
            service.reset(to: .world(World(provider: service.provider, roads: scenario?.roads ?? Roads())))
        }
    }

    private func addInitialFaults() {
        for fault in initialFaults { faults.add(fault, at: clock.now().wall) }
    }

    /// Runs the drivers; `nil` for a recording.
    func play(
        at address: EmulatorAddress,
        transport: HTTPTransport,
        clock: ScaledClock
    ) throws -> (play: ScenarioPlay, tokens: TokenProvider)? {
        guard let scenario else { return nil }
        func source(_ template: String, _ format: TokenAnswerFormat) throws -> HTTPTokenSource {
            HTTPTokenSource(
                template: try TokenURLTemplate(template, allowsPlainHTTP: true),
                transport: transport,
                format: format,
                headers: { () throws(Failure) in
                    address.tokenSecret.map { [(EndpointSecret.header, $0.revealed)] } ?? []
                }
            )
        }
        let tokens = TokenProvider(
            source: DriverTokenSource(
                trips: try source(address.driverTokenURL, address.tokenFormat),
                deliveries: try source(address.trustedDeliveryVehicleTokenURL, address.deliveryTokenFormat)
            ),
            clock: clock,
            seed: seed
        )
        let play = ScenarioPlay(
            scenario,
            provider: service.provider,
            baseURL: address.fleetEngineURL,
            driverTokens: tokens,
            backendToken: address.backendToken,
            transport: transport,
            clock: clock,
            seed: seed,
            faults: faults,
            control: drivers,
            captions: captions,
            onCall: { [calls] in calls.pass($0, about: $1) }
        )
        return (play, tokens)
    }
}
