import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

/// Scenarios of deliveries with the built program.
@Suite("Scenarios of deliveries in commands", .ends(within: .longTest))
struct DeliveryScenarioCommandTests {
    @Test func `the ready file of a scenario of deliveries names its shipments and vans`() async throws {
        try await EmulatedEngine.run(["--scenario", "parcel-day"]) { _, object in
            #expect(object["trackingIds"] as? [String] == ["AV2607", "AV2622", "AV2624", "AV2633"])
            #expect(object["deliveryVehicleIds"] as? [String] == ["van-26"])
            #expect((object["tripIds"] as? [String]) == [] && (object["vehicleIds"] as? [String]) == [])
            let info = try await ParkedVan.tracking("AV2607", object)
            #expect(info.state == "OPEN" && info.targetTimeWindow != nil)
        }
    }

    @Test func `the ready file of a ride has neither shipments nor vans`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            #expect(object["trackingIds"] as? [String] == [] && object["deliveryVehicleIds"] as? [String] == [])
        }
    }

    @Test func `demo follows the shipments of a scenario to their ends, as it expects`() async throws {
        let run = try await Program.run([
            "demo", "--scenario", "parcel-wrong-order", "--speed", "120", "--output", "plain",
        ])
        #expect(run.status == 0, "\(run.output) \(run.errors)")
        for words in ["You are the next stop", "4 stops before yours", "The vehicle is at your stop", "Handed over."] {
            #expect(run.output.contains(words), "\(run.output)")
        }
    }

    @Test func `the calls of both vans of a scenario are recorded with the shipment that they are about`() async throws
    {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("session").path
            let run = try await Program.run([
                "demo", "--scenario", "van-breakdown", "--speed", "120", "--output", "plain", "--record", file,
            ])
            #expect(run.status == 0, "\(run.errors)")
            let calls = try await Program.run(["calls", file, "--party", "driver"])
            #expect(calls.output.contains("PATCH http://127.0.0.1") && !calls.output.contains("eyJ"))
            for name in ["/deliveryVehicles/van-61", "/deliveryVehicles/van-62", "/tasks/vb-own-b"] {
                #expect(calls.output.contains(name), "\(calls.output.prefix(2000))")
            }
            #expect(!calls.output.contains("/tasks/vb-1"), "the outcome of another parcel")
        }
    }

    @Test func `a client that joins the emulator follows the announced shipments`() async throws {
        try await EmulatedEngine.run(["--scenario", "parcel-day"]) { path, _ in
            let run = try await Program.run(["track", "--emulator", path, "--once", "--output", "plain"])
            #expect(run.status == 0, "\(run.errors)")
            for parcel in ["AV2622", "AV2633"] {
                #expect(run.output.contains("\(parcel): The shipment is open"), "\(run.output)")
            }
            for parcel in ["AV2607", "AV2624"] {
                #expect(run.output.contains("\(parcel): The vehicle is on its tour"), "\(run.output)")
            }
        }
    }

    @Test func `scenarios lists and prints those of deliveries`() async throws {
        let list = try await Program.runInProcess(["scenarios"])
        #expect(list.lines.contains { $0.hasPrefix("parcel-day ") } && list.status == 0)
        let one = try await Program.runInProcess(["scenarios", "van-breakdown"])
        #expect(one.output.contains("stops-at: 0.5") && one.status == 0)
    }

    @Test func `an emulator that plays a recording refuses the calls of deliveries and says why`() async throws {
        let log = """
            [{"insertId":"1","timestamp":"2026-01-01T00:00:10Z","jsonPayload":{"@type":"x.v1.UpdateTripLog",
            "request":{"tripId":"t1"},"response":{"name":"providers/acme/trips/t1","tripStatus":"NEW"}}}]
            """
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log.json")
            try Data(log.utf8).write(to: file)
            try await EmulatedEngine.run(["--recording", file.path]) { _, object in
                let texts = object.compactMapValues { $0 as? String }
                let (engine, server) = (
                    try #require(texts["fleetEngineURL"]), try #require(texts["deliveryServerTokenURL"])
                )
                #expect(object["trackingIds"] as? [String] == [] && object["tripIds"] as? [String] == ["t1"])
                try await withLiveHTTPTransport { transport in
                    let token = try await transport.send(HTTPTransportRequest(url: server, timeout: .testTimeout))
                    let fields = try JSONSerialization.jsonObject(with: Data(token.body)) as? [String: Any]
                    for path in ["taskTrackingInfo/s", "tasks", "deliveryVehicles/v"] {
                        let answer = try await transport.send(
                            HTTPTransportRequest(
                                url: "\(engine)/v1/providers/acme/\(path)",
                                headers: [("authorization", "Bearer \(fields?["token"] as? String ?? "")")],
                                timeout: .testTimeout
                            )
                        )
                        let body = String(decoding: answer.body, as: UTF8.self)
                        guard path != "taskTrackingInfo/s" else {
                            #expect(answer.status == 404, "the recording has no shipment: \(body)")
                            continue
                        }
                        #expect(answer.status == 400 && body.contains("This service plays a recording"), "\(body)")
                    }
                }
            }
        }
    }

    @Test func `a reset starts the deliveries again`() async throws {
        try await EmulatedEngine.run(["--scenario", "parcel-link-too-early", "--speed", "30"]) { _, object in
            let control = try #require(object["controlURL"] as? String)
            try await withLiveHTTPTransport { transport in
                // Before the backend creates the followed parcel, and after it.
                func count() async throws -> Int {
                    let answer = try await transport.send(
                        HTTPTransportRequest(url: "\(control)/tasks", timeout: .testTimeout)
                    )
                    let fields = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
                    return (fields?["tasks"] as? [Any])?.count ?? 0
                }
                func waitForThird() async throws {
                    let end = ContinuousClock.now + .testTimeout
                    while try await count() < 3 {
                        guard ContinuousClock.now < end else { throw WaitFailure("the third task was not created") }
                        await Task.yield()
                    }
                }
                try await waitForThird()
                try await EmulatedEngine.reset(control, over: transport)
                #expect(try await count() == 2)
                try await waitForThird()
            }
        }
    }

    @Test func `a van can be stopped with the control API`() async throws {
        try await ParkedVan.run { _, object in
            let control = try #require(object["controlURL"] as? String)
            try await withLiveHTTPTransport { transport in
                for (path, status) in [("own:freeze", 200), ("own:release", 200), ("other:freeze", 404)] {
                    let answer = try await transport.send(
                        HTTPTransportRequest(
                            method: "POST",
                            url: "\(control)/deliveryVehicles/\(path)",
                            headers: [("content-type", "application/json")],
                            timeout: .testTimeout
                        )
                    )
                    #expect(answer.status == status, "\(path)")
                }
            }
        }
    }
}
