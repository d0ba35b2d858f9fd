import Failures
import FleetEmulator
import FleetEngineProtos
import FleetTokens
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import Synchronization
import TripModel
import TripTestSupport

/// The emulator's service layer and a token endpoint without HTTP, on the true time.
final class SimulatedEngine: Sendable {
    static let provider = "p"

    private let service: FleetService
    private let clock: VirtualClock
    private let random: Mutex<SeededGenerator>
    /// The issued tokens with their claims.
    private let issued = Mutex<[String: TokenClaims]>([:])
    /// The tokens that are refused although they have not ended.
    private let revoked = Mutex<Set<String>>([])
    /// When each trip ended.
    let ends = Mutex<[TripID: Duration]>([:])

    init(clock: VirtualClock, seed: UInt64) throws {
        service = FleetService(.world(World(provider: try ProviderID(Self.provider))))
        self.clock = clock
        random = Mutex(SeededGenerator(seed: seed ^ 0xE))
    }

    private func draw(_ range: ClosedRange<Double>) -> Double {
        random.withLock { Double.random(in: range, using: &$0) }
    }

    // MARK: Answers

    /// Answers a request for a token or a trip.
    func answer(_ request: HTTPTransportRequest) -> HTTPTransportResponse {
        let parts = request.url.split(separator: "?")
        guard let name = parts.first?.split(separator: "/").last else { return response(400, []) }
        if request.url.hasPrefix("https://tokens.") {
            if name == Self.server { return token(.server) }
            return (try? TripID(String(name))).map { token(.trip($0)) } ?? response(400, [])
        }
        do throws(ServiceError) {
            let caller = try caller(request)
            if name == "trips:search" {
                guard let search = try? TripSearch(body: request.body) else { return response(400, []) }
                let answer = try service.call(.searchTrips(search), by: caller, at: clock.truth)
                guard case .trips(let trips, let next) = answer else { return response(500, []) }
                return response(200, CollectionCoding.encode(trips: trips, nextPageToken: next))
            }
            guard let trip = try? TripID(String(name)) else { return response(400, []) }
            let answer = try service.call(
                .getTrip(trip, conditions(parts.count > 1 ? parts[1] : "")),
                by: caller,
                at: clock.truth
            )
            guard case .trip(let trip, let format) = answer else { return response(500, []) }
            return response(200, TripCoding.encode(trip, format: format))
        } catch {
            return response(error.answer.httpStatus, error.body)
        }
    }

    private func response(_ status: Int, _ body: [UInt8]) -> HTTPTransportResponse {
        HTTPTransportResponse(status: status, headers: [(name: "Date", value: HTTPDate.text(clock.truth))], body: body)
    }

    /// The last part of the URL that issues server tokens.
    static let server = "server"

    /// Issues a token with a random lifetime from 15 to 120 s.
    private func token(_ context: AuthorizationContext) -> HTTPTransportResponse {
        let issued = Date(timeIntervalSince1970: clock.truth.timeIntervalSince1970.rounded(.down))
        let number = self.issued.withLock { $0.count + 1 }
        let life = Duration.seconds(draw(15...120).rounded())
        let token = FakeToken(context, issuedAt: issued, lifetime: life, serial: number).text
        let claims = try? TokenClaims(token: token)
        self.issued.withLock { $0[token] = claims }
        return response(200, Array(#"{"jwt":"\#(token)"}"#.utf8))
    }

    private func caller(_ request: HTTPTransportRequest) throws(ServiceError) -> Caller {
        guard let claims = claims(request), let end = claims.expiresAt, end > clock.truth, !isRevoked(request) else {
            throw ServiceError(httpStatus: 401, status: "UNAUTHENTICATED")
        }
        let isServer = claims.tripID == "*"
        return Caller(role: isServer ? .server : .consumer, tripID: claims.tripID, vehicleID: isServer ? "*" : nil)
    }

    /// The claims of a request's token; `nil` if it was not issued here.
    func claims(_ request: HTTPTransportRequest) -> TokenClaims? {
        Self.token(of: request).flatMap { token in issued.withLock { $0[token] } }
    }

    /// The token of a request; `nil` without one.
    static func token(of request: HTTPTransportRequest) -> String? {
        request.headers.first { $0.name.lowercased() == "authorization" }.map { String($0.value.dropFirst(7)) }
    }

    /// Refuses all tokens that were issued so far.
    func revokeTokens() {
        let tokens = issued.withLock { $0.keys }
        revoked.withLock { $0.formUnion(tokens) }
    }

    private func isRevoked(_ request: HTTPTransportRequest) -> Bool {
        Self.token(of: request).map { token in revoked.withLock { $0.contains(token) } } ?? false
    }

    private func conditions(_ query: Substring) -> TripConditions {
        var conditions = TripConditions()
        for field in query.split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let value = PercentEncoding.decode(pair[1]) else { continue }
            switch pair[0] {
            case "currentRouteSegmentVersion": conditions.routeVersion = Version(value)
            case "currentRouteSegmentTrafficVersion": conditions.trafficVersion = Version(value)
            case "remainingWaypointsRouteVersion": conditions.waypointsRouteVersion = Version(value)
            default: break
            }
        }
        return conditions
    }

    // MARK: The trip

    /// Creates a trip, drives it, and ends it some time before or after the network recovers.
    func drive(_ trip: TripID) async throws {
        let vehicle = try VehicleID("v-\(trip)")
        var cab = VehicleMessage()
        (cab.vehicleState, cab.supportedTripTypes, cab.maximumCapacity) = (.online, [.exclusive], 4)
        cab.vehicleType.category = .auto
        try call(.createVehicle(vehicle, cab))
        try await wait(until: draw(0...30))
        var ride = TripMessage()
        ride.tripType = .exclusive
        ride.pickupPoint = TerminalMessage(Coordinate(latitude: 51, longitude: 3))
        ride.dropoffPoint = TerminalMessage(Coordinate(latitude: 51.1, longitude: 3))
        try call(.createTrip(trip, ride))
        let end = draw(70...130)
        let statuses: [TripStatus] = [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff]
        var steps = [0.0, 0.3, 0.4].map { 35 + $0 * (end - 35) }
        var left = statuses
        while clock.now().steady.seconds < end {
            if let due = steps.first, due <= clock.now().steady.seconds {
                var update = TripMessage()
                (update.status, update.vehicleID) = (left.removeFirst(), vehicle.rawValue)
                steps.removeFirst()
                try call(.updateTrip(trip, FieldMask(["tripStatus", "vehicleId"]), update))
            }
            try report(vehicle)
            try await wait(until: min(end, clock.now().steady.seconds + draw(3...7)))
        }
        var update = TripMessage()
        update.status = draw(0...1) < 0.3 ? .canceled : .complete
        try call(.updateTrip(trip, FieldMask(["tripStatus"]), update))
        ends.withLock { $0[trip] = clock.now().steady }
    }

    private func report(_ vehicle: VehicleID) throws {
        var update = VehicleMessage()
        let place = Coordinate(latitude: 51 + clock.now().steady.seconds / 2000, longitude: 3)
        update.lastLocation.location = LatLngMessage(place)
        update.lastLocation.updateTime = Google_Protobuf_Timestamp(clock.truth)
        update.remainingTimeSeconds = .init(300)
        try call(.updateVehicle(vehicle, FieldMask(["lastLocation", "remainingTimeSeconds"]), update))
    }

    private func call(_ request: FleetRequest) throws {
        let operating = Caller(role: .server, tripID: "*", vehicleID: "*")
        _ = try service.call(request, by: operating, at: clock.truth)
    }

    private func wait(until seconds: Double) async throws { try await clock.sleep(until: .seconds(seconds)) }
}
