import FleetTokens
import Runtime
import TripModel

/// The tokens of an app that follows rides.
struct AppTokens {
    private let provider: TokenProvider

    /// In the app, the source is an `HTTPTokenSource` with the URL of your token endpoint.
    init(source: any TokenSource, clock: any TripClock = SystemClock()) {
        provider = TokenProvider(source: source, clock: clock, seed: .random(in: 0...UInt64.max))
    }

    /// Forward `fetchToken(with:completion:)` of `GMTCAuthorization` and `GMTDAuthorization` to this adapter.
    var adapter: AuthorizationAdapter { AuthorizationAdapter(provider: provider) }

    /// Sends an own request to Fleet Engine; a rejected token is replaced once.
    ///
    /// `send` receives the value of the `Authorization` header and returns the HTTP status.
    func request(_ trip: TripID, send: (_ authorization: String) async throws -> Int) async throws -> Int {
        let token = try await provider.token(for: .trip(trip))
        let status = try await send(token.authorizationHeaderValue)
        guard status == 401 || status == 403 else { return status }
        provider.reject(token, for: .trip(trip), status: .http(status))
        return try await send(provider.token(for: .trip(trip)).authorizationHeaderValue)
    }

    /// The ride has ended: its token is no longer refreshed.
    func rideEnded(_ trip: TripID) { provider.stopRefreshing(.trip(trip)) }

    /// The user has signed out: all tokens are overwritten.
    func signOut() async { await provider.close() }
}
