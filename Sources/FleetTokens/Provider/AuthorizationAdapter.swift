import TripModel

/// Lets an app of Google's Consumer or Driver SDK use a ``TokenProvider`` as its token provider.
///
/// The SDKs ask `GMTCAuthorization` and `GMTDAuthorization` with a completion handler. An app's class conforms to them
/// and passes the question on:
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
/// For `GMTDAuthorization` pass `context?.vehicleID` as the vehicle. The completion is called exactly once, whatever
/// happens, and never with neither a token nor an error.
public struct AuthorizationAdapter: Sendable {
    private let provider: TokenProvider

    /// An adapter over a provider.
    public init(provider: TokenProvider) { self.provider = provider }

    /// Asks for a token.
    ///
    /// - Parameters:
    ///   - tripID: The trip, for the Consumer SDK.
    ///   - vehicleID: The vehicle, for the Driver SDK; counts where no trip is named or its ID is empty.
    ///   - completion: Gets the token or the error: ``TokenError/noAuthorizationContext`` where neither ID is usable.
    public func fetchToken(
        tripID: String?,
        vehicleID: String?,
        completion: @escaping @Sendable (_ token: String?, _ error: TokenError?) -> Void
    ) {
        guard let context = Self.context(tripID: tripID, vehicleID: vehicleID) else {
            return completion(nil, .noAuthorizationContext)
        }
        // Nobody waits for this task but the completion handler, which is its last act.
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
        // An ID that breaks the service's rules names nothing: the same answer as none.
        if let tripID, !tripID.isEmpty { return (try? TripID(tripID)).map { .trip($0) } }
        guard let vehicleID else { return nil }
        return (try? VehicleID(vehicleID)).map { .vehicle($0) }
    }
}
