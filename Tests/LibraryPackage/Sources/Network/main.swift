import FleetTokens

struct Offline: Error {}

// Any network: a function that throws any error.
let source = try HTTPTokenSource(url: "https://example.com/token/{tripId}") { request in
    guard request.url.hasSuffix("/token/known") else { throw Offline() }
    return HTTPTransportResponse(status: 403, headers: [("Content-Type", "text/plain")], body: Array("no".utf8))
}

/// Any other origin: a type that returns a token or throws any error.
struct Keychain: TokenSource {
    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws -> IssuedToken { throw Offline() }
}

for (source, trip) in [(source, "known"), (source, "other"), (Keychain(), "known")] as [(any TokenSource, String)] {
    let provider = TokenProvider(source: source)
    do throws(TokenError) { _ = try await provider.token(forTrip: trip) } catch { print(source.name, error.code) }
    await provider.close()
}
