import FleetTokens

// The endpoint, such as "https://example.com/token/consumer/{tripId}", and the ID of the trip.
let (url, trip) = (CommandLine.arguments[1], CommandLine.arguments[2])
do {
    let provider = TokenProvider(source: try HTTPTokenSource(url: url))
    let token = try await provider.token(forTrip: trip)
    print("\(token), usable until \(token.expiresAt)")
} catch {
    print(error.message, "Code: \(error.code).", error.retryAfter.map { "Next attempt: in \($0)." } ?? "")
}
