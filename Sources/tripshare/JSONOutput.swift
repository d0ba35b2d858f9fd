import FleetTokens
import FleetWire
import Foundation
import TripFeed
import TripModel

/// Events as newline-delimited JSON: one object a line, times in RFC 3339 UTC, a key absent when its value is unknown, never a token.
///
/// The `time` of every line is when it was written, and `started` when a poll began, by the program's clock; other times
/// are the service's.
enum JSONOutput {
    /// The lines of news of a trip.
    static func lines(_ event: FeedEvent, at now: Moment) -> [String] {
        switch event {
        case .polling, .scheduled, .ended: return []
        case .found(_, let findings): return findings.map { line(FindingLine($0, now: now)) }
        case .polled(let report, let state, let schedule):
            var lines = [line(PollLine(report, schedule: schedule, now: now))]
            if case .success = report.outcome, let trip = state.trip {
                lines.append(line(TripLine(trip, state: state, now: now)))
            }
            return lines
        }
    }

    /// The line of news of a token.
    static func line(_ event: TokenEvent, at now: Moment) -> String {
        line(TokenLine(event, now: now))
    }

    /// The last line of a trip.
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

private struct PollLine: Encodable {
    var type = "poll"
    var time: String
    var started: String
    var trip: String
    var outcome: String
    var httpStatus: Int?
    var code: String?
    var latencyMs: Double
    var bytes: Int?
    var attempt: Int
    var nextPollInMs: Int?

    init(_ report: PollReport, schedule: PollSchedule, now: Moment) {
        time = Timestamp.text(now.wall)
        started = Timestamp.text(report.started.wall)
        trip = report.trip.rawValue
        outcome = report.failure == nil ? "ok" : "error"
        httpStatus = report.httpStatus
        code = report.failure?.code
        latencyMs = (report.latency.seconds * 10_000).rounded() / 10
        bytes = report.bytes
        attempt = schedule.failures + (report.failure == nil ? 1 : 0)
        nextPollInMs = schedule.next.map { max(0, ($0 - now.steady).milliseconds) }
    }
}

private struct FindingLine: Encodable {
    var type = "finding"
    var time: String
    var trip: String
    var rule: String
    var severity: String
    /// The unit is part of each key, such as `shiftSeconds`.
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
    var state: String
    var issuedAt: String?
    var expiresAt: String?
    var refreshAt: String?
    var fetches: Int
    var error: String?

    init(_ event: TokenEvent, now: Moment) {
        time = Timestamp.text(now.wall)
        switch event.context {
        case .trip(let id): trip = id.rawValue
        case .vehicle(let id): vehicle = id.rawValue
        }
        state = event.status.state.rawValue
        issuedAt = event.status.issuedAt.map(Timestamp.text)
        expiresAt = event.status.expiresAt.map(Timestamp.text)
        refreshAt = event.status.refreshAt.map(Timestamp.text)
        fetches = event.status.fetches
        error = event.status.lastError?.code
    }
}

private struct EndLine: Encodable {
    var type = "end"
    var time: String
    var trip: String
    var outcome: String
}
