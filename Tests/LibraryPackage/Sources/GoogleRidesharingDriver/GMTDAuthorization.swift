// What Google's Driver SDK for iOS declares about tokens; the SDK itself is not for Linux.

public import Foundation

/// Receives a token or an error.
public typealias GMTDAuthTokenFetchCompletionHandler = (String?, (any Error)?) -> Void

/// What a token is for.
public final class GMTDAuthorizationContext: NSObject {
    /// The ID of the vehicle.
    public let vehicleID: String?

    /// Creates a context.
    public init(vehicleID: String?) { self.vehicleID = vehicleID }
}

/// Gives tokens to the SDK.
public protocol GMTDAuthorization: NSObjectProtocol {
    /// Fetches a token.
    func fetchToken(with context: GMTDAuthorizationContext?, completion: @escaping GMTDAuthTokenFetchCompletionHandler)
}
