package import Failures
package import FleetTokens
import FleetWire
package import Foundation

/// What the rules use of the status of a trip's token; without values if nothing is known of the token.
package struct ExaminedToken: Sendable, Equatable {
    /// The number of tokens that the key has had.
    package var generation = 0
    /// The time of issue, in the service's time.
    package var issuedAt: Date?
    /// The expiry, in the service's time.
    package var expiresAt: Date?
    /// Why the latest token is not usable; an older one may still be valid.
    package var fault: Failure?
    /// `tripid` of the last rejected token.
    package var rejectedTrip: String?
    /// `vehicleid` of the last rejected token.
    package var rejectedVehicle: String?
    /// The clock of the token's source minus the local clock.
    package var sourceClockOffset: Duration?

    /// Creates the values of an unknown token.
    package init() {}

    /// Reads the values of a status.
    package init(_ status: TokenStatus) {
        generation = status.generation
        // A recording has no more digits.
        (issuedAt, expiresAt) = (status.issuedAt?.inWholeMicroseconds, status.expiresAt?.inWholeMicroseconds)
        fault = status.lastError?.failure.unusableTokenCause
        rejectedTrip = status.lastRejected?.claims?.tripID
        rejectedVehicle = status.lastRejected?.claims?.vehicleID
        sourceClockOffset = status.sourceClockOffset
    }
}

extension Failure {
    /// Why a token is not usable, if this failure says that it is not.
    var unusableTokenCause: Failure? { code == .tokenUnusable ? cause : nil }
}
