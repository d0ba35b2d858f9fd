import Failures
import Foundation
import Runtime
import TripModel

/// The times of a token: its expiry, its remaining lifetime and the difference of the clocks.
extension TokenAdmission {
    /// An expiry that is more than ten years away, in seconds, has a wrong unit.
    private static let maximumExpiry = 10 * 365.25 * 86_400.0

    /// A relative expiry of more than a week, in seconds, has a wrong unit.
    private static let maximumRelativeExpiry = 7 * 86_400.0

    /// What the service's `Date` reveals about the two clocks.
    struct ClockReading {
        /// The service's time when the request was sent; an upper bound.
        let serviceNow: Date
        /// The service's clock minus the local clock in seconds; `nil` without a `Date`.
        let offset: Double?
        let sentAt: Moment
        private let receivedAt: Moment
        /// The clock differences up to this, in seconds, that a slow answer explains.
        let tolerance: Double

        init(date: Date?, sentAt: Moment, receivedAt: Moment) {
            self.sentAt = sentAt
            self.receivedAt = receivedAt
            tolerance = TokenAdmission.clockTolerance + (receivedAt.steady - sentAt.steady).seconds
            guard let date else {
                serviceNow = sentAt.wall
                offset = nil
                return
            }
            // The header has a resolution of one second, and was written at some time between sending and receiving. Only a
            // larger difference is a clock difference.
            let least = date.timeIntervalSince(receivedAt.wall)
            let most = date.timeIntervalSince(sentAt.wall) + 1
            if least <= 0, most >= 0 {
                serviceNow = max(date, sentAt.wall)
                offset = 0
            } else {
                serviceNow = date + 1
                offset = (least + most) / 2
            }
        }

        /// The reading of a service whose clock agrees with the local clock.
        var local: ClockReading { ClockReading(date: sentAt.wall, sentAt: sentAt, receivedAt: receivedAt) }
    }

    /// Returns the reading by which a token is judged.
    ///
    /// A token that ends too far ahead by the endpoint's clock was issued ahead of it. If its issue time agrees with the local
    /// clock, two clocks agree and the endpoint's is the wrong one, so the local clock decides.
    func decisive(_ clock: ClockReading, for claims: TokenClaims?) -> ClockReading {
        guard clock.offset != nil, let limit = longestValidity(of: claims)?.seconds,
            let issuedAt = claims?.issuedAt, let expiresAt = claims?.expiresAt,
            expiresAt.timeIntervalSince(clock.serviceNow) > limit,
            issuedAt.timeIntervalSince(clock.serviceNow) > clock.tolerance,
            issuedAt.timeIntervalSince(clock.sentAt.wall) <= clock.tolerance,
            expiresAt.timeIntervalSince(clock.sentAt.wall) <= limit
        else { return clock }
        return clock.local
    }

    /// The maximum lifetime of a token and the maximum time to its expiry; `nil` for an opaque token and without a limit.
    ///
    /// The grace period is 60 s, because issuers set `iat` back and the service checks only `exp`.
    private func longestValidity(of claims: TokenClaims?) -> Duration? {
        // The service's limit for JWTs does not apply to opaque tokens.
        claims == nil ? nil : expectations.maximumLifetime.map { $0 + .seconds(60) }
    }

    /// Returns what is known about a token, with *R* and *L*.
    func properties(
        of issued: IssuedToken,
        _ claims: TokenClaims?,
        _ clock: ClockReading,
        _ warnings: [Failure]
    ) throws(Failure) -> BearerToken.Properties {
        var warnings = warnings
        let expiresAt = try expiry(of: issued, claims, clock, &warnings)
        let issuedAt = issued.issuedAt ?? claims?.issuedAt
        let byClock = expiresAt.timeIntervalSince(clock.serviceNow)
        let lifetime = issuedAt.map(expiresAt.timeIntervalSince) ?? byClock
        var (left, offset) = (min(byClock, lifetime), clock.offset)
        if let issuedAt, offset == nil, !issued.isCached {
            // The service's time is unknown. The difference of the endpoint's two times is a lifetime that does not depend on
            // the clocks. It is used if the token was created for this request and is not older than plausible clock
            // differences.
            let apart = issuedAt.timeIntervalSince(clock.sentAt.wall)
            let isPair = issued.issuedAt != nil && issued.isNew
            if isPair, abs(apart) <= expectations.clockSkew.seconds {
                left = lifetime
                offset = abs(apart) > clock.tolerance ? apart : 0
            } else if left <= 0, lifetime > 0, policy.trustsIssuerLifetime {
                left = lifetime
                offset = apart
            } else if apart > clock.tolerance {
                // The signer's clock differs, or it dates tokens ahead; the service's clock may agree with the local one.
                warnings.append(.clockDiffers(.init(clampedSeconds: apart)))
            }
        }
        return BearerToken.Properties(
            fingerprint: tokenFingerprint(of: issued.revealed),
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            sentAt: clock.sentAt,
            left: .init(clampedSeconds: left),
            lifetime: .init(clampedSeconds: lifetime),
            warnings: warnings,
            clockOffset: offset.map { .init(clampedSeconds: $0) }
        )
    }

    /// Returns the earlier of the token's and the endpoint's expiry.
    private func expiry(
        of issued: IssuedToken,
        _ claims: TokenClaims?,
        _ clock: ClockReading,
        _ warnings: inout [Failure]
    ) throws(Failure) -> Date {
        let own = claims?.expiresAt
        var (stated, maximum): (Date?, Double) =
            switch issued.expiry {
            case .at(let date): (date, Self.maximumExpiry)
            case .after(let life): (clock.serviceNow + life.seconds, Self.maximumRelativeExpiry)
            case nil: (nil, 0)
            }
        // Seconds read as milliseconds are in January 1970; milliseconds read as seconds are far in the future.
        if let ahead = stated?.timeIntervalSince(clock.serviceNow), abs(ahead) > maximum {
            guard own != nil else { throw .tokenWrongExpiryUnit }
            warnings.append(.ignoredExpiryUnit)
            stated = nil
        }
        if let own, let stated, abs(own.timeIntervalSince(stated)) > clock.tolerance {
            warnings.append(.expiryDisagreement(token: own, endpoint: stated))
        }
        if let earlier = [own, stated].compactMap(\.self).min() { return earlier }
        guard let assumed = policy.assumedLifetime else { throw .tokenWithoutExpiry }
        warnings.append(.assumedLifetime(assumed))
        return clock.serviceNow + assumed.seconds
    }

    /// Checks the remaining and the total lifetime.
    func checkLifetime(
        _ token: BearerToken.Properties,
        _ clock: ClockReading,
        _ claims: TokenClaims?,
        isHeld: Bool
    ) throws(Failure) {
        guard token.left > .zero else { throw .tokenExpired(ago: .zero - token.left) }
        if let limit = longestValidity(of: claims) {
            if token.lifetime > limit { throw .tokenTooLongLived(token.lifetime) }
            // If the service's time is known, so is its result for `exp`.
            let ahead = Duration(clampedSeconds: token.expiresAt.timeIntervalSince(clock.serviceNow))
            if clock.offset != nil, ahead > limit { throw .tokenEndsTooFarAhead(by: ahead) }
        }
        let (left, lifetime) = (token.left, token.lifetime)
        guard !isHeld, left <= policy.windows(lifetime: lifetime).minimumValidity + .seconds(1) else { return }
        throw left * 4 < lifetime ? .tokenNearlyOver(left: left, lifetime: lifetime) : .tokenTooShort(left: left)
    }
}
