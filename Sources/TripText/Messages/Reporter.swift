package import Canvas
import Failures
import FleetTokens
package import Foundation
import Runtime
package import TripFeed
package import TripModel

/// A message about an event.
package struct EventMessage: Sendable, Equatable {
    /// When the event happened, by the local clock.
    package var time: Date
    /// The journey that it concerns.
    package var journey: JourneyID
    /// The style role.
    package var role: Role
    /// What happened: one sanitized line.
    package var text: String
    /// What to do next; `nil` if there is nothing to do.
    package var advice: String?
    /// Whether it reports a new poll interval; of several consecutive changes only the last is relevant.
    package var isInterval = false
}

/// Converts the changes of journeys to messages for the event log and the plain output.
package struct Reporter: Sendable {
    private let host: String
    let zone: Zone
    /// The language, the units and the number formats.
    package var localizer: Localizer
    /// Whether each message begins with the trip's ID.
    package var namesTrips: Bool
    /// Whether each trip is polled once, so that no message may promise a retry.
    package var pollsOnce = false
    /// The clock offset that was last reported, in seconds.
    var reportedOffset = 0.0

    /// The maximum difference in seconds between clocks that agree.
    package static let clockTolerance = 5.0

    package init(host: String, zone: Zone, localizer: Localizer, namesTrips: Bool) {
        self.host = host
        self.zone = zone
        self.localizer = localizer
        self.namesTrips = namesTrips
    }

    /// Returns external text, sanitized and truncated, with possible tokens removed.
    package static func sanitized(_ text: String, limit: Int = 300) -> String {
        text.sanitized(limit: limit)
    }

    // MARK: Trips

    /// Returns the messages about what an event has changed; `table` has the facts after it.
    package mutating func messages(of changes: [JourneyChange], _ table: JourneyTable) -> [EventMessage] {
        changes.flatMap { messages(of: $0, table[$0.journey]) }
    }

    mutating func messages(of change: JourneyChange, _ facts: JourneyFacts?) -> [EventMessage] {
        let (trip, now) = (change.journey, change.at.wall)
        switch change.kind {
        case .failure(let failure, _): return failureMessages(failure, trip, facts, now)
        case .recovery(let failure, let count, let hadAnswer):
            if !hadAnswer, failure.nameInJSON == "NOT_FOUND" { return [] }
            return [item(now, trip, .positive, localizer(.answersAgain(count: count)))]
        case .status, .tour: return facts?.answer.map { statusMessages($0.value, change.at) } ?? []
        case .estimate(let arrival, let before): return estimateMessages(arrival, before, trip, now)
        case .vehicle(let vehicle, _):
            let name = Self.sanitized(vehicle.rawValue, limit: 64)
            return [item(now, trip, .warning, localizer(.anotherVehicle(vehicle: name)))]
        case .clocks(let verdict):
            guard let sentence = UserMessage(verdict, localizer: localizer) else { return [] }
            reportedOffset = facts?.answer?.value.clockOffset.seconds ?? 0
            return [item(now, trip, .warning, sentence.what, remedy(of: sentence))]
        case .positionAge(let age, _): return age.map { ageMessages($0, trip, now) } ?? []
        case .reportsAgain: return [item(now, trip, .positive, localizer(.vehicleReportsAgain))]
        case .schedule(let schedule, let before): return scheduleMessages(schedule, before, trip, now)
        case .findings(let findings): return findingMessages(findings, trip, now)
        case .omission(let omission): return omissionMessages(omission, trip, facts, now)
        case .token(let event, let before): return tokenEventMessages(event, before, trip, facts)
        case .ended(let end): return endMessages(end, trip, facts, now)
        case .began, .polled, .answered, .plan, .approach: return []
        }
    }

    private func findingMessages(_ findings: [Finding], _ journey: JourneyID, _ now: Date) -> [EventMessage] {
        findings.filter { $0.severity > .info && !isAlreadyReported($0) }.map {
            let sentence = UserMessage($0, localizer: localizer)
            let role: Role = $0.severity == .error ? .critical : .warning
            let title = sentence.short.prefix(1).uppercased() + sentence.short.dropFirst()
            return item(now, journey, role, "\(title): \(sentence.what)", remedy(of: sentence))
        }
    }

    private func endMessages(
        _ end: FeedEnd,
        _ journey: JourneyID,
        _ facts: JourneyFacts?,
        _ now: Date
    ) -> [EventMessage] {
        if end == .left { return [item(now, journey, .accent, localizer(.followedNoMore))] }
        // A reached status has already been reported.
        guard case .failed(let failure) = end else { return [] }
        if facts?.failure?.value.nameInJSON == failure.nameInJSON {
            return [item(now, journey, .critical, localizer(.givenUpForGood))]
        }
        let token = facts?.token.status(explaining: failure)
        let sentence = UserMessage(end, token, journey: journey, host: host, localizer: localizer)
        return [item(now, journey, .critical, sentence.what, remedy(of: sentence))]
    }

    func remedy(of message: UserMessage) -> String? { (pollsOnce ? message.last : message).remedy }

    func item(_ time: Date, _ journey: JourneyID, _ role: Role, _ text: String, _ advice: String? = nil) -> EventMessage
    {
        let name = namesTrips ? "\(Self.sanitized(journey.rawValue, limit: 64)): " : ""
        return EventMessage(time: time, journey: journey, role: role, text: Self.sanitized(name + text), advice: advice)
    }

    /// Returns whether another message reports the finding.
    private func isAlreadyReported(_ finding: Finding) -> Bool {
        guard finding.rule.isLogged else { return true }
        // The verdict about the clocks follows with the answer. It concerns all trips.
        guard finding.rule == "clocksDiffer",
            case .seconds(let offset)? = finding.evidence.first(where: { $0.name == "offset" })?.value
        else { return false }
        return abs(offset) > Self.clockTolerance
    }

    private func failureMessages(
        _ failure: Failure,
        _ journey: JourneyID,
        _ facts: JourneyFacts?,
        _ now: Date
    ) -> [EventMessage] {
        // The token event has already reported this error.
        if failure.isMissingToken, facts?.token.missing?.value.path == failure.path { return [] }
        let token = facts?.token.status(explaining: failure)
        let sentence = UserMessage(failure, token, journey: journey, host: host, localizer: localizer)
        return [item(now, journey, .critical, sentence.what, remedy(of: sentence))]
    }

    /// Reports dropped failures, and dropped successes if they have a name: each token is reported.
    func omissionMessages(
        _ omission: EventOmission,
        _ journey: JourneyID,
        _ facts: JourneyFacts?,
        _ now: Date,
        successes: String? = nil
    ) -> [EventMessage] {
        // A reported failure that continues is not reported again.
        if omission.successes == 0, let current = facts?.token.missing?.value.path,
            omission.failures.keys.allSatisfy({ $0 == current })
        {
            return []
        }
        var codes = omission.failures.sorted { $0.key < $1.key }.map { "\($0.key) ×\($0.value)" }
        if let successes, omission.successes > 0 { codes.insert("\(successes) ×\(omission.successes)", at: 0) }
        guard !codes.isEmpty else { return [] }
        let text = localizer(
            .omittedOutcomes(number: String(omission.total), outcomes: codes.joined(separator: localizer(.listComma)))
        )
        return [item(now, journey, .warning, text)]
    }

    private func statusMessages(_ state: TripState, _ now: Moment) -> [EventMessage] {
        guard let trip = state.journey else { return [] }
        let missing = UserMessage(missing: trip.status, localizer: localizer)
        let role = missing == nil ? StatusWords(state, localizer: localizer).role : .warning
        return [item(now.wall, state.id, role, status(of: state, at: now), missing.flatMap(remedy(of:)))]
    }

    private func estimateMessages(
        _ arrival: Arrivals.Arrival,
        _ before: Date,
        _ journey: JourneyID,
        _ now: Date
    ) -> [EventMessage] {
        guard let time = arrival.expected else { return [] }
        let shift = time.timeIntervalSince(before)
        let (place, clock) = (arrival.title(localizer), zone.clock(time, now: now))
        let difference = localizer.span(.seconds(abs(shift)))
        let text = localizer(
            shift > 0
                ? .arrivalLater(place: place, time: clock, difference: difference)
                : .arrivalEarlier(place: place, time: clock, difference: difference)
        )
        return [item(now, journey, shift > 0 ? .warning : .text, text)]
    }

    /// Returns the status of a trip or a shipment, and when its vehicle is expected, unless that time has passed; without a full
    /// stop.
    func status(of state: TripState, at now: Moment) -> String {
        let words = StatusWords(state, localizer: localizer).text
        guard let next = Arrivals(of: state).next?.place,
            case .expected(_, let time, _)? = Claims(of: state, answer: nil, at: now)[next]?.kind
        else { return words }
        return words + localizer(.expectedAt(time: zone.clock(time, now: now.wall)))
    }

    // MARK: Tokens
}
