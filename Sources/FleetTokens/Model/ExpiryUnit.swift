package import Foundation

/// What the number means with which an endpoint says when its token ends; real endpoints differ in exactly that.
public enum ExpiryUnit: String, Sendable, Hashable, CaseIterable {
    /// Seconds since 1970.
    case absoluteSeconds = "absolute-seconds"
    /// Milliseconds since 1970, as Google's sample backend says it.
    case absoluteMilliseconds = "absolute-milliseconds"
    /// Seconds from the answer, as the JavaScript SDK wants it.
    case relativeSeconds = "relative-seconds"

    /// The end that a number says.
    package func expiry(_ number: Double) -> IssuedToken.Expiry {
        switch self {
        case .absoluteSeconds: .at(Date(timeIntervalSince1970: number))
        case .absoluteMilliseconds: .at(Date(timeIntervalSince1970: number / 1000))
        case .relativeSeconds: .after(Duration(clampedSeconds: number))
        }
    }

    /// The time that a number says; `nil` where it says none.
    package func date(_ number: Double) -> Date? {
        guard case .at(let date) = expiry(number) else { return nil }
        return date
    }
}
