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
