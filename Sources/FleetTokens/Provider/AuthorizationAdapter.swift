import TripModel

/// Adapts a ``TokenProvider`` to Google's Consumer and Driver SDKs.
///
/// The SDKs request tokens with a completion handler through `GMTCAuthorization` and `GMTDAuthorization`. A class of the app
/// conforms to them and forwards the request:
///
/// ```swift
/// final class AuthProvider: NSObject, GMTCAuthorization {
///     let adapter: AuthorizationAdapter
///
///     func fetchToken(
///         with context: GMTCAuthorizationContext?,
///         completion: @escaping GMTCAuthTokenFetchCompletionHandler
///     ) {
///         adapter.fetchToken(tripID: context?.tripID, vehicleID: nil) { token, error in completion(token, error) }
///     }
/// }
/// ```
///
/// For `GMTDAuthorization` pass `context?.vehicleID` as the vehicle. The completion handler is called exactly once, with either
/// a token or an error.
public struct AuthorizationAdapter: Sendable {
    private let provider: TokenProvider

    /// Creates an adapter.
    public init(provider: TokenProvider) { self.provider = provider }

    /// Fetches a token.
    ///
    /// - Parameters:
    ///   - tripID: The trip, for the Consumer SDK.
    ///   - vehicleID: The vehicle, for the Driver SDK; used if the trip is `nil` or empty.
    ///   - completion: Receives the token or the error: ``TokenError/noAuthorizationContext`` if neither ID is valid.
    public func fetchToken(
        tripID: String?,
        vehicleID: String?,
        completion: @escaping @Sendable (_ token: String?, _ error: TokenError?) -> Void
    ) {
        guard let context = Self.context(tripID: tripID, vehicleID: vehicleID) else {
            return completion(nil, .noAuthorizationContext)
        }
        // This task is not awaited: calling the completion handler is its last action.
        Task { [provider] in
            do throws(TokenError) {
                let token = try await provider.token(for: context)
                completion(token.revealed, nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    private static func context(tripID: String?, vehicleID: String?) -> AuthorizationContext? {
        // An ID that breaks the service's rules counts as missing.
        if let tripID, !tripID.isEmpty { return (try? TripID(tripID)).map { .trip($0) } }
        guard let vehicleID else { return nil }
        return (try? VehicleID(vehicleID)).map { .vehicle($0) }
    }
}
