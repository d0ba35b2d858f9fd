import Foundation
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
        /// The round-trip time in seconds.
        let roundTrip: Double

        init(date: Date?, sentAt: Moment, receivedAt: Moment) {
            self.sentAt = sentAt
            roundTrip = (receivedAt.steady - sentAt.steady).seconds
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
    }

    /// The times of a token: *R* in `left`, in seconds from sending, and *L* in `lifetime`, in seconds.
    typealias Times = (issuedAt: Date?, expiresAt: Date, left: Double, lifetime: Double, offset: Double?)

    func times(
        of issued: IssuedToken,
        claims: TokenClaims?,
        clock: ClockReading,
        warnings: inout [TokenWarning]
    ) throws(TokenFault) -> Times {
        let expiresAt = try expiry(of: issued, claims: claims, clock: clock, warnings: &warnings)
        let issuedAt = issued.issuedAt ?? claims?.issuedAt
        let byClock = expiresAt.timeIntervalSince(clock.serviceNow)
        guard let issuedAt else {
            return (nil, expiresAt, left: byClock, lifetime: byClock, clock.offset)
        }
        let lifetime = expiresAt.timeIntervalSince(issuedAt)
        var left = min(byClock, lifetime)
        var offset = clock.offset
        if offset == nil {
            // The service's time is unknown. The difference of the endpoint's two times is a lifetime that does not depend on
            // the clocks. It is used if the token was created for this request and is not older than plausible clock
            // differences.
            let apart = issuedAt.timeIntervalSince(clock.sentAt.wall)
            let isPair = issued.issuedAt != nil && issued.isNew
            if isPair, abs(apart) <= expectations.clockSkew.seconds {
                left = lifetime
                if abs(apart) > Self.clockTolerance + clock.roundTrip { offset = apart }
            } else if left <= 0, lifetime > 0, policy.trustsIssuerLifetime {
                left = lifetime
                offset = apart
            } else if apart > Self.clockTolerance + clock.roundTrip {
                // The signer's clock differs, or it dates tokens ahead; the service's clock may agree with the local one.
                warnings.append(.clockDiffers(.init(clampedSeconds: apart)))
            }
        }
        return (issuedAt, expiresAt, left, lifetime, offset)
    }

    /// Returns the earlier of the token's and the endpoint's expiry.
    private func expiry(
        of issued: IssuedToken,
        claims: TokenClaims?,
        clock: ClockReading,
        warnings: inout [TokenWarning]
    ) throws(TokenFault) -> Date {
        let own = claims?.expiresAt
        var (stated, maximum): (Date?, Double) =
            switch issued.expiry {
            case .at(let date): (date, Self.maximumExpiry)
            case .after(let life): (clock.serviceNow + life.seconds, Self.maximumRelativeExpiry)
            case nil: (nil, 0)
            }
        // Seconds read as milliseconds are in January 1970; milliseconds read as seconds are far in the future.
        if let ahead = stated?.timeIntervalSince(clock.serviceNow), abs(ahead) > maximum {
            guard own != nil else { throw .wrongExpiryUnit }
            warnings.append(.wrongExpiryUnit)
            stated = nil
        }
        switch (own, stated) {
        case (let own?, let stated?):
            if abs(own.timeIntervalSince(stated)) > Self.clockTolerance + clock.roundTrip {
                warnings.append(.expiryDisagreement(token: own, endpoint: stated))
            }
            return min(own, stated)
        case (let only?, nil), (nil, let only?): return only
        case (nil, nil):
            guard let assumed = policy.assumedLifetime else { throw .missingExpiry }
            warnings.append(.assumedLifetime(assumed))
            return clock.serviceNow + assumed.seconds
        }
    }

    /// Checks the remaining and the total lifetime.
    func checkLifetime(
        _ times: Times,
        _ clock: ClockReading,
        maximum: Duration?,
        isHeld: Bool
    ) throws(TokenFault) {
        guard times.left > 0 else { throw .expired(ago: .init(clampedSeconds: -times.left)) }
        let lifetime = Duration(clampedSeconds: times.lifetime)
        if let maximum {
            // The grace period is 60 s, because issuers set `iat` back and the service checks only `exp`.
            let limit = maximum + .seconds(60)
            if lifetime > limit { throw .tooLongLived(lifetime) }
            // If the service's time is known, so is its result for `exp`.
            let ahead = Duration(clampedSeconds: times.expiresAt.timeIntervalSince(clock.serviceNow))
            if clock.offset != nil, ahead > limit { throw .endsTooFarAhead(by: ahead) }
        }
        let left = Duration(clampedSeconds: times.left)
        guard !isHeld, left <= policy.windows(lifetime: lifetime).minimumValidity + .seconds(1) else { return }
        throw left * 4 < lifetime ? .nearlyOver(left: left, lifetime: lifetime) : .tooShort(left: left)
    }
}
