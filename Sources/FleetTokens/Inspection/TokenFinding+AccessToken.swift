import Failures
import Foundation

/// What can be said about an OAuth access token: it has no claims, and only its issuer knows whether it is still valid.
extension TokenFinding {
    /// Returns the findings about an access token with an expiry; `nil` if that is unknown.
    static func ofAccessToken(until end: Date?, now: Date) -> [TokenFinding] {
        let kind = unchecked(.shape, .verdictAccessToken)
        guard let end else { return [kind] }
        let left = end.timeIntervalSince(now)
        let expiry: TokenFinding =
            left > 0
            ? .kept(.expiry, .verdictValid, ["duration": .span(left)])
            : .broken(.expiry, .verdictExpired, ["duration": .span(-left)], .remedyNewerToken)
        return [kind, expiry]
    }
}
