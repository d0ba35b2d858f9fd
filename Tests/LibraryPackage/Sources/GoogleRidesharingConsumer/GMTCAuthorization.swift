// What Google's Consumer SDK for iOS declares about tokens; the SDK itself is not for Linux.

public import Foundation

/// Receives a token or an error.
public typealias GMTCAuthTokenFetchCompletionHandler = (String?, (any Error)?) -> Void

/// What a token is for.
public final class GMTCAuthorizationContext: NSObject {
    /// The ID of the trip.
    public let tripID: String?

    /// Creates a context.
    public init(tripID: String?) { self.tripID = tripID }
}

/// Gives tokens to the SDK.
public protocol GMTCAuthorization: NSObjectProtocol {
    /// Fetches a token.
    func fetchToken(with context: GMTCAuthorizationContext?, completion: @escaping GMTCAuthTokenFetchCompletionHandler)
}
