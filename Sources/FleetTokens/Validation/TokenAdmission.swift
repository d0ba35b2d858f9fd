package import Foundation
package import TripModel

/// A token that passed all checks, with its remaining lifetime.
package struct AdmittedToken: Sendable {
    /// The token.
    package var bytes: SecretBytes
    /// Its fingerprint.
    package var fingerprint: String
    /// When its request was sent, which is the start of `left`.
    package var sentAt: Moment
    /// *R*: the remaining lifetime at `sentAt`.
    package var left: Duration
    /// *L*: the total lifetime.
    package var lifetime: Duration
    /// The time of issue, in the service's time.
    package var issuedAt: Date?
    /// The expiry, in the service's time.
    package var expiresAt: Date
    /// The warnings about the token.
    package var warnings: [TokenWarning]
    /// The service's clock minus the local clock.
    package var clockOffset: Duration?

    package init(
        bytes: SecretBytes,
        fingerprint: String,
        sentAt: Moment,
        left: Duration,
        lifetime: Duration,
        issuedAt: Date?,
        expiresAt: Date,
        warnings: [TokenWarning] = [],
        clockOffset: Duration? = nil
    ) {
        self.bytes = bytes
        self.fingerprint = fingerprint
        self.sentAt = sentAt
        self.left = left
        self.lifetime = lifetime
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.warnings = warnings
        self.clockOffset = clockOffset
    }
}

/// Decides whether a token is usable and for how long; without a clock and without state.
package struct TokenAdmission: Sendable {
    package var expectations: TokenExpectations
    package var policy: TokenPolicy

    /// An expiry that is more than ten years away, in seconds, has a wrong unit.
    private static let longestSpan = 10 * 365.25 * 86_400.0

    /// A relative expiry of more than a week, in seconds, has a wrong unit.
    private static let longestLife = 7 * 86_400.0

    /// A token with a shorter lifetime, in seconds, causes continuous fetches.
    private static let shortLife = 30.0

    /// Clock differences up to this, in seconds, are ignored.
    private static let tolerance = 5.0

    package init(expectations: TokenExpectations, policy: TokenPolicy) {
        self.expectations = expectations
        self.policy = policy
    }

    /// Validates a token that was requested and received at these times.
    ///
    /// If the token is the stored one (`held` is its fingerprint), it may have little time left.
    package func admit(
        _ issued: IssuedToken,
        for context: AuthorizationContext,
        held: String? = nil,
        sentAt: Moment,
        receivedAt: Moment
    ) throws(TokenFault) -> AdmittedToken {
        let text = issued.revealed
        let claims = try readClaims(text)
        var warnings = issued.warnings
        if let claims {
            try check(claims, against: context, warnings: &warnings)
        } else {
            warnings.append(.opaque)
        }
        let clock = ClockReading(date: issued.serverDate, sentAt: sentAt, receivedAt: receivedAt)
        let times = try times(of: issued, claims: claims, clock: clock, warnings: &warnings)
        for issuedAt in [claims?.issuedAt, claims?.notBefore].compactMap(\.self) {
            let ahead = issuedAt.timeIntervalSince(clock.serviceNow)
            guard ahead <= expectations.clockSkew.seconds else {
                throw .issuedInFuture(by: .init(clampedSeconds: ahead))
            }
        }
        let fingerprint = tokenFingerprint(of: text)
        let longest = claims == nil ? nil : expectations.maximumLifetime
        try checkLife(times, clock, longest: longest, isHeld: fingerprint == held)
        if times.lifetime < Self.shortLife { warnings.append(.shortLived(.init(clampedSeconds: times.lifetime))) }
        if let offset = times.offset, abs(offset) > Self.tolerance {
            warnings.append(.clockDiffers(.init(clampedSeconds: offset)))
        }
        return AdmittedToken(
            bytes: issued.secret,
            fingerprint: fingerprint,
            sentAt: sentAt,
            left: .init(clampedSeconds: times.left),
            lifetime: .init(clampedSeconds: times.lifetime),
            issuedAt: times.issuedAt,
            expiresAt: times.expiresAt,
            warnings: warnings,
            clockOffset: times.offset.map { .init(clampedSeconds: $0) }
        )
    }

    /// Returns the service's clock minus the local clock according to the answer's `Date`; `nil` without one.
    ///
    /// It does not depend on the validity of the token.
    package static func clockOffset(of issued: IssuedToken, sentAt: Moment, receivedAt: Moment) -> Duration? {
        let clock = ClockReading(date: issued.serverDate, sentAt: sentAt, receivedAt: receivedAt)
        return clock.offset.map { .init(clampedSeconds: $0) }
    }

    // MARK: Format and claims

    /// Parses a JWT; `nil` for an opaque token, if these are accepted.
    private func readClaims(_ text: String) throws(TokenFault) -> TokenClaims? {
        guard text.utf8.count <= TokenClaims.maximumBytes else { throw .tooLong(bytes: text.utf8.count) }
        guard !text.lowercased().hasPrefix("bearer ") else { throw .bearerPrefix }
        if let kind = CredentialKind(text) { throw .otherCredential(kind) }
        guard !text.isEmpty, text.utf8.allSatisfy(Self.mayTravel) else { throw .malformed }
        guard text.utf8.contains(UInt8(ascii: ".")) else {
            guard expectations.acceptsOpaqueTokens else { throw .opaque }
            return nil
        }
        return try TokenClaims(token: text)
    }

    /// Returns whether a character is allowed in a bearer token (RFC 6750); none of these can end a header line.
    private static func mayTravel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private func check(
        _ claims: TokenClaims,
        against context: AuthorizationContext,
        warnings: inout [TokenWarning]
    ) throws(TokenFault) {
        if claims.isUnsigned || claims.algorithm?.lowercased() == "none" { throw .unsigned }
        if let kind = CredentialKind(claims) { throw .otherCredential(kind) }
        if claims.algorithm != "RS256" { warnings.append(.unusualAlgorithm) }
        if let audience = expectations.audience {
            guard !claims.mistyped.contains("aud"), claims.audiences.count == 1,
                claims.audiences[0].hasSameBytes(as: audience)
            else { throw .wrongAudience }
        }
        guard claims.hasAuthorization else { throw .authorizationMissing }
        let (own, other) =
            switch context {
            case .trip: (claims.tripID, claims.vehicleID)
            case .vehicle: (claims.vehicleID, claims.tripID)
            }
        if own == nil, let name = claims.misspelt[context.claimName] {
            throw .misspeltClaim(name, meant: context.claimName)
        }
        guard let own else { throw other == nil ? .authorizationMissing : .wrongKind }
        if !claims.wildcards.isEmpty {
            // A driver's token may cover all tasks of its vehicle. A consumer's token must cover exactly one trip.
            let isForbidden = claims.wildcards.contains(context.claimName) || context.claimName == "tripid"
            guard expectations.allowsWildcard || !isForbidden else { throw .overBroad }
            warnings.append(.wildcard)
        }
        guard own == "*" || own.hasSameBytes(as: context.id) else { throw .boundToAnother }
        if let time = ["exp", "iat", "nbf"].first(where: claims.mistyped.contains) { throw .mistypedTime(time) }
        if let expiry = claims.expirySeconds, expiry > 1e11 { throw .expiryInMilliseconds }
    }

    // MARK: Times

    /// What the service's `Date` reveals about the two clocks.
    private struct ClockReading {
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

    private struct Times {
        var issuedAt: Date?
        var expiresAt: Date
        /// *R* in seconds from sending.
        var left: Double
        /// *L* in seconds.
        var lifetime: Double
        var offset: Double?
    }

    private func times(
        of issued: IssuedToken,
        claims: TokenClaims?,
        clock: ClockReading,
        warnings: inout [TokenWarning]
    ) throws(TokenFault) -> Times {
        let expiresAt = try expiry(of: issued, claims: claims, clock: clock, warnings: &warnings)
        let issuedAt = issued.issuedAt ?? claims?.issuedAt
        let byClock = expiresAt.timeIntervalSince(clock.serviceNow)
        guard let issuedAt else {
            return Times(expiresAt: expiresAt, left: byClock, lifetime: byClock, offset: clock.offset)
        }
        let lifetime = expiresAt.timeIntervalSince(issuedAt)
        var left = min(byClock, lifetime)
        var offset = clock.offset
        if offset == nil {
            // The service's time is unknown. The difference of the endpoint's two times is a lifetime that does not depend on
            // the
            // clocks. It is used if the token was created for this request and is not older than plausible clock differences.
            let apart = issuedAt.timeIntervalSince(clock.sentAt.wall)
            let isPair = issued.issuedAt != nil && issued.isNew
            if isPair, abs(apart) <= expectations.clockSkew.seconds {
                left = lifetime
                if abs(apart) > Self.tolerance + clock.roundTrip { offset = apart }
            } else if left <= 0, lifetime > 0, policy.trustsIssuerLifetime {
                left = lifetime
                offset = apart
            } else if apart > Self.tolerance + clock.roundTrip {
                // The signer's clock differs, or it dates tokens ahead; the service's clock may agree with the local one.
                warnings.append(.clockDiffers(.init(clampedSeconds: apart)))
            }
        }
        return Times(issuedAt: issuedAt, expiresAt: expiresAt, left: left, lifetime: lifetime, offset: offset)
    }

    /// Returns the earlier of the token's and the endpoint's expiry.
    private func expiry(
        of issued: IssuedToken,
        claims: TokenClaims?,
        clock: ClockReading,
        warnings: inout [TokenWarning]
    ) throws(TokenFault) -> Date {
        let own = claims?.expiresAt
        var (said, longest): (Date?, Double) =
            switch issued.expiry {
            case .at(let date): (date, Self.longestSpan)
            case .after(let life): (clock.serviceNow + life.seconds, Self.longestLife)
            case nil: (nil, 0)
            }
        // Seconds read as milliseconds are in January 1970; milliseconds read as seconds are far in the future.
        if let ahead = said?.timeIntervalSince(clock.serviceNow), abs(ahead) > longest {
            guard own != nil else { throw .wrongExpiryUnit }
            warnings.append(.wrongExpiryUnit)
            said = nil
        }
        switch (own, said) {
        case (let own?, let said?):
            if abs(own.timeIntervalSince(said)) > Self.tolerance + clock.roundTrip {
                warnings.append(.expiryDisagreement(token: own, endpoint: said))
            }
            return min(own, said)
        case (let only?, nil), (nil, let only?): return only
        case (nil, nil):
            guard let assumed = policy.assumedLifetime else { throw .missingExpiry }
            warnings.append(.assumedLifetime(assumed))
            return clock.serviceNow + assumed.seconds
        }
    }

    /// Checks the lifetime; `longest` is the service's limit for JWTs and does not apply to opaque tokens.
    private func checkLife(
        _ times: Times,
        _ clock: ClockReading,
        longest: Duration?,
        isHeld: Bool
    ) throws(TokenFault) {
        guard times.left > 0 else { throw .expired(ago: .init(clampedSeconds: -times.left)) }
        let life = Duration(clampedSeconds: times.lifetime)
        if let longest {
            // The grace period is 60 s, because issuers set `iat` back and the service checks only `exp`.
            let limit = longest + .seconds(60)
            if life > limit { throw .tooLongLived(life) }
            // If the service's time is known, so is its result for `exp`.
            let ahead = Duration(clampedSeconds: times.expiresAt.timeIntervalSince(clock.serviceNow))
            if clock.offset != nil, ahead > limit { throw .endsTooFarAhead(by: ahead) }
        }
        let left = Duration(clampedSeconds: times.left)
        guard !isHeld, left <= policy.windows(lifetime: life).minimumValidity + .seconds(1) else { return }
        throw left * 4 < life ? .nearlyOver(left: left, lifetime: life) : .tooShort(left: left)
    }
}
