import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

/// The calls that the emulator receives, as `emulate --output` shows them.
@Suite("Received calls", .ends(within: .quickTest))
struct ReceivedCallsTests {
    /// An emulator without a network, and the calls that it has received.
    private struct Scene {
        let router: RequestRouter
        let faults = FaultInjector()
        let clock = ManualClock()
        let received: Received

        final class Received: Sendable {
            let all = Mutex<[Call]>([])
        }

        init() async throws {
            let received = Received()
            self.received = received
            var options = EmulatorOptions()
            options.received = { call in received.all.withLock { $0.append(call) } }
            router = RequestRouter(
                FleetService(.world(World(provider: try ProviderID("p")))),
                keys: try await SharedKeys.keys,
                options: options,
                clock: clock,
                faults: faults
            )
        }

        /// Sends a request; returns its answer and how the emulator describes it.
        func send(
            _ method: String,
            _ url: String,
            token: String? = nil,
            headers: [(String, String)] = [],
            _ body: String = ""
        ) async throws -> (body: String, call: Call) {
            let answer = try await router.transport.send(
                HTTPTransportRequest(
                    method: method,
                    url: url.hasPrefix("http") ? url : RequestRouter.engineOrigin + "/v1/providers/p/" + url,
                    headers: headers + (token.map { [("authorization", "Bearer \($0)")] } ?? []),
                    body: Array(body.utf8),
                    timeout: .testTimeout
                )
            )
            let call = try #require(received.all.withLock { $0.popLast() })
            return (String(decoding: answer.body, as: UTF8.self), call)
        }

        /// Returns a token of the token endpoint.
        func token(_ path: String) async throws -> String {
            let (body, call) = try await send("GET", "http://tokens.test/token/\(path)")
            #expect(call.failure == nil && call.operation == .fetchToken && call.answerer == .tokens)
            let answer = try #require(JSONValue(Array(body.utf8)))
            return try #require((answer["jwt"] ?? answer["token"])?.string)
        }
    }

    @Test func `says who asked, by the claims of the token`() async throws {
        let scene = try await Scene()
        let server = try await scene.token("server")
        #expect(try await scene.send("POST", "vehicles?vehicleId=v", token: server, "{}").call.asker == .backend)
        let rider = try await scene.token("consumer/t-1")
        let asked = try await scene.send("GET", "trips/t-1", token: rider).call
        #expect(asked.asker == .rider && asked.operation == .getTrip && asked.subject == "t-1")
        #expect(asked.credential == Call.Credential(kind: "jwt", fingerprint: tokenFingerprint(of: rider)))
        #expect(asked.answer?.status == 404 && asked.failure?.answer?.status == "NOT_FOUND")
        let driver = try await scene.token("driver/v")
        let report = try await scene.send("PUT", "vehicles/v?updateMask=vehicleState", token: driver, "{}").call
        #expect(report.asker == .driver && report.operation.rawValue == "UpdateVehicle" && report.subject == "v")
        #expect(report.request.query.first?.value == "vehicleState")
        let recipient = try await scene.token("delivery_consumer/box")
        let tracked = try await scene.send("GET", "taskTrackingInfo/box", token: recipient).call
        #expect(tracked.asker == .rider && tracked.subject == "taskTrackingInfo/box")
        let van = try await scene.token("delivery_driver/van")
        #expect(try await scene.send("GET", "deliveryVehicles/van", token: van).call.asker == .driver)
    }

    @Test func `shows calls without a valid token with the reason, and no token`() async throws {
        let scene = try await Scene()
        let without = try await scene.send("GET", "trips/t-1").call
        #expect(without.asker == .client && without.credential == nil && without.answer?.status == 401)
        #expect(without.failure?.answer?.message?.contains("missing required authentication credential") == true)
        let token = try await scene.token("consumer/t-1")
        let other = try await scene.send("GET", "trips/t-2", token: token).call
        #expect(other.answer?.status == 403 && other.failure?.brokenRule?.rule == .identity)
        scene.clock.advance(by: .seconds(4000))
        let late = try await scene.send("GET", "trips/t-1", token: token).call
        #expect(late.answer?.status == 401 && late.failure?.brokenRule?.rule == .expiry && late.asker == .rider)
        let changed = token.dropLast(20) + String(repeating: "A", count: 20)
        let forged = try await scene.send("GET", "trips/t-1", token: String(changed)).call
        #expect(forged.answer?.status == 401 && forged.failure?.brokenRule != nil)
        let key = try await scene.send("GET", "trips/t-1", token: "AIza" + String(repeating: "x", count: 35)).call
        #expect(key.credential?.kind == "api_key" && key.asker == .client)
        for call in [without, other, late, forged, key] {
            let shown = "\(call.request) \(String(describing: call.answer)) \(String(describing: call.failure))"
            #expect(!shown.contains("eyJ") && !shown.contains(token.suffix(30)) && !shown.contains("AIzaxxx"))
        }
    }

    @Test func `the signature of another key is the reason of a refusal that does not say so`() async throws {
        let scene = try await Scene()
        let token = try await scene.token("consumer/t-1")
        let parts = token.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 342))"
        let call = try await scene.send("GET", "trips/t-1", token: forged).call
        #expect(call.failure?.brokenRule?.rule == .signature && call.failure?.code == .unauthorized)
    }

    @Test func `names the fault that changed an answer, and blames no token for it`() async throws {
        let scene = try await Scene()
        let token = try await scene.token("consumer/t-1")
        scene.faults.add(try Fault(.engine, "status", ["status": .integer(401)], count: 1), at: scene.clock.now().wall)
        let refused = try await scene.send("GET", "trips/t-1", token: token).call
        #expect(refused.fault?.names == ["status"] && refused.fault?.effect == .replaced)
        #expect(refused.answer?.status == 401 && refused.failure?.brokenRule == nil)
        #expect(refused.failure?.injected?.names == ["status"])
    }

    @Test func `shows the credential endpoints without the secrets that they get and grant`() async throws {
        let scene = try await Scene()
        let granted = try await scene.send(
            "GET",
            "http://google.test/computeMetadata/v1/instance/service-accounts/default/token",
            headers: [("metadata-flavor", "Google")]
        )
        #expect(granted.call.asker == .backend && granted.call.answerer == .credentials)
        #expect(granted.call.operation == .grantCredentials && granted.call.credential?.kind == "oauth_access_token")
        let text = try #require(JSONValue(Array(granted.body.utf8))?["access_token"]?.string)
        #expect(granted.call.credential?.fingerprint == tokenFingerprint(of: text))
        let used = try await scene.send("GET", "trips/t-1", token: text).call
        #expect(used.asker == .backend && used.credential == granted.call.credential)
        let secret = "1//refresh-0123456789abcdefghij"
        let refused = try await scene.send(
            "POST",
            "http://google.test/token?code=\(secret)",
            "grant_type=refresh_token&client_id=x&client_secret=y&refresh_token=\(secret)"
        ).call
        #expect(refused.failure != nil && refused.answer?.status == 401 && refused.request.body == nil)
        #expect(!"\(refused)".contains("0123456789abcdef"))
        let certificates = try await scene.send(
            "GET",
            "http://google.test/service_accounts/v1/metadata/x509/consumer@p.iam.gserviceaccount.com"
        ).call
        #expect(certificates.operation == .unknown && certificates.request.target.hasSuffix("gserviceaccount.com"))
    }

    @Test func `hides the values of parameters that hold a token or a key`() async throws {
        let scene = try await Scene()
        let url = "trips/t-1?access_token=abcdefghijklmnop0123&key=qrstuvwxyz0123456789&view=SDK"
        let call = try await scene.send("GET", url).call
        #expect(call.request.url.hasSuffix("/trips/t-1?access_token&key&view=SDK"), "\(call.request.url)")
    }
}
