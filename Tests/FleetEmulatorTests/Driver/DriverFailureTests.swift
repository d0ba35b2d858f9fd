import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Simulated driver: failures", .ends(within: .quickTest))
struct DriverFailureTests {
    @Test func `uses a vehicle and a trip that exist already`() async throws {
        let scene = try DriverScene(script: { _, _ in HTTPTransportResponse(status: 409) })
        #expect(await scene.prepare() == nil)
        #expect(scene.sent.map(\.call) == ["CreateVehicle", "CreateTrip"])
    }

    @Test(arguments: [0.0, 4, 5, 7, 12, 40, 75, 90, 160])
    func `goes OFFLINE when it is cancelled`(seconds: Double) async throws {
        let scene = try DriverScene()
        #expect(await scene.drive(cancelledAt: .seconds(seconds)) == .cancelled)
        let last = try #require(scene.sent.last)
        #expect(last.mask == ["vehicleState"])
        #expect(try last.vehicle.state == .offline)
        #expect(last.time <= seconds + 1e-6)
        #expect(try scene.sent("UpdateTrip").allSatisfy { try $0.trip.status != .complete })
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `retries after 1, 2 and 4 s when the service has a temporary error`(status: Int) async throws {
        let scene = try DriverScene(script: { _, request in
            HTTPTransportResponse(status: request.call == "UpdateTrip" && request.number <= 3 ? status : 200)
        })
        #expect(await scene.drive() == nil)
        let updates = scene.sent("UpdateTrip")
        #expect(updates.map(\.time).prefix(4) == [5, 6, 8, 12])
        #expect(Set(updates.map(\.request.url).prefix(4)).count == 1)
        #expect(try updates.last?.trip.status == .complete)
    }

    @Test(arguments: [Failure.refused, .timedOut, .connectionLost])
    func `retries when the connection fails`(error: Failure) async throws {
        let scene = try DriverScene(script: { _, request throws(Failure) in
            guard request.call != "UpdateVehicle" || request.number > 2 else { throw error }
            return HTTPTransportResponse(status: 200)
        })
        #expect(await scene.drive() == nil)
        #expect(scene.sent("UpdateVehicle").map(\.time).prefix(3) == [0, 1, 3])
    }

    @Test func `each call of the driver is reported with its result and the trip that it serves`() async throws {
        let scene = try DriverScene(script: { _, request throws(Failure) in
            guard request.call == "UpdateVehicle" else { return HTTPTransportResponse(status: 200) }
            if request.number == 2 { throw .connectionLost }
            let busy = #"{"error":{"code":503,"status":"UNAVAILABLE","message":"Busy."}}"#
            return request.number == 3
                ? HTTPTransportResponse(status: 503, body: Array(busy.utf8))
                : HTTPTransportResponse(status: 200, body: Array("{}".utf8))
        })
        #expect(await scene.drive() == nil)
        let reports = scene.reported
        #expect(reports.count == scene.sent("UpdateVehicle").count)
        #expect(reports.map(\.call.request.url) == scene.sent("UpdateVehicle").map(\.request.url))
        #expect(reports.map(\.call.answer?.status).prefix(4) == [200, nil, 503, 200])
        let failures = reports.map(\.call.failure).prefix(4)
        #expect(failures.map { $0?.nameInJSON } == [nil, "TRANSPORT_CONNECTION_LOST", "UNAVAILABLE", nil])
        #expect(failures[2]?.answer?.message == "Busy.")
        #expect(reports[0].trips.isEmpty && reports[0].call.answer?.bytes == 2)
        #expect(reports.dropFirst(10).first?.trips == [try .trip(TripID("tr-1"))])
        #expect(reports.allSatisfy { $0.call.request.method == "PUT" && $0.call.subject == "veh-1" })
    }

    @Test func `gives up after six attempts`() async throws {
        let scene = try DriverScene(script: { _, _ in HTTPTransportResponse(status: 503) })
        #expect(await scene.prepare() == .refused(call: "CreateVehicle", httpStatus: 503, message: nil))
        #expect(scene.sent.map(\.time) == [0, 1, 3, 7, 15, 25])
        let silent = try DriverScene(script: { _, _ throws(Failure) in throw .unknownHost })
        #expect(await silent.prepare() == .unreachable(call: "CreateVehicle", .unknownHost))
        #expect(silent.sent.count == 6)
    }

    @Test(arguments: [400, 403, 404])
    func `gives up at once on a permanent refusal and goes OFFLINE`(status: Int) async throws {
        let scene = try DriverScene(script: { _, request in
            guard request.call == "UpdateTrip" else { return HTTPTransportResponse(status: 200) }
            return HTTPTransportResponse(status: status, body: ServiceError(httpStatus: status, message: "no").body)
        })
        #expect(await scene.drive() == .refused(call: "UpdateTrip", httpStatus: status, message: "no"))
        #expect(scene.sent("UpdateTrip").count == 1)
        #expect(try scene.sent.last?.vehicle.state == .offline)
    }

    @Test func `uses a new token after the service refuses the old one`() async throws {
        let scene = try DriverScene(script: { clocks, request in
            guard request.call == "UpdateVehicle", request.number == 3 else {
                return HTTPTransportResponse(status: 200)
            }
            clocks.tokens.advance(by: .seconds(60))
            return HTTPTransportResponse(status: 401)
        })
        #expect(await scene.drive() == nil)
        let tokens = scene.sent("UpdateVehicle").map(\.authorization)
        #expect(Set(tokens.prefix(3)).count == 1)
        #expect(Set(tokens.dropFirst(3)).count == 1)
        #expect(tokens[2] != tokens[3])
        #expect(scene.tokens.fetches.map(\.reason) == [.needed, .rejected])
    }

    @Test func `gives up when the service also refuses the new token`() async throws {
        let scene = try DriverScene(script: { clocks, request in
            guard request.call == "UpdateVehicle" else { return HTTPTransportResponse(status: 200) }
            clocks.tokens.advance(by: .seconds(60))
            return HTTPTransportResponse(status: 401)
        })
        #expect(await scene.drive() == .refused(call: "UpdateVehicle", httpStatus: 401, message: nil))
        #expect(scene.sent("UpdateTrip").isEmpty)
    }

    @Test func `reports that there is no token`() async throws {
        let scene = try DriverScene(tokens: { _ in .failure(.sourceStatus(403, retryAfter: nil)) })
        guard case .noToken("UpdateVehicle", let failure)? = await scene.drive() else {
            Issue.record("no drive without a token")
            return
        }
        #expect(failure.root.code == .tokenDenied && failure.root[.status] == 403)
        #expect(scene.sent.isEmpty)
    }

    @Test func `waits for a token that may still come before it reports that there is none`() async throws {
        let scene = try DriverScene(tokens: { _ in .failure(.sourceStatus(503, retryAfter: nil)) })
        let began = scene.clock.now().steady
        guard case .noToken("UpdateVehicle", let failure)? = await scene.drive() else {
            Issue.record("no drive without a token")
            return
        }
        #expect(failure.root == .sourceStatus(503, retryAfter: nil))
        // Six attempts, with waits of 1, 2, 4, 8 and 10 s between them.
        #expect(scene.clock.now().steady - began >= .seconds(25))
    }
}
