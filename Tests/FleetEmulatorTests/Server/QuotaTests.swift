import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// `emulate --quota`: reads and searches per minute of the project.
@Suite("Quota of the emulator", .ends(within: .quickTest))
struct QuotaTests {
    private static func options(_ quota: Int?) -> EmulatorOptions {
        var options = EmulatorOptions()
        options.quota = quota
        return options
    }

    @Test func `reads above the quota get 429 with the quota and the wait, until the next minute`() async throws {
        try await EmulatorScene.run(options: Self.options(2)) { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            // 2026-01-01T00:00:00Z is the beginning of a minute.
            scene.clock.advance(by: .seconds(15))
            for path in ["trips/tr-1", "vehicles/veh-1"] {
                let answer = try await scene.call("GET", "/v1/providers/p/\(path)", token: token)
                #expect(answer.status == 200)
            }
            let refused = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
            #expect(refused.status == 429)
            let error = ServiceAnswer(httpStatus: 429, body: refused.body)
            #expect(error.status == "RESOURCE_EXHAUSTED" && error.retryDelay == .seconds(45))
            let details = JSONValue(refused.body)?["error"]?["details"]
            guard case .array(let list)? = details, case .array(let violations)? = list.first?["violations"] else {
                Issue.record("\(String(describing: details))")
                return
            }
            #expect(list.first?["@type"]?.string == "type.googleapis.com/google.rpc.QuotaFailure")
            #expect(violations.first?["subject"]?.string == "projects/p")
            #expect(violations.first?["quotaValue"]?.string == "2")
            scene.clock.advance(by: .seconds(45))
            let next = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
            #expect(next.status == 200)
        }
    }

    @Test func `searches have a quota of their own, and changes have none`() async throws {
        try await EmulatorScene.run(options: Self.options(1)) { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            func status(_ method: String, _ path: String, _ body: String = "") async throws -> Int {
                try await scene.call(method, "/v1/providers/p/\(path)", body, token: token).status
            }
            #expect(try await status("GET", "trips/tr-1") == 200)
            #expect(try await status("POST", "trips:search", "{}") == 200)
            #expect(try await status("GET", "vehicles") == 200)
            #expect(try await status("GET", "trips/tr-1") == 429)
            #expect(try await status("POST", "trips:search", "{}") == 429)
            #expect(try await status("GET", "vehicles") == 429)
            let change = #"{"attributes":[{"key":"a","stringValue":"b"}]}"#
            for _ in 0..<3 { #expect(try await status("POST", "vehicles/veh-1:updateAttributes", change) == 200) }
        }
    }

    @Test func `a call that is not authorized does not count, and without a quota nothing is refused`() async throws {
        try await EmulatorScene.run(options: Self.options(1)) { scene in
            try await scene.populate()
            for _ in 0..<3 { #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1").status == 401) }
            let token = try await scene.token("consumer", "tr-1")
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token).status == 200)
        }
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.token("consumer", "tr-1")
            for _ in 0..<20 {
                #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token).status == 200)
            }
        }
    }
}
