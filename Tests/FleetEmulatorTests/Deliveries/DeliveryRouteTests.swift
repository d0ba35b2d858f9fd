import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// DeliveryService over REST, and the tokens for it.
@Suite("Deliveries over REST", .ends(within: .quickTest))
struct DeliveryRouteTests {
    private static let statuses: [(method: String, path: String, body: String, status: Int)] = [
        ("GET", "tasks/t-1", "", 200), ("GET", "taskTrackingInfo/s-1", "", 200),
        ("GET", "deliveryVehicles/van-1", "", 200),
        ("GET", "tasks?pageSize=5&filter=state%20%3D%20OPEN", "", 200), ("GET", "tasks?page_size=5", "", 200),
        ("GET", "tasks?filter=state+%3D+OPEN", "", 200),
        (
            "GET", "deliveryVehicles?viewport.low.latitude=51&viewport.high.latitude=52&viewport.high.longitude=9", "",
            200
        ),
        ("GET", "tasks/t-1?header.languageCode=en", "", 200), ("GET", "tasks/none", "", 404),
        ("GET", "taskTrackingInfo/none", "", 404), ("GET", "deliveryVehicles/none", "", 404),
        ("PUT", "tasks/t-1?updateMask=state", "{}", 405), ("POST", "taskTrackingInfo/s-1", "{}", 405),
        ("DELETE", "taskTrackingInfo/s-1", "", 405), ("PATCH", "tasks", "{}", 405),
        ("GET", "taskTrackingInfo", "", 405),
        ("POST", "tasks:search", "{}", 404), ("POST", "tasks/t-1:close", "{}", 404), ("GET", "tours", "", 404),
        ("POST", "tasks", "{}", 400), ("POST", "tasks?taskId=a%2Fb", "{}", 400), ("POST", "tasks?taskId=x", "[]", 400),
        ("POST", "deliveryVehicles", "{}", 400), ("POST", "tasks:batchCreate", "{}", 400),
        ("GET", "tasks?pageSize=-1", "", 400), ("GET", "tasks?pageSize=x", "", 400),
        ("GET", "tasks?pageToken=x", "", 400),
        ("GET", "tasks?filter=speed%20%3D%205", "", 400), ("GET", "tasks?unknown=1", "", 400),
        ("GET", "deliveryVehicles?viewport.low.latitude=91", "", 400), ("GET", "deliveryVehicles?filter=a", "", 400),
        ("PATCH", "tasks/t-1", "{}", 400), ("PATCH", "tasks/t-1?updateMask=type", "{}", 400),
        ("PATCH", "tasks/t-1?updateMask=state", #"{"state":"RUNNING"}"#, 400),
        ("PATCH", "tasks/t-1?updateMask=state", #"{"state":"CLOSED"}"#, 400),
        ("PATCH", "deliveryVehicles/van-1?updateMask=type", #"{"type":"BICYCLE"}"#, 200),
        ("POST", "tasks?taskId=t-1", #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"1s"}"#, 409),
        ("POST", "deliveryVehicles?deliveryVehicleId=van-1", "{}", 409), ("DELETE", "tasks/t-1", "", 400),
        ("DELETE", "deliveryVehicles/van-1", "", 400),
    ]

    @Test func `each request has its status, and errors are in Google's form`() async throws {
        let scene = try await DeliveryServerScene()
        try await scene.populate()
        for (method, path, body, status) in Self.statuses {
            let answer = try await scene.call(method, path, body)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == status, "\(method) \(path): \(text)")
            guard status != 200 else { continue }
            let error = ServiceAnswer(httpStatus: answer.status, body: answer.body)
            #expect(error.status != nil && error.message != nil, "\(method) \(path): \(text)")
        }
    }

    @Test func `FAILED_PRECONDITION is named, and a foreign project is refused`() async throws {
        let scene = try await DeliveryServerScene()
        try await scene.populate()
        let answer = try await scene.call("DELETE", "tasks/t-1")
        #expect(ServiceAnswer(httpStatus: answer.status, body: answer.body).status == "FAILED_PRECONDITION")
        let foreign = try await scene.call("GET", "../q/tasks/t-1")
        #expect(foreign.status == 404)
        let other = try await scene.router.transport.send(
            HTTPTransportRequest(
                url: RequestRouter.engineOrigin + "/v1/providers/q/tasks/t-1",
                headers: [("authorization", "Bearer \(scene.token)")],
                timeout: .testTimeout
            )
        )
        #expect(other.status == 400)
    }

    @Test func `system parameters select fields and numbers of enums`() async throws {
        let scene = try await DeliveryServerScene()
        try await scene.populate()
        func text(_ path: String, fields: String? = nil) async throws -> String {
            String(decoding: try await scene.call("GET", path, fields: fields).body, as: UTF8.self)
        }
        #expect(try await text("tasks/t-1?fields=state,type") == #"{"state":"OPEN","type":"DELIVERY"}"#)
        #expect(try await text("tasks/t-1?fields=state&$alt=json;enum-encoding=int") == #"{"state":1}"#)
        #expect(try await text("tasks", fields: "tasks.name") == #"{"tasks":[{"name":"providers/p/tasks/t-1"}]}"#)
        #expect(try await text("deliveryVehicles?fields=totalSize") == #"{"totalSize":"1"}"#)
        #expect(try await text("taskTrackingInfo/s-1?fields=remainingStopCount") == #"{"remainingStopCount":1}"#)
        #expect(try await scene.call("GET", "tasks/t-1?fields=speed").status == 400)
    }

    @Test func `a recipient sees its own shipment only`() async throws {
        let scene = try await DeliveryServerScene()
        try await scene.populate()
        let token = try await scene.token("delivery_consumer/s-1")
        let answer = try await scene.call("GET", "taskTrackingInfo/s-1", token: token)
        let info = try TaskTrackingCoding.decode(answer.body)
        #expect(info.state == .open && info.remainingStopCount == 1 && info.vehicleLocation != nil)
        // Permissions come before existence.
        for path in ["taskTrackingInfo/s-2", "tasks/t-1", "deliveryVehicles/van-1", "tasks", "trips/tr-1"] {
            #expect(try await scene.call("GET", path, token: token).status == 403, "\(path)")
        }
        #expect(try await scene.call("GET", "taskTrackingInfo/s-1", token: "x").status == 401)
    }

    @Test func `a driver reports, and a trusted one also changes the stops`() async throws {
        let scene = try await DeliveryServerScene()
        try await scene.populate()
        let untrusted = try await scene.token("delivery_driver/van-1")
        let trusted = try await scene.token("trusted_delivery_driver/van-1")
        let location = #"{"lastLocation":{"location":{"latitude":51.055,"longitude":3.72}}}"#
        for token in [untrusted, trusted] {
            let path = "deliveryVehicles/van-1?updateMask=lastLocation"
            #expect(try await scene.call("PATCH", path, location, token: token).status == 200)
        }
        let stops = "deliveryVehicles/van-1?updateMask=remainingVehicleJourneySegments"
        let refused = try await scene.call("PATCH", stops, "{}", token: untrusted)
        let error = ServiceAnswer(httpStatus: refused.status, body: refused.body)
        #expect(error.missingPermission == "fleetengine.deliveryvehicles.updateVehicleStops")
        #expect(try await scene.call("PATCH", stops, "{}", token: trusted).status == 200)
        #expect(try DeliveryTaskCoding.decode(await scene.call("GET", "tasks/t-1").body).state == .closed)
    }

    private static let claims: [(path: String, role: String, claims: [String: String])] = [
        ("delivery_consumer/s", "deliveryConsumer", ["trackingid": "s"]),
        ("delivery_driver/v", "deliveryUntrustedDriver", ["deliveryvehicleid": "v"]),
        ("trusted_delivery_driver/v", "deliveryTrustedDriver", ["taskid": "*", "deliveryvehicleid": "v"]),
        ("fleet_reader", "deliveryFleetReader", ["trackingid": "*", "taskid": "*", "deliveryvehicleid": "*"]),
        ("delivery_server", "deliverySuperUser", ["trackingid": "*", "taskid": "*", "deliveryvehicleid": "*"]),
        ("DELIVERY_CONSUMER/s", "deliveryConsumer", ["trackingid": "s"]),
    ]

    @Test(arguments: claims)
    func `the token endpoint has the paths and keys of Google's sample`(
        path: String,
        role: String,
        claims: [String: String]
    ) async throws {
        let scene = try await DeliveryServerScene()
        let answer = try await scene.tokenAnswer(path)
        let object = try #require(JSONValue(answer.body))
        let times = [object["creation_timestamp_ms"]?.number, object["expiration_timestamp_ms"]?.number]
        #expect(try #require(times[1]) - (try #require(times[0])) == 3_300_000)
        let token = try #require(object["token"]?.string)
        let payload = try #require(Base64URL.decode(token.split(separator: ".")[1].utf8))
        let content = try #require(JSONValue(Array(payload)))
        #expect(content["iss"]?.string == "\(role)@p.iam.gserviceaccount.com")
        guard case .object(let members)? = content["authorization"] else {
            Issue.record("no authorization")
            return
        }
        #expect(Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.string) }) == claims)
    }

    @Test func `the token for batches has no other claim, and no token is for all shipments`() async throws {
        let scene = try await DeliveryServerScene()
        let token = try await scene.token("delivery_batch")
        let task = #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"60s"}"#
        let body = #"{"requests":[{"taskId":"a","task":\#(task)},{"taskId":"b","task":\#(task)}]}"#
        #expect(try await scene.call("POST", "tasks:batchCreate", body).status == 403)
        #expect(try await scene.call("POST", "tasks:batchCreate", body, token: token).status == 200)
        #expect(try await scene.call("GET", "tasks/a", token: token).status == 403)
        for path in ["delivery_consumer/*", "delivery_driver/*", "delivery_consumer/a%2Fb"] {
            #expect(try await scene.tokenAnswer(path).status == 400, "\(path)")
        }
        for path in ["delivery_consumer", "nothing"] {
            #expect(try await scene.tokenAnswer(path).status == 404, "\(path)")
        }
    }

    @Test func `tracking counts as a search, and batches have a quota of their own`() async throws {
        let scene = try await DeliveryServerScene(quota: 1)
        try await scene.populate()
        let batch = try await scene.token("delivery_batch")
        func status(_ path: String) async throws -> Int { try await scene.call("GET", path).status }
        #expect(try await status("taskTrackingInfo/s-1") == 200)
        #expect(try await status("tasks/t-1") == 200)
        #expect(try await status("tasks") == 200)
        #expect(try await status("taskTrackingInfo/s-1") == 429)
        #expect(try await status("deliveryVehicles/van-1") == 429)
        #expect(try await status("deliveryVehicles") == 429)
        let body = #"{"requests":[{"taskId":"a","task":{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"1s"}}]}"#
        #expect(try await scene.call("POST", "tasks:batchCreate", body, token: batch).status == 200)
        let refused = try await scene.call("POST", "tasks:batchCreate", body, token: batch)
        #expect(refused.status == 429)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("batch_create_tasks_requests"))
        // Changes have none.
        for _ in 0..<3 {
            let path = "deliveryVehicles/van-1?updateMask=type"
            #expect(try await scene.call("PATCH", path, #"{"type":"AUTO"}"#).status == 200)
        }
    }
}
