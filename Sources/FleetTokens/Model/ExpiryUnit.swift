package import Foundation
import Runtime
import TripModel

/// The unit of an endpoint's expiry value; endpoints differ in it.
public enum ExpiryUnit: String, Sendable, Hashable, CaseIterable {
    /// Seconds since 1970.
    case absoluteSeconds = "absolute-seconds"
    /// Milliseconds since 1970, as in Google's sample backend.
    case absoluteMilliseconds = "absolute-milliseconds"
    /// Seconds from the time of the answer, as in the JavaScript SDK.
    case relativeSeconds = "relative-seconds"

    /// Converts a number to an expiry.
    package func expiry(_ number: Double) -> IssuedToken.Expiry {
        switch self {
        case .absoluteSeconds: .at(Date(timeIntervalSince1970: number))
        case .absoluteMilliseconds: .at(Date(timeIntervalSince1970: number / 1000))
        case .relativeSeconds: .after(Duration(clampedSeconds: number))
        }
    }

    /// Converts a number to a time; `nil` for a relative number.
    package func date(_ number: Double) -> Date? {
        guard case .at(let date) = expiry(number) else { return nil }
        return date
    }
}
