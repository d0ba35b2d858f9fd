import Failures
import FleetEmulator
import FleetWire
import Foundation
import Recording
import Runtime
import Testing
import TripModel
import TripTestSupport

/// The log of the emulator's calls.
@Suite("Call log", .ends(within: .quickTest))
struct CallLogTests {
    /// The method of an entry.
    private static func method(_ entry: JSONValue) -> String {
        let type = entry[path: "jsonPayload.@type"]?.string ?? ""
        return String(type.split(separator: ".").last?.dropLast("Log".count) ?? "")
    }

    /// Adds the fields of a value with the names of enum values in them, in the spelling of exports.
    private static func collect(_ value: JSONValue, _ field: String = "", into fields: inout [String: Set<String>]) {
        switch value {
        case .object(let members):
            for member in members {
                let key = member.key.lowercased().replacing("_", with: "")
                fields[key, default: []].formUnion([])
                collect(member.value, key, into: &fields)
            }
        case .array(let elements): for element in elements { collect(element, field, into: &fields) }
        case .string(let text) where text.contains(/^[A-Z][A-Z_]*[A-Z]$/): fields[field, default: []].insert(text)
        default: return
        }
    }

    @Test(.enabled(if: Shared.isThere, Shared.why))
    func `the entries of a ride have the fields and the enum values of a real log`() async throws {
        let published = try #require(JSONValue(Array(try Data(contentsOf: Shared.recording))))
        var (real, own): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        Self.collect(published, into: &real)
        let scene = try await LoggedScene()
        try await scene.ride()
        for entry in scene.entries { Self.collect(entry, into: &own) }
        // Fields of the API that the calls of this afternoon did not have; how a log spells them is not known.
        let others: Set<String> = [
            "distancemeters", "duration", "eta", "lastlocationsnappable", "traffictowaypoint", "updatetime",
        ]
        #expect(Set(own.keys).subtracting(real.keys).subtracting(others) == [])
        for (field, names) in own where !names.isEmpty {
            #expect(names.subtracting(real[field] ?? []) == [], "\(field)")
        }
    }

    @Test func `a log without the rider's calls shows the ride that the rider got`() async throws {
        let scene = try await LoggedScene()
        try await scene.ride()
        let answer = try await scene.call("GET", "trips/t-1")
        let end = try TripCoding.decode(answer.body)
        let recorded = try RecordedTrips(bytes: scene.log(without: ["GetTrip"]))
        let timeline = try #require(recorded.timelines.first)
        #expect(
            timeline.id == .trip(end.id) && timeline.vehicleID?.rawValue == "v-1" && recorded.provider.rawValue == "p"
        )
        let statuses = timeline.snapshots.map(\.journey.status.name)
        #expect(
            statuses.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
                == ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
        )
        let last = try #require(timeline.snapshots.last?.journey)
        #expect(last.pickup == end.pickup && last.dropoff == end.dropoff && last.type == end.type)
        #expect(last.passengers == end.passengers && last.status == .trip(end.status))
        let driving = try #require(timeline.snapshots.last { $0.journey.status.name == "ENROUTE_TO_DROPOFF" }?.journey)
        #expect(driving.unreadable.isEmpty)
        #expect(driving.lastLocation?.coordinate == Coordinate(latitude: 51.02, longitude: 3.72))
        #expect(driving.lastLocation?.sensor == "ROAD_SNAPPED_LOCATION_PROVIDER" && driving.lastLocation?.speed == 8.5)
        #expect(driving.route?.points.count == 2)
        #expect(driving.remainingWaypoints.map(\.kind) == [.dropoff] && driving.etaToFirstWaypoint != nil)
    }

    @Test func `a refused call has its reason, and a call without a valid token has no entry`() async throws {
        let scene = try await LoggedScene(quota: 1)
        try await scene.call("POST", "trips?tripId=t-1", #"{"tripType":"SOMETHING"}"#)
        try await scene.call("GET", "trips/unknown?view=SDK")
        try await scene.call("GET", "trips/unknown")
        try await scene.call("GET", "trips/t-1", token: "invalid")
        try await scene.call("GET", "nothing/t-1")
        let errors = scene.entries.map { entry in
            let error = entry[path: "jsonPayload.errorResponse"]
            return "\(Self.method(entry)) \(error?["httpStatusCode"]?.number ?? 0) \(error?["code"]?.string ?? "")"
        }
        #expect(
            errors == [
                "CreateTrip 400.0 INVALID_ARGUMENT", "GetTrip 404.0 NOT_FOUND", "GetTrip 429.0 RESOURCE_EXHAUSTED",
            ]
        )
        #expect(scene.entries.allSatisfy { $0[path: "jsonPayload.response"] == nil })
        #expect(scene.entries[1][path: "jsonPayload.request.view"]?.string == "SDK")
        #expect(scene.entries.map { $0["labels"]?["trip_id"]?.string } == ["t-1", "unknown", "unknown"])
        #expect(Set(scene.entries.compactMap { $0["insertId"]?.string }).count == 3)
    }

    @Test func `neither a token in a parameter nor one in a body is in the log`() async throws {
        let scene = try await LoggedScene()
        let token = try await scene.router.operatorToken()
        try await scene.call("GET", "trips/t-1?access_token=\(token)&key=secret-key")
        try await scene.call(
            "POST",
            "vehicles?vehicleId=v-1",
            "{\"attributes\":[{\"key\":\"note\",\"value\":\"Bearer \(token)\"}]}"
        )
        var log = String(decoding: scene.log(), as: UTF8.self)
        try await scene.call(
            "PUT",
            "vehicles/v-1?updateMask=attributes",
            "{\"attributes\":[{\"key\":\"note\",\"value\":\"\(token.split(separator: ".").last ?? "")\"}]}"
        )
        log = String(decoding: scene.log(), as: UTF8.self)
        #expect(scene.entries.count == 3 && !log.contains(token.suffix(30)))
        #expect(!log.contains(token) && !log.contains("secret-key") && !log.contains("eyJ"))
    }

    @Test func `a request has the names of the API, whatever form it was sent in`() async throws {
        let scene = try await LoggedScene()
        try await scene.ride()
        try await scene.call("GET", "vehicles?page_size=50&header.platform=ANDROID&header.sdk_type=DRIVER")
        try await scene.call("PUT", "trips/t-1?update_mask=trip_status,vehicle_id", "{\"trip_status\":3}")
        let entries = scene.entries.suffix(2).compactMap { $0[path: "jsonPayload.request"] }
        #expect(entries[0]["pageSize"]?.number == 50)
        #expect(entries[0][path: "header.platform"]?.string == "PLATFORM_LOG_ANDROID")
        #expect(entries[0][path: "header.sdkType"]?.string == "SDK_TYPE_LOG_DRIVER")
        #expect(entries[1]["updateMask"]?.string == "tripStatus,vehicleId")
        #expect(entries[1][path: "trip.status"]?.string == "TRIP_STATUS_ARRIVED_AT_PICKUP")
    }

    @Test func `a body with too many values is left out`() async throws {
        let scene = try await LoggedScene()
        let answer = try await scene.call("PUT", "trips/t-1", "[" + String(repeating: "0,", count: 510_000) + "0]")
        #expect(answer.status == 400)
        let entry = try #require(scene.entries.first)
        #expect(entry[path: "jsonPayload.request.trip"] == nil && scene.log().count < 2000)
        #expect(entry[path: "jsonPayload.errorResponse.httpStatusCode"]?.number == 400)
    }

    @Test func `selected fields and numbers of enum values do not change the log`() async throws {
        let scene = try await LoggedScene()
        try await scene.ride()
        try await scene.call("GET", "trips/t-1?$fields=name&$alt=json;enum-encoding=int")
        let last = try #require(scene.entries.last)
        #expect(last[path: "jsonPayload.response.status"]?.string == "TRIP_STATUS_COMPLETE")
    }
}
