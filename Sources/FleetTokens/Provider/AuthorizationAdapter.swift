import TripModel

/// Adapts a ``TokenProvider`` to Google's Consumer and Driver SDKs.
///
/// The SDKs request tokens with a completion handler, which is called exactly once, with either a token or an error. The
/// article <doc:AnswerGooglesSDKs> shows how a class of the app forwards the requests.
public struct AuthorizationAdapter: Sendable {
    private let provider: TokenProvider

    /// Creates an adapter.
    public init(provider: TokenProvider) { self.provider = provider }

    /// Fetches a token.
    ///
    /// - Parameters:
    ///   - tripID: The trip, for the Consumer SDK.
    ///   - vehicleID: The vehicle, for the Driver SDK; used if the trip is `nil` or empty.
    ///   - completion: Receives the token or the error: ``TokenError/noAuthorizationContext`` if neither ID is valid. It is called on
    ///     any thread.
    public func fetchToken(
        tripID: String? = nil,
        vehicleID: String? = nil,
        completion: @escaping (_ token: String?, _ error: TokenError?) -> Void
    ) {
        guard let context = Self.context(tripID: tripID, vehicleID: vehicleID) else {
            return completion(nil, .noAuthorizationContext)
        }
        // The handlers of the SDKs are not `Sendable`. Only the task below uses this one.
        nonisolated(unsafe) let completion = completion
        // This task is not awaited: calling the completion handler is its last action.
        Task { [provider] in
            do throws(TokenError) {
                let token = try await provider.token(for: context)
                unsafe completion(token.revealed, nil)
            } catch {
                unsafe completion(nil, error)
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
