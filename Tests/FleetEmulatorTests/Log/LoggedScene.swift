import Failures
import FleetEmulator
import Foundation
import Recording
import Runtime
import Synchronization
import TripModel
import TripTestSupport

/// The service of the empty project `p` without a network, and its log.
struct LoggedScene {
    let router: RequestRouter
    let clock = ManualClock()
    private let lines: Lines

    /// The lines of the log.
    private final class Lines: Sendable {
        let all = Mutex<[[UInt8]]>([])
    }

    init(quota: Int? = nil) async throws {
        let lines = Lines()
        self.lines = lines
        var options = EmulatorOptions()
        options.quota = quota
        options.logged = { line in lines.all.withLock { $0.append(line) } }
        router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: options,
            clock: clock,
            faults: FaultInjector()
        )
    }

    /// The log without the entries of some methods.
    func log(without methods: [String] = []) -> [UInt8] {
        lines.all.withLock { lines in
            lines.filter { line in
                let type = JSONValue(line)?[path: "jsonPayload.@type"]?.string ?? ""
                return !methods.contains { type.hasSuffix(".\($0)Log") }
            }
            .flatMap(\.self)
        }
    }

    /// The entries.
    var entries: [JSONValue] { lines.all.withLock { $0.compactMap { JSONValue($0) } } }

    /// Sends a request of the backend; the path follows the project.
    @discardableResult
    func call(
        _ method: String,
        _ path: String,
        _ body: String = "",
        token: String? = nil
    ) async throws -> HTTPTransportResponse {
        let isDelivery = ["task", "deliveryVehicle"].contains(where: path.hasPrefix)
        let own = try await router.operatorToken(ofDeliveries: isDelivery)
        return try await router.transport.send(
            HTTPTransportRequest(
                method: method,
                url: RequestRouter.engineOrigin + "/v1/providers/p/\(path)",
                headers: [("authorization", "Bearer \(token ?? own)")],
                body: Array(body.utf8),
                timeout: .testTimeout
            )
        )
    }

    /// Plays a ride to its end: two waypoints, positions, and all statuses.
    func ride() async throws {
        let places = [(51.05, 3.72), (51.06, 3.74)].map { "{\"point\":{\"latitude\":\($0.0),\"longitude\":\($0.1)}}" }
        try await call(
            "POST",
            "vehicles?vehicleId=v-1",
            #"{"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#
        )
        try await call(
            "POST",
            "trips?tripId=t-1",
            #"{"tripType":"EXCLUSIVE","numberOfPassengers":1,"pickupPoint":\#(places[0]),"dropoffPoint":\#(places[1])}"#
        )
        try await call("PUT", "trips/t-1?updateMask=vehicleId", #"{"vehicleId":"v-1"}"#)
        let path = S2Polyline.encode([
            Coordinate(latitude: 51.04, longitude: 3.71), Coordinate(latitude: 51.05, longitude: 3.72),
        ])
        for status in ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"] {
            clock.advance(by: .seconds(10))
            try await call("PUT", "trips/t-1?updateMask=tripStatus", "{\"tripStatus\":\"\(status)\"}")
            for number in 0..<3 {
                clock.advance(by: .seconds(5))
                let time = Timestamp.text(clock.now().wall)
                let location = #"""
                    {"lastLocation":{"location":{"latitude":51.0\#(number),"longitude":3.72},"heading":90,"speed":8.5,
                    "latlngAccuracy":4,"locationSensor":"ROAD_SNAPPED_LOCATION_PROVIDER","rawLocationSensor":"GPS","updateTime":"\#(time)",
                    "isRoadSnapped":true},"navigationStatus":"ENROUTE_TO_DESTINATION","currentRouteSegment":"\#(path)",
                    "remainingDistanceMeters":900,"remainingTimeSeconds":\#(90 - number),
                    "deviceSettings":{"locationPowerSaveMode":"LOCATION_MODE_NO_CHANGE","isInteractive":true,
                    "batteryInfo":{"batteryStatus":"BATTERY_STATUS_DISCHARGING","powerSource":"POWER_SOURCE_UNPLUGGED"}}}
                    """#
                try await call(
                    "PUT",
                    "vehicles/v-1?updateMask=lastLocation,navigationStatus,currentRouteSegment,remainingDistanceMeters,remainingTimeSeconds,deviceSettings&header.sdkType=DRIVER",
                    location
                )
            }
        }
    }
}
