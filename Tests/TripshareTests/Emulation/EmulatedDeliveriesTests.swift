import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

import enum CryptoExtras._RSA

/// Deliveries in `tripshare emulate`.
@Suite("Emulated deliveries", .ends(within: .longTest))
struct EmulatedDeliveriesTests {
    private static func call(
        _ method: String,
        _ url: String,
        _ body: String = "",
        token: String? = nil,
        over transport: HTTPTransport
    ) async throws -> [String: Any] {
        let answer = try await transport.send(
            HTTPTransportRequest(
                method: method,
                url: url,
                headers: token.map { [("authorization", "Bearer \($0)")] } ?? [],
                body: Array(body.utf8),
                timeout: .testTimeout
            )
        )
        #expect(answer.status == 200, "\(method) \(url): \(String(decoding: answer.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    @Test func `the ready file has the URLs of tokens, and the control API lists tasks and vehicles`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            let engine = try #require(object["fleetEngineURL"] as? String)
            let control = try #require(object["controlURL"] as? String)
            let base = "\(engine)/v1/providers/\(try #require(object["providerId"] as? String))"
            let texts = object.compactMapValues { $0 as? String }
            try await withLiveHTTPTransport { transport in
                func token(_ key: String, _ id: String = "") async throws -> String {
                    let template = try #require(texts[key])
                    let url = template.replacing(/\{\w+\}/, with: id)
                    return try #require(try await Self.call("GET", url, over: transport)["token"] as? String)
                }
                let server = try await token("deliveryServerTokenURL")
                let create = #"{"type":"BICYCLE"}"#
                _ = try await Self.call(
                    "POST",
                    "\(base)/deliveryVehicles?deliveryVehicleId=van",
                    create,
                    token: server,
                    over: transport
                )
                let task =
                    #"{"type":"DELIVERY","state":"OPEN","trackingId":"s","taskDuration":"1s","plannedLocation":{"point":{"latitude":51}}}"#
                _ = try await Self.call("POST", "\(base)/tasks?taskId=t", task, token: server, over: transport)
                let consumer = try await token("trackingTokenURL", "s")
                let info = try await Self.call("GET", "\(base)/taskTrackingInfo/s", token: consumer, over: transport)
                #expect(info["state"] as? String == "OPEN")
                let driver = try await token("deliveryVehicleTokenURL", "van")
                let vehicle = try await Self.call("GET", "\(base)/deliveryVehicles/van", token: driver, over: transport)
                #expect(vehicle["type"] as? String == "BICYCLE")
                let tasks = try await Self.call("GET", "\(control)/tasks", over: transport)
                #expect(tasks["totalSize"] as? String == "1" && (tasks["tasks"] as? [Any])?.count == 1)
                let vehicles = try await Self.call("GET", "\(control)/deliveryVehicles", over: transport)
                #expect((vehicles["deliveryVehicles"] as? [[String: Any]])?.first?["type"] as? String == "BICYCLE")
                // A reset removes them, because the scenario has none.
                try await EmulatedEngine.reset(control, over: transport)
                #expect(try await Self.call("GET", "\(control)/tasks", over: transport)["tasks"] == nil)
            }
        }
    }

    @Test(arguments: [
        "deliveryConsumer", "deliveryUntrustedDriver", "deliveryTrustedDriver", "deliveryFleetReader",
        "deliverySuperUser",
    ])
    func `with a real key of a delivery role, the token endpoint requires the secret of a ready file`(
        role: String
    ) async throws {
        try await Program.withFolder { folder in
            let key = folder.appendingPathComponent("key.json")
            let account = [
                "client_email": "\(role)@tripshare-demo.iam.gserviceaccount.com", "private_key_id": "real",
                "private_key": try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation,
            ]
            try JSONSerialization.data(withJSONObject: account).write(to: key)
            let run = try await Program.run(["emulate", "--account", "\(role)=\(key.path)"])
            #expect(run.status == 64 && run.errors.contains("--ready-file"), "\(run.errors)")
        }
    }
}
