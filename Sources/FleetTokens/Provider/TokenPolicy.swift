/// The refresh, timeout and retry times of tokens, and the size of the cache.
///
/// The windows scale with a token's lifetime *L*, so that short-lived tokens remain usable:
///
/// | lifetime | never returned with less than | refresh begins at the latest |
/// |---|---|---|
/// | 10 s | 0.5 s | 1.5 s before the expiry |
/// | 60 s | 3 s | 9 s before the expiry |
/// | 5 min | 15 s | 45 s before the expiry |
/// | 55 min | 30 s | 3 min before the expiry |
///
/// All times are in the provider's clock, except ``flightTimeout``, which is in real time.
public struct TokenPolicy: Sendable, Equatable {
    /// The minimum remaining lifetime of a returned token; at most a twentieth of its lifetime.
    public package(set) var minimumValidity: Duration
    /// How long before the deadline the next token is fetched; at most a fifth of the lifetime.
    public package(set) var refreshWindow: Duration
    /// The timeout of one fetch in real time.
    public package(set) var flightTimeout: Duration
    /// The minimum time between the starts of two fetches of one key, regardless of the result.
    public package(set) var minimumSpacing: Duration
    /// The backoff after the first failure; it doubles with each successive failure.
    public package(set) var firstBackoff: Duration
    /// The maximum backoff after a failure.
    public package(set) var longestBackoff: Duration
    /// The maximum backoff if the source was unreachable (refused, unknown host, timeout, reset).
    ///
    /// It is shorter, because a retry does not load the source and the network may be back.
    public package(set) var longestOutageBackoff: Duration
    /// The maximum `Retry-After` that is honored; no backoff is longer.
    public package(set) var longestRetryAfter: Duration
    /// The backoff after a denial; it doubles up to ``longestRetryAfter``.
    public package(set) var firstDenial: Duration
    /// A token that is refused before this age is not replaced at once, because its age is not the cause.
    public package(set) var youngAge: Duration
    /// The maximum number of fetches per minute caused by refusals of the service.
    public package(set) var forcedFlightsPerMinute: Int
    /// The maximum number of fetches in flight over all keys.
    public package(set) var flightLimit: Int
    /// The maximum number of keys with a token.
    public package(set) var keyLimit: Int
    /// The maximum number of keys that store only a failure or a denial.
    public package(set) var negativeKeyLimit: Int
    /// The maximum number of callers that wait for one key.
    public package(set) var waiterLimit: Int
    /// The assumed lifetime of a token without an expiry; `nil` rejects such tokens.
    public package(set) var assumedLifetime: Duration?
    /// Whether a token that has expired by the local clock is used for the lifetime given by its issuer.
    ///
    /// This applies only if the issuer's time is unknown.
    public package(set) var trustsIssuerLifetime: Bool

    /// Creates a policy; omitted values are the defaults.
    ///
    /// - Throws: ``TokenPolicyError`` if a value is out of range or two values contradict each other.
    public init(
        minimumValidity: Duration = .seconds(30),
        refreshWindow: Duration = .seconds(300),
        flightTimeout: Duration = .seconds(10),
        minimumSpacing: Duration = .seconds(1),
        firstBackoff: Duration = .seconds(1),
        longestBackoff: Duration = .seconds(60),
        longestOutageBackoff: Duration = .seconds(60),
        longestRetryAfter: Duration = .seconds(300),
        firstDenial: Duration = .seconds(30),
        youngAge: Duration = .seconds(10),
        forcedFlightsPerMinute: Int = 3,
        flightLimit: Int = 8,
        keyLimit: Int = 10_000,
        negativeKeyLimit: Int = 1000,
        waiterLimit: Int = 10_000,
        assumedLifetime: Duration? = nil,
        trustsIssuerLifetime: Bool = false
    ) throws(TokenPolicyError) {
        self.minimumValidity = minimumValidity
        self.refreshWindow = refreshWindow
        self.flightTimeout = flightTimeout
        self.minimumSpacing = minimumSpacing
        self.firstBackoff = firstBackoff
        self.longestBackoff = longestBackoff
        self.longestOutageBackoff = longestOutageBackoff
        self.longestRetryAfter = longestRetryAfter
        self.firstDenial = firstDenial
        self.youngAge = youngAge
        self.forcedFlightsPerMinute = forcedFlightsPerMinute
        self.flightLimit = flightLimit
        self.keyLimit = keyLimit
        self.negativeKeyLimit = negativeKeyLimit
        self.waiterLimit = waiterLimit
        self.assumedLifetime = assumedLifetime
        self.trustsIssuerLifetime = trustsIssuerLifetime
        try check()
    }

    /// The defaults.
    public static let standard = TokenPolicy()

    private init() {
        minimumValidity = .seconds(30)
        refreshWindow = .seconds(300)
        flightTimeout = .seconds(10)
        minimumSpacing = .seconds(1)
        firstBackoff = .seconds(1)
        longestBackoff = .seconds(60)
        longestOutageBackoff = .seconds(60)
        longestRetryAfter = .seconds(300)
        firstDenial = .seconds(30)
        youngAge = .seconds(10)
        forcedFlightsPerMinute = 3
        flightLimit = 8
        keyLimit = 10_000
        negativeKeyLimit = 1000
        waiterLimit = 10_000
        trustsIssuerLifetime = false
    }

    private func check() throws(TokenPolicyError) {
        let durations: [(TokenPolicyError.Setting, Duration)] = [
            (.minimumValidity, minimumValidity), (.refreshWindow, refreshWindow),
            (.firstDenial, firstDenial), (.youngAge, youngAge),
        ]
        for (setting, value) in durations where value < .zero { throw .negative(setting, value) }
        let positive: [(TokenPolicyError.Setting, Duration)] = [
            (.flightTimeout, flightTimeout), (.minimumSpacing, minimumSpacing), (.firstBackoff, firstBackoff),
            (.assumedLifetime, assumedLifetime ?? .seconds(3600)),
        ]
        for (setting, value) in positive where value <= .zero { throw .negative(setting, value) }
        let counts: [(TokenPolicyError.Setting, Int)] = [
            (.flightLimit, flightLimit), (.keyLimit, keyLimit), (.negativeKeyLimit, negativeKeyLimit),
            (.waiterLimit, waiterLimit), (.forcedFlightsPerMinute, forcedFlightsPerMinute),
        ]
        for (setting, value) in counts where value < 1 { throw .tooFew(setting, value) }
        let orders: [(TokenPolicyError.Setting, Duration, TokenPolicyError.Setting, Duration)] = [
            (.minimumValidity, minimumValidity, .refreshWindow, refreshWindow),
            (.firstBackoff, firstBackoff, .longestBackoff, longestBackoff),
            (.firstBackoff, firstBackoff, .longestOutageBackoff, longestOutageBackoff),
            (.longestOutageBackoff, longestOutageBackoff, .longestRetryAfter, longestRetryAfter),
            (.longestBackoff, longestBackoff, .longestRetryAfter, longestRetryAfter),
            (.firstDenial, firstDenial, .longestRetryAfter, longestRetryAfter),
        ]
        for (low, small, high, large) in orders where small > large { throw .outOfOrder(low, small, high, large) }
        // A refresh that takes as long as the window would complete after the token's expiry.
        guard flightTimeout < refreshWindow else {
            throw .outOfOrder(.flightTimeout, flightTimeout, .refreshWindow, refreshWindow)
        }
    }
}

/// The reason why a policy is invalid, with the contradicting values.
public enum TokenPolicyError: Error, Sendable, Equatable {
    /// The name of a setting.
    public enum Setting: String, Sendable {
        case minimumValidity
        case refreshWindow
        case flightTimeout
        case minimumSpacing
        case firstBackoff
        case longestBackoff
        case longestOutageBackoff
        case longestRetryAfter
        case firstDenial
        case youngAge
        case forcedFlightsPerMinute
        case flightLimit
        case keyLimit
        case negativeKeyLimit
        case waiterLimit
        case assumedLifetime
    }

    /// A duration that must not be negative (or zero, if nothing could ever happen).
    case negative(Setting, Duration)
    /// A number that must be at least one.
    case tooFew(Setting, Int)
    /// The first must not exceed the second; a timeout must be shorter than it.
    case outOfOrder(Setting, Duration, Setting, Duration)
}
