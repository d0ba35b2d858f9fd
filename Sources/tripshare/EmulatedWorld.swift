import FleetEmulator
import FleetTokens
import Foundation
import HTTPTransport
import Recording
import TripFeed
import TripModel

/// What an emulator serves, and who drives in it: the default ride, or a recording.
struct EmulatedWorld: Sendable {
    /// The service.
    let service: FleetService
    /// The trips that it has or is going to have.
    let trips: [TripID]
    /// The vehicles that serve them.
    let vehicles: [VehicleID]
    private let ride: (plan: RidePlan, trip: TripID, vehicle: VehicleID)?
    private let seed: UInt64

    /// The default ride, or the recording of a file, which begins now.
    init(recording: RecordedTrips?, seed: UInt64, clock: ScaledClock) throws {
        self.seed = seed
        if let recording {
            let recorded = recording.shifted(to: clock.now().wall)
            service = FleetService(.recording(recorded))
            trips = recorded.timelines.map(\.id)
            vehicles = recorded.timelines.compactMap(\.vehicleID).reduce(into: []) { list, id in
                if !list.contains(id) { list.append(id) }
            }
            ride = nil
        } else {
            let number = String(seed % 0x10000, radix: 16)
            let (trip, vehicle) = (try TripID("trip-\(number)"), try VehicleID("vehicle-\(number)"))
            let plan = RidePlan.standard(seed: seed)
            service = FleetService(.world(World(provider: try ProviderID("tripshare-demo"), roads: plan.roads)))
            trips = [trip]
            vehicles = [vehicle]
            ride = (plan, trip, vehicle)
        }
    }

    /// The driver of the ride; `nil` where a recording plays.
    func driver(
        at address: EmulatorAddress,
        transport: HTTPTransport,
        clock: ScaledClock
    ) throws -> (driver: SimulatedDriver, tokens: TokenProvider)? {
        guard let ride else { return nil }
        let tokens = TokenProvider(
            source: HTTPTokenSource(
                template: try TokenURLTemplate(address.driverTokenURL, allowsPlainHTTP: true),
                transport: transport
            ),
            clock: clock,
            seed: seed
        )
        let driver = SimulatedDriver(
            plan: ride.plan,
            provider: service.provider,
            trip: ride.trip,
            vehicle: ride.vehicle,
            baseURL: address.fleetEngineURL,
            driverTokens: tokens,
            operatorToken: address.operatorToken,
            transport: transport,
            clock: clock,
            seed: seed
        )
        return (driver, tokens)
    }

    /// Reads the recording of a file.
    static func read(_ path: String) throws(CommandFailure) -> RecordedTrips {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw CommandFailure(
                .notFound,
                "There is no recording \(shown(path)), or it can't be read.\nName a file that exists and that you may read."
            )
        }
        do {
            return try RecordedTrips(bytes: [UInt8](data))
        } catch {
            throw CommandFailure(.badInput, "The recording \(shown(path)) can't be played: \(error.sentence)")
        }
    }
}
