import Failures
import FleetEmulator
import FleetWire
import Foundation
import JWTKit
import Testing
import TripModel
import TripTestSupport

@Suite("Authorization", .ends(within: .quickTest))
struct AuthorizationTests {
    @Test func `refuses every kind of broken token with 401`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let good = try await scene.token("consumer", "tr-1")
            let parts = good.split(separator: ".").map(String.init)
            let none = base64(#"{"alg":"none","kid":"consumer-key-1"}"#)
            let mac = base64(#"{"alg":"HS256","kid":"consumer-key-1"}"#)
            let stranger = base64(#"{"alg":"RS256","kid":"stranger"}"#)
            let server = base64(#"{"alg":"RS256","typ":"JWT","kid":"server-key-1"}"#)
            let forged = base64(
                #"{"iss":"x","sub":"x","aud":"https://fleetengine.googleapis.com/","iat":0,"exp":9999999999,"authorization":{"tripid":"*"}}"#
            )
            let broken = [
                "", "x", "a.b", "a.b.c", String(good.dropLast(6)), "\(none).\(parts[1]).", "\(none).\(forged).",
                "\(mac).\(parts[1]).\(parts[2])", "\(stranger).\(parts[1]).\(parts[2])",
                "\(server).\(parts[1]).\(parts[2])",
                "\(parts[0]).\(forged).\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[1])",
                String(repeating: "A", count: 9000),
            ]
            for token in broken {
                let response = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
                #expect(response.status == 401)
                #expect(ServiceAnswer(httpStatus: 401, body: response.body).status == "UNAUTHENTICATED")
            }
            let response = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: good)
            #expect(response.status == 200)
        }
    }

    @Test func `refuses an expired token by the emulator's own clock`() async throws {
        var options = EmulatorOptions()
        options.tokenLifetime = .seconds(90)
        try await EmulatorScene.run(options: options) { scene in
            try await scene.populate()
            let token = try await scene.token("consumer", "tr-1")
            scene.clock.advance(by: .seconds(89))
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token).status == 200)
            scene.clock.advance(by: .seconds(1))
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token).status == 401)
        }
    }

    @Test func `refuses a token with a lifetime over an hour or an issue time in the future`() async throws {
        var options = EmulatorOptions()
        options.tokenLifetime = .seconds(3700)
        try await EmulatorScene.run(options: options) { scene in
            let long = try await scene.token("consumer", "tr-1")
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: long).status == 401)
        }
        try await EmulatorScene.run { scene in
            scene.clock.stepWall(by: .seconds(900))
            let future = try await scene.token("consumer", "tr-1")
            scene.clock.stepWall(by: .seconds(-900))
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: future).status == 401)
        }
    }

    @Test(arguments: [401, 403])
    func `answers a call without a token with the configured status`(status: Int) async throws {
        var options = EmulatorOptions()
        options.missingTokenStatus = status
        try await EmulatorScene.run(options: options) { scene in
            let response = try await scene.call("GET", "/v1/providers/p/trips/tr-1")
            #expect(response.status == status)
        }
    }
}

private func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
