import Failures
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// An event for a command or a web service: what happened, and what is known about the trip.
struct NoticeLine: Encodable {
    var type = "notice"
    /// The stable ID: the same event has the same ID.
    var id: String
    /// The position among the notices of the session, from 1.
    var sequence: Int
    var time: String
    /// The kind of event, as on the command line.
    var event: String
    var trip: String
    /// A sentence in English.
    var text: String
    var status: String?
    var previousStatus: String?
    var vehicleId: String?
    /// The kind of the next own stop, as the service names it, such as `PICKUP_WAYPOINT_TYPE`.
    var stop: String?
    var eta: String?
    var lateSeconds: Int?
    /// The minutes of `arrival:MINUTES`, `pickup:MINUTES`, `dropoff:MINUTES` or `late:MINUTES`.
    var minutes: Double?
    /// The number of `stops:NUMBER`, and the number of other stops before the next own stop.
    var stops: Double?
    var stopsBefore: Int?
    var windowStart: String?
    var windowEnd: String?
    var previousWindowStart: String?
    var previousWindowEnd: String?
    /// The seconds of `failing:SECONDS`.
    var seconds: Double?
    /// When the first of the failed polls in a row ended.
    var failingSince: String?
    var receivedAgeMs: Int?
    var reason: String?
    var code: String?
    var rule: String?
    var severity: String?
    var changed: [String]?
    var outcome: String?
    var location: TripLine.Location?
    /// The injected fault that explains a failure.
    var injected: InjectedFaultLine?

    /// Describes a notice; `host` is the host of the service.
    init(_ notice: Notice, id: NoticeID, sequence: Int, host: String) {
        (self.id, self.sequence) = (id.text, sequence)
        time = Timestamp.text(notice.time.wall)
        event = notice.kind.rawValue
        trip = notice.journey.name
        text = ""
        if let state = notice.state, let known = state.journey {
            status = known.status.name
            vehicleId = known.vehicleID?.rawValue
            stop = state.nextOwnArrival?.kind.name
            eta = (state.nextOwnArrival?.arrival?.time).map(Timestamp.text)
            receivedAgeMs = state.receivedAge(at: notice.time)?.milliseconds
            location = TripLine.Location(known)
        }
        fill(notice, host)
    }

    private mutating func fill(_ notice: Notice, _ host: String) {
        let localizer = Localizer.english
        switch notice.content {
        case .status(_, let before):
            previousStatus = before.name
            text = notice.state.map { StatusWords($0, localizer: localizer).text } ?? ""
        case .arrival(let arrival, let minutes), .pickup(let arrival, let minutes), .dropoff(let arrival, let minutes):
            self.minutes = minutes
            text = "\(arrival.title(localizer)) within \(localizer.span(.seconds(minutes * 60)))"
        case .late(let arrival, let minutes):
            self.minutes = minutes
            lateSeconds = arrival.delay.map { Int($0.seconds.rounded()) }
            let delay = localizer.span(arrival.delay ?? .zero)
            text = "\(arrival.title(localizer)) expected \(delay) later than first promised"
        case .stops(let ahead, let most):
            (stops, stopsBefore) = (most, ahead.count)
            let own = ahead.arrival.title(localizer)
            let others = ahead.count == 1 ? "1 other stop" : "\(ahead.count) other stops"
            text = ahead.count == 0 ? "\(own): the next stop" : "\(own): \(others) before it"
        case .window(let window, let before):
            (windowStart, windowEnd) = (Timestamp.text(window.start), Timestamp.text(window.end))
            (previousWindowStart, previousWindowEnd) = (Timestamp.text(before.start), Timestamp.text(before.end))
            text = "The promised time window moved"
        case .stale(let age):
            reason = age.reason?.rawValue
            text = "The position is \(localizer.age(age.received ?? age.measured ?? .zero)) old"
        case .fresh: text = "The vehicle reports again"
        case .failure(let failure):
            (code, injected) = (failure.nameInJSON, InjectedFaultLine(failure.injected))
            text = UserMessage(failure, notice.token, journey: notice.journey, host: host, localizer: localizer).what
        case .failing(let failure, let outage, let seconds):
            (code, injected) = (failure.nameInJSON, InjectedFaultLine(failure.injected))
            (self.seconds, failingSince) = (seconds, Timestamp.text(outage.since.wall))
            let what = UserMessage(failure, notice.token, journey: notice.journey, host: host, localizer: localizer)
            text = "Polls have failed for \(localizer.span(outage.length)): \(what.what)"
        case .recovered: text = "Polls succeed again"
        case .finding(let finding), .found(let finding):
            (rule, severity) = (finding.rule.id, finding.severity.rawValue)
            text = UserMessage(finding, localizer: localizer).what
        case .plan(let fields):
            changed = fields.map(\.rawValue)
            text = "The plan of the trip changed"
        case .end(let end):
            text = UserMessage(end, notice.token, journey: notice.journey, host: host, localizer: localizer).what
            switch end {
            case .reached(let status): outcome = status.name
            case .failed(let failure):
                (outcome, code) = ("failed", failure.nameInJSON)
                injected = InjectedFaultLine(failure.injected)
            case .left: outcome = "left"
            }
        }
    }
}
