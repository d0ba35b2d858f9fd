import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// Answers and status codes over gRPC.
@Suite("Calls of the gRPC client", .ends(within: .quickTest))
struct StatusTests {
    @Test(arguments: [false, true])
    func `a trip arrives with the status, the time of the service and the size of the message`(
        isPlaintext: Bool
    ) async throws {
        let answer = try await ScriptedService.run(isPlaintext: isPlaintext) { await $0.getTrip() }
        let trip = try answer.outcome.get()
        #expect(trip.status == .trip(.enrouteToPickup))
        let received = try answer.get()
        #expect(received.remote?.status == .ok)
        let bytes = try #require(received.remote?.messageBytes)
        #expect(bytes > 0 && bytes < received.response.body.count, "the message is binary, the body is JSON")
        #expect(received.response.header("date") == "Thu, 01 Jan 2026 00:00:00 GMT")
        #expect(!received.response.headers.contains { $0.name.hasPrefix("tripshare-") || $0.name.hasPrefix(":") })
    }

    @Test(arguments: StatusCode.allCases.filter { $0 != .ok })
    func `every status is the failure of the same answer over REST`(code: StatusCode) async throws {
        let error = ServiceError(httpStatus: code.httpStatus, status: code.name, message: "Because.")
        let answer = try await ScriptedService.run(
            answer: { _ in HTTPTransportResponse(status: code.httpStatus, body: error.body) },
            body: { await $0.getTrip() }
        )
        guard case .failure(let failure) = answer.outcome, let received = failure.answer else {
            Issue.record("\(answer.outcome)")
            return
        }
        #expect(received.grpcStatus == code && received.httpStatus == code.httpStatus)
        #expect(received.status == code.name && received.message == "Because." && failure.retryAfter == nil)
        #expect(try answer.get().remote == FleetAnswer.Remote(status: code))
    }

    @Test func `the details arrive: the values that are not valid`() async throws {
        var error = ServiceError(httpStatus: 400, status: "INVALID_ARGUMENT", message: "no")
        error.fieldViolations = [ServiceError.FieldViolation(field: "trip_id", description: "It is empty.")]
        let body = error.body
        let answer = try await ScriptedService.run(
            answer: { _ in HTTPTransportResponse(status: 400, body: body) },
            body: { await $0.getTrip() }
        )
        guard case .failure(let failure) = answer.outcome else {
            Issue.record("\(answer.outcome)")
            return
        }
        #expect(failure.detail == "no · trip_id: It is empty.")
    }

    @Test func `the details arrive: the wait and the missing permission`() async throws {
        var error = ServiceError(httpStatus: 403, status: "PERMISSION_DENIED", message: "no")
        error.answer.missingPermission = "fleetengine.trips.get"
        error.answer.retryDelay = .milliseconds(3500)
        let body = error.body
        let answer = try await ScriptedService.run(
            answer: { _ in HTTPTransportResponse(status: 403, body: body) },
            body: { await $0.getTrip() }
        )
        guard case .failure(let failure) = answer.outcome, let received = failure.answer else {
            Issue.record("\(answer.outcome)")
            return
        }
        #expect(received.missingPermission == "fleetengine.trips.get")
        #expect(failure.retryAfter == .milliseconds(3500))
    }

    @Test func `Retry-After of the emulator arrives as RetryInfo`() async throws {
        let error = ServiceError(httpStatus: 429, status: "RESOURCE_EXHAUSTED", message: "slow down")
        let answer = try await ScriptedService.run(
            answer: { _ in HTTPTransportResponse(status: 429, headers: [("retry-after", "7")], body: error.body) },
            body: { await $0.getTrip() }
        )
        guard case .failure(let failure) = answer.outcome, let received = failure.answer else {
            Issue.record("\(answer.outcome)")
            return
        }
        #expect(failure.retryAfter == .seconds(7) && received.grpcStatus == .resourceExhausted)
    }

    @Test func `the token, the versions and the search arrive`() async throws {
        let requests = Mutex<[HTTPTransportRequest]>([])
        var request = ScriptedService.request
        request.routeVersion = Version("2026-01-01T00:00:01.250Z")
        request.trafficVersion = Version("2026-01-01T00:00:02Z")
        request.waypointsRouteVersion = Version("2026-01-01T00:00:03Z")
        var search = TripSearch()
        search.activeOnly = true
        search.page = try PageRequest(size: 20, token: "next")
        try await ScriptedService.run(
            answer: { request in
                requests.withLock { $0.append(request) }
                return request.method == "POST"
                    ? HTTPTransportResponse(status: 200, body: Array("{}".utf8)) : ScriptedService.trip
            },
            body: { [request, search] transport in
                _ = try await transport.send(.getTrip(request), "Bearer abc")
                _ = try await transport.send(.searchTrips(search, in: ScriptedService.provider), nil)
            }
        )
        let sent = requests.withLock { $0 }
        let tokens = sent.map { request in request.headers.filter { $0.name == "authorization" }.map { $0.value } }
        #expect(tokens == [["Bearer abc"], []])
        let received = try parameters(of: try #require(sent.first?.url))
        let wanted = try parameters(of: request.target)
        #expect(received == wanted)
        #expect(sent.last?.url.hasSuffix("/v1/providers/p/trips:search") == true)
        let found = try TripSearch(body: try #require(sent.last?.body))
        #expect(found == search)
    }

    /// The parameters of a query.
    private func parameters(of url: String) throws -> Set<Substring> {
        let query = try #require(url.split(separator: "?").last)
        return Set(query.split(separator: "&"))
    }

    @Test func `only methods with a parent have a routing value, as in Google's clients`() {
        let search = FleetCall.searchTrips(TripSearch(), in: ScriptedService.provider)
        #expect(search.routing == "provider_id=providers/p")
        #expect(FleetCall.getTrip(ScriptedService.request).routing == nil)
    }

    @Test func `a version that is no time is not sent`() async throws {
        var request = ScriptedService.request
        request.routeVersion = Version("yesterday")
        let error = try await ScriptedService.run { [request] transport in
            await #expect(throws: Failure.self) { try await transport.send(.getTrip(request), "Bearer t") }
        }
        guard error?.code == .other, let reason = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("the request can't be encoded"))
    }
}
