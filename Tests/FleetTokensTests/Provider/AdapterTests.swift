import Failures
import FleetTokens
import Foundation
import Testing
import TripTestSupport

@Suite("Adapter for Google's SDKs", .ends(within: .quickTest))
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

    @Test func `each error has a number and a sentence for Objective-C`() {
        let errors: [TokenError] = [
            .noAuthorizationContext, .missingData(.sourceEmpty, retryAfter: .zero),
            .unavailable(.sourceTimedOut, retryAfter: .zero), .denied(status: 403, retryAfter: .zero),
            .unusable(.tokenOpaque, retryAfter: .zero), .rejectedByService(status: 401, retryAfter: .zero),
            .tooShortLived(left: .zero, wanted: .zero), .tooManyKeys(limit: 1), .tooManyWaiters(limit: 1), .cancelled,
            .closed, .denied(status: 404, retryAfter: .zero),
        ]
        for (number, error) in zip(1..., errors) {
            let bridged = error as NSError
            #expect(bridged.code == number && bridged.domain == "FleetTokens.TokenError")
            #expect(bridged.localizedDescription == error.errorDescription && error.errorDescription?.isEmpty == false)
        }
    }
}
