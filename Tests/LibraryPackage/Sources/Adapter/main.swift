import FleetTokens
import GoogleRidesharingConsumer
import GoogleRidesharingDriver

// What the SDKs do: ask for the tokens of a trip and of a vehicle, and for none without an ID.
let arguments = CommandLine.arguments
let trips = TokenProvider(source: try HTTPTokenSource(url: arguments[1]))
let vehicles = TokenProvider(source: try HTTPTokenSource(url: arguments[3]))
let rider = RiderAuthorization(trips)
let driver = DriverAuthorization(vehicles)

func answer(_ ask: (@escaping (String?, (any Error)?) -> Void) -> Void) async -> String {
    await withCheckedContinuation { continuation in
        ask { token, error in
            let text = token.map { "a token of \($0.split(separator: ".").count) parts" }
            continuation.resume(returning: text ?? (error as? TokenError)?.code ?? "nothing")
        }
    }
}

print("trip:", await answer { rider.fetchToken(with: GMTCAuthorizationContext(tripID: arguments[2]), completion: $0) })
print(
    "vehicle:",
    await answer { driver.fetchToken(with: GMTDAuthorizationContext(vehicleID: arguments[4]), completion: $0) }
)
print("no trip:", await answer { rider.fetchToken(with: nil, completion: $0) })
