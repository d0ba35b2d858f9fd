package import Failures
import Foundation
package import Runtime
import TripModel

/// Decides whether a token is usable and for how long; without a clock and without state.
package struct TokenAdmission: Sendable {
    package var expectations: TokenExpectations
    package var policy: TokenPolicy

    /// A token with a shorter lifetime causes continuous fetches.
    private static let shortLifetime = Duration.seconds(30)

    /// Clock differences up to this, in seconds, are ignored.
    static let clockTolerance = 5.0

    /// Validates a token that was requested and received at these times.
    ///
    /// If the token is the stored one (`held` is its fingerprint), it may have little time left. `serviceAgrees` says that the
    /// service's own answers have the time of the local clock.
    package func admit(
        _ issued: IssuedToken,
        for context: AuthorizationContext,
        held: String? = nil,
        serviceAgrees: Bool = false,
        sentAt: Moment,
        receivedAt: Moment
    ) throws(Failure) -> BearerToken {
        let text = issued.revealed
        let claims = issued.isAccessToken ? try readAccessToken(text) : try readClaims(text)
        let clock = ClockReading(date: issued.serverDate, sentAt: sentAt, receivedAt: receivedAt)
        let warnings: [Failure] =
            if let claims { try check(claims, against: context) } else { issued.isAccessToken ? [] : [.opaqueToken] }
        let decisive = decisive(clock, for: claims)
        var token = try properties(of: issued, claims, decisive, issued.warnings + warnings)
        token.isAccessToken = issued.isAccessToken
        // The endpoint's clock is reported also if another clock decides.
        let offset = clock.offset.map { Duration(clampedSeconds: $0) } ?? token.clockOffset
        if serviceAgrees { token.endByLocalClock() }
        for issuedAt in [claims?.issuedAt, claims?.notBefore].compactMap(\.self) {
            let ahead = issuedAt.timeIntervalSince(clock.serviceNow)
            guard ahead <= expectations.clockSkew.seconds else {
                throw .tokenIssuedInFuture(by: .init(clampedSeconds: ahead))
            }
        }
        try checkLifetime(token, decisive, claims, isHeld: token.fingerprint == held)
        if token.lifetime < Self.shortLifetime { token.warnings.append(.shortLived(token.lifetime)) }
        if let offset, abs(offset.seconds) > Self.clockTolerance, !issued.isCached {
            token.warnings.append(.clockDiffers(offset))
        }
        return BearerToken(bytes: issued.secret, token)
    }

    /// Returns the service's clock minus the local clock according to the answer's `Date`; `nil` without one.
    ///
    /// It does not depend on the validity of the token.
    package static func clockOffset(of issued: IssuedToken, sentAt: Moment, receivedAt: Moment) -> Duration? {
        ClockReading(date: issued.serverDate, sentAt: sentAt, receivedAt: receivedAt).offset
            .map { .init(clampedSeconds: $0) }
    }

    // MARK: Format and claims

    /// Returns whether a bearer token may contain a character (RFC 6750); none of them can end a header line.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~+/=".utf8.contains(byte)
        }
    }

    /// Checks the form of an access token; returns `nil`, because only its issuer can read its claims.
    private func readAccessToken(_ text: String) throws(Failure) -> TokenClaims? {
        guard text.utf8.count <= TokenClaims.maximumBytes else { throw .tokenTooLong(bytes: text.utf8.count) }
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenByte) else { throw .tokenMalformed }
        return nil
    }

    /// Parses a JWT; `nil` for an opaque token, if these are accepted.
    private func readClaims(_ text: String) throws(Failure) -> TokenClaims? {
        guard text.utf8.count <= TokenClaims.maximumBytes else { throw .tokenTooLong(bytes: text.utf8.count) }
        guard !text.lowercased().hasPrefix("bearer ") else { throw .tokenBearerPrefix }
        if let kind = CredentialKind(text) { throw .otherCredential(kind) }
        do throws(Failure) {
            return try readPlainClaims(text)
        } catch {
            guard error == .tokenMalformed || error == .tokenOpaque, let form = TokenForm(of: text) else { throw error }
            throw .tokenWrapped(form)
        }
    }

    /// Parses a JWT without anything around it; `nil` for an opaque token, if these are accepted.
    private func readPlainClaims(_ text: String) throws(Failure) -> TokenClaims? {
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenByte) else { throw .tokenMalformed }
        guard text.utf8.contains(UInt8(ascii: ".")) else {
            guard expectations.acceptsOpaqueTokens, TokenForm(of: text) == nil else { throw .tokenOpaque }
            return nil
        }
        return try TokenClaims(token: text)
    }

    /// Checks the claims; returns warnings.
    private func check(
        _ claims: TokenClaims,
        against context: AuthorizationContext
    ) throws(Failure) -> [Failure] {
        if claims.isUnsigned || claims.algorithm?.lowercased() == "none" { throw .tokenUnsigned }
        if let kind = CredentialKind(claims) { throw .otherCredential(kind) }
        if let audience = expectations.audience {
            guard !claims.mistyped.contains("aud"), claims.audiences.count == 1,
                claims.audiences[0].hasSameBytes(as: audience)
            else { throw .tokenWrongAudience }
        }
        // For a server, the service decides by the role of the account and by the claims, if there are any.
        let isBroad = context == .server ? false : try checkSubject(of: claims, against: context)
        if let time = ["exp", "iat", "nbf"].first(where: claims.mistyped.contains) { throw .tokenMistypedTime(time) }
        if claims.isExpiryInMilliseconds { throw .tokenExpiryInMilliseconds }
        if let claim = claims.beginInMilliseconds { throw .tokenBeginInMilliseconds(claim) }
        return (claims.algorithm == "RS256" ? [] : [.unusualAlgorithm]) + (isBroad ? [.wildcard] : [])
    }

    /// Checks that the token is for one trip or vehicle, and for the right one; returns whether it has an allowed wildcard.
    private func checkSubject(
        of claims: TokenClaims,
        against context: AuthorizationContext
    ) throws(Failure) -> Bool {
        let missing = claims.unusableAuthorization.map(Failure.tokenUnusableAuthorization) ?? .tokenWithoutAuthorization
        guard claims.hasAuthorization else { throw missing }
        guard let own = claims.id(for: context) else {
            if let name = claims.misspelled[context.claimName] {
                throw .tokenMisspelledClaim(name, meant: context.claimName)
            }
            throw claims.ids.isEmpty ? missing : .tokenWrongKind
        }
        // A driver's token may cover all tasks of its vehicle. A consumer's token must cover exactly one trip or shipment.
        let isForbidden = context.kind.isForConsumers || claims.wildcards.contains(context.claimName)
        if !claims.wildcards.isEmpty, isForbidden, !expectations.allowsWildcard { throw .tokenOverBroad }
        guard own == "*" || own.hasSameBytes(as: context.id) else {
            throw IDForm(of: own, asked: context.id).map { .tokenIDForm($0, claim: context.claimName) }
                ?? .tokenBoundToAnother
        }
        return !claims.wildcards.isEmpty
    }
}

/// The requirements for a usable token; the defaults are Fleet Engine's rules.
public struct TokenExpectations: Sendable, Equatable {
    /// The required `aud`, including the trailing slash; `nil` accepts every audience.
    public var audience: String?
    /// The maximum lifetime from `iat` to `exp`; `nil` accepts every lifetime.
    public var maximumLifetime: Duration?
    /// How far `iat` may be in the future; the service tolerates 10 minutes.
    public var clockSkew: Duration
    /// Whether `*` is accepted instead of an ID: for server tokens, never for consumer tokens.
    public var allowsWildcard: Bool
    /// Whether text without a dot, which cannot be a JWT, is accepted unchecked.
    public var acceptsOpaqueTokens: Bool

    /// The service's address as required in `aud`.
    public static let fleetEngineAudience = "https://fleetengine.googleapis.com/"

    /// Creates expectations; the defaults are Fleet Engine's rules.
    public init(
        audience: String? = TokenExpectations.fleetEngineAudience,
        maximumLifetime: Duration? = .seconds(3600),
        clockSkew: Duration = .seconds(600),
        allowsWildcard: Bool = false,
        acceptsOpaqueTokens: Bool = true
    ) {
        self.audience = audience
        self.maximumLifetime = maximumLifetime
        self.clockSkew = clockSkew
        self.allowsWildcard = allowsWildcard
        self.acceptsOpaqueTokens = acceptsOpaqueTokens
    }
}
