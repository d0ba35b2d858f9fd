import FleetTokens
import Foundation
import GoogleRidesharingConsumer
import GoogleRidesharingDriver

/// Gives the tokens of a provider to the Consumer SDK.
final class RiderAuthorization: NSObject, GMTCAuthorization {
    private let adapter: AuthorizationAdapter

    init(_ provider: TokenProvider) { adapter = AuthorizationAdapter(provider: provider) }

    func fetchToken(
        with context: GMTCAuthorizationContext?,
        completion: @escaping GMTCAuthTokenFetchCompletionHandler
    ) {
        adapter.fetchToken(tripID: context?.tripID, completion: completion)
    }
}

/// Gives the tokens of a provider to the Driver SDK.
final class DriverAuthorization: NSObject, GMTDAuthorization {
    private let adapter: AuthorizationAdapter

    init(_ provider: TokenProvider) { adapter = AuthorizationAdapter(provider: provider) }

    func fetchToken(
        with context: GMTDAuthorizationContext?,
        completion: @escaping GMTDAuthTokenFetchCompletionHandler
    ) {
        adapter.fetchToken(vehicleID: context?.vehicleID, completion: completion)
    }
}
