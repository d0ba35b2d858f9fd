/// When tokens are refreshed, given up and asked for again, and how many are kept.
///
/// The windows scale with a token's life *L*, so that short tokens are not thrown away at birth:
///
/// | life | never handed out with less than | refresh begins at the latest |
/// |---|---|---|
/// | 10 s | 0.5 s | 1.5 s before the end |
/// | 60 s | 3 s | 9 s before the end |
/// | 5 min | 15 s | 45 s before the end |
/// | 55 min | 30 s | 3 min before the end |
///
/// All times are those of the provider's clock; only ``flightTimeout`` is real time.
public struct TokenPolicy: Sendable, Equatable {
    /// No token is handed out with less left than this, or a twentieth of its life if that is less.
    public package(set) var minimumValidity: Duration
    /// The next token is fetched this long before, or a fifth of the life if that is less.
    public package(set) var refreshWindow: Duration
    /// How long one fetch may take, in real time.
    public package(set) var flightTimeout: Duration
    /// The least time between the starts of two fetches of one key, whatever became of the first.
    public package(set) var minimumSpacing: Duration
    /// The wait after the first failure; it doubles with each one in a row.
    public package(set) var firstBackoff: Duration
    /// The longest wait after a failure.
    public package(set) var longestBackoff: Duration
    /// The same where nobody was reached (refused, unknown host, timeout, reset): asking costs nobody then, and the
    /// network may be back.
    public package(set) var longestOutageBackoff: Duration
    /// The longest `Retry-After` that is honoured; no silence is longer.
    public package(set) var longestRetryAfter: Duration
    /// How long a denial is remembered; it doubles up to ``longestRetryAfter``.
    public package(set) var firstDenial: Duration
    /// A token that the service refuses before this age is not replaced at once: age is not its fault.
    public package(set) var youngAge: Duration
    /// Fetches within a minute that a refusal by the service may cause.
    public package(set) var forcedFlightsPerMinute: Int
    /// Fetches in the air at one time, over all keys.
    public package(set) var flightLimit: Int
    /// Keys with a token that are kept.
    public package(set) var keyLimit: Int
    /// Keys that are only remembered as failing or denied.
    public package(set) var negativeKeyLimit: Int
    /// Callers that may wait for one key.
    public package(set) var waiterLimit: Int
    /// The life of a token of which nobody says when it ends; `nil` refuses it.
    public package(set) var assumedLifetime: Duration?
    /// Whether a token that is over by our clock is used for the life that its issuer gave it, when nobody says what
    /// time it is there.
    public package(set) var trustsIssuerLifetime: Bool

    /// The defaults, except where told otherwise.
    ///
    /// - Throws: ``TokenPolicyError`` where two settings contradict each other or one is out of range.
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
        // A fetch that takes as long as the window would come when the token is over.
        guard flightTimeout < refreshWindow else {
            throw .outOfOrder(.flightTimeout, flightTimeout, .refreshWindow, refreshWindow)
        }
    }
}

/// Why settings can't be used, with the numbers that contradict each other.
public enum TokenPolicyError: Error, Sendable, Equatable {
    /// One of the settings.
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

    /// A time that may not be negative (or zero, where nothing would ever happen).
    case negative(Setting, Duration)
    /// A number that has to be one at least.
    case tooFew(Setting, Int)
    /// The first may not be longer than the second, and as a time limit has to be shorter.
    case outOfOrder(Setting, Duration, Setting, Duration)
}
