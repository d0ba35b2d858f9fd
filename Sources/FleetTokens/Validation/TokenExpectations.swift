/// What a token has to be before it is used; the defaults are Fleet Engine's own rules.
public struct TokenExpectations: Sendable, Equatable {
    /// What `aud` has to be, the trailing slash included; `nil` lets every audience pass.
    public var audience: String?
    /// The longest life from `iat` to `exp` that the service takes; `nil` lets every life pass.
    public var maximumLifetime: Duration?
    /// How far `iat` may lie in the future; the service tolerates ten minutes.
    public var clockSkew: Duration
    /// Whether `*` may stand where the ID belongs: for a server's tokens, never for a consumer's.
    public var allowsWildcard: Bool
    /// Whether text without any dot, which can't be a JWT, is taken on the endpoint's word.
    public var acceptsOpaqueTokens: Bool

    /// The service's address as `aud` has to spell it.
    public static let fleetEngineAudience = "https://fleetengine.googleapis.com/"

    /// The rules of Fleet Engine, except where told otherwise.
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
