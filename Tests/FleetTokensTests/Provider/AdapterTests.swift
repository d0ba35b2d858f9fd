import Failures
import FleetTokens
import Foundation
import Testing
import TripTestSupport

@Suite("Adapter for Google's SDKs", .ends(within: .minutes(10)))
struct AdapterTests {
    private func ask(_ scene: TokenScene, trip: String?, vehicle: String?) async -> (String?, TokenError?) {
        await withCheckedContinuation { continuation in
            AuthorizationAdapter(provider: scene.provider).fetchToken(tripID: trip, vehicleID: vehicle) {
                continuation.resume(returning: ($0, $1))
            }
        }
    }

    @Test func `passes the token of a trip or a vehicle to the completion handler`() async throws {
        let scene = try TokenScene()
        #expect(await ask(scene, trip: "trip-A", vehicle: nil).0?.hasPrefix("eyJ") == true)
        #expect(await ask(scene, trip: nil, vehicle: "v-1").0?.hasPrefix("eyJ") == true)
        #expect(await ask(scene, trip: "", vehicle: "v-1").0?.hasPrefix("eyJ") == true)
        #expect(scene.source.fetches.count == 2)
    }

    @Test func `returns no authorization context without a valid ID`() async throws {
        let scene = try TokenScene()
        #expect(await ask(scene, trip: nil, vehicle: nil).1 == .noAuthorizationContext)
        #expect(await ask(scene, trip: "", vehicle: nil).1 == .noAuthorizationContext)
        #expect(scene.source.fetches.isEmpty)
    }

    @Test func `reports an answer without a token as missing data`() async throws {
        let scene = try TokenScene { _ in .failure(.sourceMissingKey("jwt")) }
        let error = await ask(scene, trip: "trip-A", vehicle: nil).1
        #expect(error?.failure.cause == .sourceMissingKey("jwt"))
        #expect(error?.localizedDescription == "The answer has no token in it (missing key).")
    }
}
