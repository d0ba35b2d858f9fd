import FleetTokens

/// The metrics that `--metrics-port` serves: their names, kinds, labels and meanings.
///
/// Names and labels only grow, because dashboards and alerts use them. No label has the ID of a trip or of a vehicle, so that
/// the number of series does not grow with the trips. The page Metrics of the manual has the same table.
enum MetricTable {
    /// All metrics in the order of the page.
    static let all = program + session + tokens + emulator

    /// Of every program.
    static let build = MetricFamily("tripshare_build_info", .gauge, "1, with the version.", labels: ["version"])

    // MARK: Of a session

    /// Polls by their outcome.
    static let polls = MetricFamily(
        "tripshare_polls_total",
        .counter,
        "Completed polls by outcome: ok, or the code of the failure as in JSON.",
        labels: ["outcome"]
    )
    /// The duration of requests.
    static let latency = MetricFamily(
        "tripshare_poll_latency_seconds",
        .histogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]),
        "Time from the request of a poll to its answer, without the wait for a token."
    )
    /// How much later than planned polls started.
    static let lateness = MetricFamily(
        "tripshare_poll_lateness_seconds",
        .histogram([0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]),
        "Time from the planned start of a poll to its start."
    )
    /// Detected anomalies.
    static let findings = MetricFamily(
        "tripshare_findings_total",
        .counter,
        "Findings by the rule that reported them.",
        labels: ["rule"]
    )
    /// The followed trips.
    static let trips = MetricFamily(
        "tripshare_trips",
        .gauge,
        "Followed trips and shipments with an answer by status; UNRECOGNIZED for one that this version does not know.",
        labels: ["status"]
    )
    /// The first expiry of a token in use.
    static let expiry = MetricFamily(
        "tripshare_token_expiry_seconds",
        .gauge,
        "Time until the first of the tokens in use expires; negative after it, NaN without a token."
    )

    private static let program = [build]
    private static let session = [polls, latency, lateness, findings, trips, expiry]

    // MARK: Of token providers

    /// The label that separates the tokens of trips from those that list a project's trips.
    static let provider = "provider"

    private static let tokens: [MetricFamily] = [
        tokenCounter("fetches", "Fetches of tokens by reason.", "reason"),
        tokenCounter("successes", "Fetches whose token was stored."),
        tokenCounter("failures", "Failed fetches by kind.", "kind"),
        tokenCounter("hits", "Calls that got a cached token."),
        tokenCounter("stale_served", "Calls that got a cached token whose refresh had failed."),
        tokenCounter("joins", "Calls that joined a fetch in flight."),
        tokenCounter("starts", "Calls that started a fetch."),
        tokenCounter("negative_hits", "Calls that got the last error without a fetch."),
        tokenCounter("refusals", "Calls that failed without a fetch for another reason."),
        tokenCounter("rejections", "Tokens that the service refused."),
        tokenCounter("ignored_rejections", "Refusals of tokens that had been replaced before."),
        tokenCounter("discarded_late", "Answers that came after their fetch was abandoned."),
        tokenCounter("evictions", "Keys that were evicted from the cache."),
        tokenCounter("cancelled_waits", "Callers that were cancelled while they waited."),
        tokenCounter("clock_disagreements", "Changes of the difference between the service's clock and the local one."),
        tokenGauge("keys", "Trips, vehicles and projects in the cache."),
        tokenGauge("in_flight", "Fetches in flight."),
        tokenGauge("oldest_waiter_seconds", "The longest current wait for a token."),
        tokenGauge("next_refresh_seconds", "Time until the next refresh of a token in use."),
    ]

    private static func tokenCounter(_ name: String, _ help: String, _ labels: String...) -> MetricFamily {
        MetricFamily("fleet_tokens_\(name)_total", .counter, help, labels: [provider] + labels)
    }

    private static func tokenGauge(_ name: String, _ help: String) -> MetricFamily {
        MetricFamily("fleet_tokens_\(name)", .gauge, help, labels: [provider])
    }

    // MARK: Of the emulator

    /// Answered requests.
    static let requests = MetricFamily(
        "tripshare_emulator_requests_total",
        .counter,
        "Answered requests by endpoint, HTTP method and status; 0 for a connection that a fault closed.",
        labels: ["endpoint", "method", "status"]
    )

    private static let emulator = [requests]

    // MARK: Documentation

    /// The table of the manual as Markdown.
    static var markdown: [String] {
        let rows = all.map { family in
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(family.name)` | \(family.kind.name) | \(labels) | \(family.help) |"
        }
        return ["| metric | type | labels | meaning |", "|---|---|---|---|"] + rows
    }
}
