/// The refresh, timeout and retry times of tokens, and the size of the cache.
///
/// All times are in the provider's clock, except ``fetchTimeout``, which is in real time.
public struct TokenPolicy: Sendable, Equatable {
    /// The minimum remaining lifetime of a returned token; at most a twentieth of its lifetime.
    public package(set) var minimumValidity: Duration = .seconds(30)
    /// How long before the deadline the next token is fetched; at most a fifth of the lifetime.
    public package(set) var refreshWindow: Duration = .seconds(300)
    /// The timeout of one fetch in real time.
    public package(set) var fetchTimeout: Duration = .seconds(10)
    /// The minimum time between the starts of two fetches of one key, regardless of the result.
    public package(set) var minimumSpacing: Duration = .seconds(1)
    /// The backoff after the first failure; it doubles with each successive failure.
    public package(set) var firstBackoff: Duration = .seconds(1)
    /// The maximum backoff after a failure.
    public package(set) var maximumBackoff: Duration = .seconds(60)
    /// The maximum backoff if the source was unreachable (refused, unknown host, timeout, reset).
    ///
    /// It is shorter, because a retry does not load the source and the network may be back.
    public package(set) var maximumOutageBackoff: Duration = .seconds(60)
    /// The maximum `Retry-After` that is honored; no backoff is longer.
    public package(set) var maximumRetryAfter: Duration = .seconds(300)
    /// The backoff after a denial; it doubles up to ``maximumRetryAfter``.
    public package(set) var firstDenial: Duration = .seconds(30)
    /// A token that is refused before this age is not replaced at once, because its age is not the cause.
    public package(set) var newTokenAge: Duration = .seconds(10)
    /// The maximum number of fetches per minute caused by refusals of the service.
    public package(set) var forcedFetchesPerMinute: Int = 3
    /// The maximum number of fetches in flight over all keys.
    public package(set) var fetchLimit: Int = 8
    /// The maximum number of keys with a token.
    public package(set) var keyLimit: Int = 10_000
    /// The maximum number of keys that store only a failure or a denial.
    public package(set) var negativeKeyLimit: Int = 1000
    /// The maximum number of callers that wait for one key.
    public package(set) var waiterLimit: Int = 10_000
    /// The assumed lifetime of a token without an expiry; `nil` rejects such tokens.
    public package(set) var assumedLifetime: Duration?
    /// Whether a token that has expired by the local clock is used for the lifetime given by its issuer.
    ///
    /// This applies only if the issuer's time is unknown.
    public package(set) var trustsIssuerLifetime = false

    /// Creates a policy; omitted values are the defaults.
    ///
    /// - Throws: ``TokenPolicyError`` if a value is out of range or two values contradict each other.
    public init(
        minimumValidity: Duration = standard.minimumValidity,
        refreshWindow: Duration = standard.refreshWindow,
        fetchTimeout: Duration = standard.fetchTimeout,
        minimumSpacing: Duration = standard.minimumSpacing,
        firstBackoff: Duration = standard.firstBackoff,
        maximumBackoff: Duration = standard.maximumBackoff,
        maximumOutageBackoff: Duration = standard.maximumOutageBackoff,
        maximumRetryAfter: Duration = standard.maximumRetryAfter,
        firstDenial: Duration = standard.firstDenial,
        newTokenAge: Duration = standard.newTokenAge,
        forcedFetchesPerMinute: Int = standard.forcedFetchesPerMinute,
        fetchLimit: Int = standard.fetchLimit,
        keyLimit: Int = standard.keyLimit,
        negativeKeyLimit: Int = standard.negativeKeyLimit,
        waiterLimit: Int = standard.waiterLimit,
        assumedLifetime: Duration? = nil,
        trustsIssuerLifetime: Bool = false
    ) throws(TokenPolicyError) {
        self.minimumValidity = minimumValidity
        self.refreshWindow = refreshWindow
        self.fetchTimeout = fetchTimeout
        self.minimumSpacing = minimumSpacing
        self.firstBackoff = firstBackoff
        self.maximumBackoff = maximumBackoff
        self.maximumOutageBackoff = maximumOutageBackoff
        self.maximumRetryAfter = maximumRetryAfter
        self.firstDenial = firstDenial
        self.newTokenAge = newTokenAge
        self.forcedFetchesPerMinute = forcedFetchesPerMinute
        self.fetchLimit = fetchLimit
        self.keyLimit = keyLimit
        self.negativeKeyLimit = negativeKeyLimit
        self.waiterLimit = waiterLimit
        self.assumedLifetime = assumedLifetime
        self.trustsIssuerLifetime = trustsIssuerLifetime
        try check()
    }

    private init() {}

    /// Returns the windows for a lifetime *L*: *M* = min(30 s, L/20), *A* = min(5 min, L/5).
    ///
    /// *M* is the minimum remaining lifetime of a returned token. The next one is fetched between *A* and *A*/2 before that.
    package func windows(lifetime: Duration) -> (minimumValidity: Duration, refreshAhead: Duration) {
        (min(minimumValidity, lifetime / 20), min(refreshWindow, lifetime / 5))
    }

    /// The defaults.
    public static let standard = TokenPolicy()

    private func check() throws(TokenPolicyError) {
        // The least value is zero, or one attosecond if nothing could ever happen with zero.
        let tick = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let durations: [(TokenPolicyError.Setting, Duration, least: Duration)] = [
            (.minimumValidity, minimumValidity, .zero), (.refreshWindow, refreshWindow, .zero),
            (.firstDenial, firstDenial, .zero), (.newTokenAge, newTokenAge, .zero),
            (.fetchTimeout, fetchTimeout, tick), (.minimumSpacing, minimumSpacing, tick),
            (.firstBackoff, firstBackoff, tick), (.assumedLifetime, assumedLifetime ?? tick, tick),
        ]
        for (setting, value, least) in durations where value < least { throw .negative(setting, value) }
        let counts: [(TokenPolicyError.Setting, Int)] = [
            (.fetchLimit, fetchLimit), (.keyLimit, keyLimit), (.negativeKeyLimit, negativeKeyLimit),
            (.waiterLimit, waiterLimit), (.forcedFetchesPerMinute, forcedFetchesPerMinute),
        ]
        for (setting, value) in counts where value < 1 { throw .tooFew(setting, value) }
        let orders: [(TokenPolicyError.Setting, Duration, TokenPolicyError.Setting, Duration)] = [
            (.minimumValidity, minimumValidity, .refreshWindow, refreshWindow),
            (.firstBackoff, firstBackoff, .maximumBackoff, maximumBackoff),
            (.firstBackoff, firstBackoff, .maximumOutageBackoff, maximumOutageBackoff),
            (.maximumOutageBackoff, maximumOutageBackoff, .maximumRetryAfter, maximumRetryAfter),
            (.maximumBackoff, maximumBackoff, .maximumRetryAfter, maximumRetryAfter),
            (.firstDenial, firstDenial, .maximumRetryAfter, maximumRetryAfter),
        ]
        for (low, small, high, large) in orders where small > large { throw .outOfOrder(low, small, high, large) }
        // A refresh that takes as long as the window would complete after the token's expiry.
        guard fetchTimeout < refreshWindow else {
            throw .outOfOrder(.fetchTimeout, fetchTimeout, .refreshWindow, refreshWindow)
        }
    }
}

/// The reason why a policy is invalid, with the contradicting values.
public enum TokenPolicyError: Error, Sendable, Equatable {
    /// The name of a setting.
    public enum Setting: String, Sendable {
        case minimumValidity, refreshWindow, fetchTimeout, minimumSpacing, firstBackoff, maximumBackoff
        case maximumOutageBackoff, maximumRetryAfter, firstDenial, newTokenAge, forcedFetchesPerMinute, fetchLimit
        case keyLimit, negativeKeyLimit, waiterLimit, assumedLifetime
    }

    /// A duration that must not be negative (or zero, if nothing could ever happen).
    case negative(Setting, Duration)
    /// A number that must be at least one.
    case tooFew(Setting, Int)
    /// The first must not exceed the second; a timeout must be shorter than it.
    case outOfOrder(Setting, Duration, Setting, Duration)
}
