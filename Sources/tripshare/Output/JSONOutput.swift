import Canvas
import FleetTokens
import FleetWire
import Foundation
import Sanitizing
import TripFeed
import TripModel
import TripText

/// Writes events as newline-delimited JSON, one object per line.
///
/// Times are RFC 3339 in UTC. Keys with unknown values are absent. Tokens are never written. `time` is when the line was
/// written and `started` is when a poll began, both by the program's clock. Other times are the service's.
enum JSONOutput {
    /// Returns the lines for a feed event.
    static func lines(_ event: FeedEvent, host: String, endpoint: Duration?, at now: Moment) -> [String] {
        switch event {
        case .polling, .scheduled, .ended: return []
        case .omitted(let trip, let omission):
            return [line(OmittedLine(.trip(trip), of: "poll", omission, now: now))]
        case .found(_, let findings): return findings.map { line(FindingLine($0, now: now)) }
        case .polled(let report, let state, let schedule):
            var lines = [
                line(PollLine(report, state: state, schedule: schedule, host: host, endpoint: endpoint, now: now))
            ]
            if case .success = report.outcome, let trip = state.trip {
                lines.append(line(TripLine(trip, state: state, now: now)))
            }
            return lines
        }
    }

    /// Returns the line for a token event.
    static func line(_ event: TokenEvent, at now: Moment) -> String {
        if case .omitted(let omission) = event.kind {
            return line(OmittedLine(event.context, of: "token", omission, now: now))
        }
        return line(TokenLine(event, now: now))
    }

    /// Returns the content of a token event without its kind and time.
    ///
    /// Two successive events with equal content are duplicates.
    static func state(_ event: TokenEvent) -> String {
        var line = TokenLine(event, now: event.at)
        (line.time, line.event, line.reason, line.status) = ("", "", nil, nil)
        return Self.line(line)
    }

    /// Returns the last line of a trip.
    static func end(trip: TripID, outcome: String, at now: Moment) -> String {
        line(EndLine(time: Timestamp.text(now.wall), trip: trip.rawValue, outcome: outcome))
    }

    private static func line(_ value: some Encodable) -> String {
        SanitizedJSON.line(value)
    }
}

private struct TripLine: Encodable {
    struct Location: Encodable {
        var latitude: Double
        var longitude: Double
        var heading: Int?
        var speed: Double?
    }

    var type = "trip"
    var time: String
    var trip: String
    var status: String
    var vehicleId: String?
    var eta: String?
    var remainingDistanceMeters: Int?
    var location: Location?
    var waypointsLeft: Int
    var receivedAgeMs: Int?
    var measuredAgeMs: Int?
    var changed: [String]

    init(_ trip: Trip, state: TripState, now: Moment) {
        time = Timestamp.text(now.wall)
        self.trip = trip.id.rawValue
        status = trip.status.name
        vehicleId = trip.vehicleID?.rawValue
        eta = (state.nextOwnArrival?.arrival?.time).map(Timestamp.text)
        remainingDistanceMeters = trip.remainingDistance.map { Int($0.meters.rounded()) }
        location = trip.lastLocation.flatMap { last in
            last.coordinate.map {
                Location(latitude: $0.latitude, longitude: $0.longitude, heading: last.heading, speed: last.speed)
            }
        }
        waypointsLeft = trip.remainingWaypoints.count
        receivedAgeMs = state.receivedAge(at: now)?.milliseconds
        measuredAgeMs = state.measuredAge(at: now)?.milliseconds
        changed = state.changed.map(\.rawValue).sorted()
    }
}

/// The underlying cause of a failure.
private final class Cause: Encodable {
    let httpStatus: Int?
    let code: String
    let message: String?
    let cause: Cause?

    init(_ failure: PollFailure) {
        httpStatus = failure.httpStatus
        code = failure.code
        message = failure.detail.map(Self.shown)
        cause = failure.cause.map(Cause.init)
    }

    /// Returns untrusted text in printable form, without tokens.
    static func shown(_ text: String) -> String { Printable.clean(text.withoutTokens, limit: 500) }
}

/// Replaces outcomes that a slow reader missed by their number.
private struct OmittedLine: Encodable {
    var type = "omitted"
    var time: String
    var trip: String?
    var vehicle: String?
    /// What was omitted: `poll` or `token`.
    var of: String
    var ok: Int
    var errors: [String: Int]

    init(_ context: AuthorizationContext, of kind: String, _ omission: EventOmission, now: Moment) {
        time = Timestamp.text(now.wall)
        switch context {
        case .trip(let id): trip = id.rawValue
        case .vehicle(let id): vehicle = id.rawValue
        }
        of = kind
        ok = omission.successes
        errors = omission.failures
    }
}

private struct PollLine: Encodable {
    var type = "poll"
    var time: String
    var started: String
    var trip: String
    var outcome: String
    var httpStatus: Int?
    var code: String?
    /// The remote side's message about a failure.
    var message: String?
    /// The underlying failure.
    var cause: Cause?
    var latencyMs: Double
    var bytes: Int?
    var attempt: Int
    var nextPollInMs: Int?
    /// What failed, the party at fault and what to do, in English.
    var failure: String?
    /// A warning about clocks or the answer, in English.
    var warning: String?
    var party: String?
    var advice: String?

    init(
        _ report: PollReport,
        state: TripState,
        schedule: PollSchedule,
        host: String,
        endpoint: Duration?,
        now: Moment
    ) {
        time = Timestamp.text(now.wall)
        started = Timestamp.text(report.started.wall)
        trip = report.trip.rawValue
        outcome = report.failure == nil ? "ok" : "error"
        httpStatus = report.httpStatus
        code = report.failure?.code
        message = report.failure?.detail.map(Cause.shown)
        cause = report.failure?.cause.map(Cause.init)
        latencyMs = (report.latency.seconds * 10_000).rounded() / 10
        bytes = report.bytes
        attempt = schedule.failures + (report.failure == nil ? 1 : 0)
        nextPollInMs = schedule.next.map { max(0, ($0 - now.steady).milliseconds) }
        let sentence: Sentence
        if let cause = report.failure {
            sentence = Sentence(cause, trip: report.trip, host: host)
            failure = sentence.what
        } else if report.serverDate != nil,
            let clock = Sentence(ClockVerdict(endpoint: endpoint, service: state.clockOffset))
        {
            sentence = clock
            warning = clock.what
        } else if let status = state.trip?.status, let missing = Sentence(missing: status) {
            sentence = missing
            warning = missing.what
        } else {
            return
        }
        party = sentence.party?.rawValue
        advice = sentence.advice
    }
}

private struct FindingLine: Encodable {
    var type = "finding"
    var time: String
    var trip: String
    var rule: String
    var severity: String
    /// Key-value pairs; each key includes the unit, such as `shiftSeconds`.
    var evidence: [String: EvidenceValue]

    init(_ finding: Finding, now: Moment) {
        time = Timestamp.text(now.wall)
        trip = finding.trip.rawValue
        rule = finding.rule.rawValue
        severity = finding.severity.rawValue
        evidence = Dictionary(finding.evidence.map { ($0.key, EvidenceValue(value: $0.value)) }) { _, last in last }
    }
}

extension Evidence {
    fileprivate var key: String {
        switch value {
        case .seconds: name + "Seconds"
        case .meters: name + "Meters"
        case .metersPerSecond: name + "MetersPerSecond"
        case .share, .count, .text, .time: name
        }
    }
}

private struct EvidenceValue: Encodable {
    let value: Evidence.Value

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .seconds(let number), .meters(let number), .metersPerSecond(let number):
            try container.encode((number * 10).rounded() / 10)
        case .share(let share): try container.encode((share * 1000).rounded() / 1000)
        case .count(let count): try container.encode(count)
        case .text(let text): try container.encode(text)
        case .time(let date): try container.encode(Timestamp.text(date))
        }
    }
}

private struct TokenLine: Encodable {
    var type = "token"
    var time: String
    var trip: String?
    var vehicle: String?
    var event: String
    /// Why a fetch started.
    var reason: String?
    /// The HTTP status with which the service refused a token.
    var status: Int?
    var state: String
    var issuedAt: String?
    var expiresAt: String?
    var refreshAt: String?
    var fetches: Int
    var error: String?
    /// The token endpoint's answer, if the event is a failure.
    var endpoint: Endpoint?
    /// The claims of the rejected token, if the event is about one.
    var rejected: Rejected?
    /// Warnings about the token, in English; the party at fault is given for the first one.
    var warnings: [String]?
    var party: String?
    var advice: String?

    init(_ event: TokenEvent, now: Moment) {
        time = Timestamp.text(now.wall)
        switch event.context {
        case .trip(let id): trip = id.rawValue
        case .vehicle(let id): vehicle = id.rawValue
        }
        self.event = event.kind.name
        if case .fetching(let why) = event.kind { reason = why.rawValue }
        if case .rejected(let code) = event.kind { status = code }
        state = event.status.state.rawValue
        issuedAt = event.status.issuedAt.map(Timestamp.text)
        expiresAt = event.status.expiresAt.map(Timestamp.text)
        refreshAt = event.status.refreshAt.map(Timestamp.text)
        fetches = event.status.fetches
        error = event.status.lastError?.code
        switch event.kind {
        case .failed(.unusable):
            endpoint = event.status.lastAnswer.map(Endpoint.init)
            rejected = event.status.lastRejected.map(Rejected.init)
        case .failed(.rejectedByService), .rejected: rejected = event.status.lastRejected.map(Rejected.init)
        case .failed: endpoint = event.status.lastAnswer.map(Endpoint.init)
        default: break
        }
        let odd = event.status.warnings.map { Sentence($0) }
        if !odd.isEmpty { warnings = odd.map(\.what) }
        // Which clock is wrong is only known after the service has revealed its time.
        guard error == nil, let first = odd.first(where: { $0.party != nil && $0.party != .endpointClock }) else {
            return
        }
        party = first.party?.rawValue
        advice = first.advice
    }
}

/// The answer of a token endpoint, without any token.
private struct Endpoint: Encodable {
    var status: Int
    var headers: [String: String]
    var body: String
    var bytes: Int

    init(_ answer: TokenSourceAnswer) {
        status = answer.status
        headers = Dictionary(answer.headers.map { ($0.name.lowercased(), Cause.shown($0.value)) }) { first, _ in first }
        body = Printable.clean(answer.body, limit: TokenSourceAnswer.longestBody)
        bytes = answer.bytes
    }
}

/// The claims of a rejected token, and the rules that it breaks.
private struct Rejected: Encodable {
    var fingerprint: String
    var tripId: String?
    var vehicleId: String?
    var rules: [String]

    init(_ token: RejectedToken) {
        fingerprint = token.fingerprint
        tripId = token.claims?.tripID.map(Cause.shown)
        vehicleId = token.claims?.vehicleID.map(Cause.shown)
        rules = token.findings.filter { $0.verdict == .broken }.map(\.rule.rawValue)
    }
}

private struct EndLine: Encodable {
    var type = "end"
    var time: String
    var trip: String
    var outcome: String
}
