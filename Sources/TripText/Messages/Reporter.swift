package import Canvas
import Failures
package import FleetTokens
package import Foundation
package import Runtime
package import TripFeed
package import TripModel

/// A message about an event.
package struct News: Sendable, Equatable {
    /// When the event happened, by the local clock.
    package var time: Date
    /// The trip that it concerns.
    package var trip: JourneyID
    /// The style role.
    package var role: Role
    /// What happened: one sanitized line.
    package var text: String
    /// What to do next; `nil` if there is nothing to do.
    package var advice: String?
    /// Whether it reports a new poll interval; of several consecutive changes only the last is relevant.
    package var isInterval = false
}

/// Converts feed and token events to messages for the event log and the plain output.
///
/// A poll is reported only if its outcome differs from that of the previous one. A new estimate of an arrival is reported
/// if it differs from the last reported one by at least 45 s and at least 5 % of the remaining time.
package struct Reporter: Sendable {
    private struct Known: Sendable {
        var status: TripStatus?
        var vehicle: VehicleID?
        /// Whether anything of a shipment's vehicle is shown, and the stops up to that of the shipment.
        var isOnTour = false
        var isAtOwnStop = false
        var stopsLeft: Int?
        var arrivals: [Arrivals.Place: Date] = [:]
        var failure: String?
        /// The injected fault that explains ``failure``.
        var fault: InjectedFault?
        var failures = 0
        var schedule: PollSchedule?
        var staleness: PositionAge.Reason?
        /// Why there is no token.
        var missingToken: Failure?
        /// The injected fault that explains ``missingToken``.
        var tokenFault: InjectedFault?
        /// The expiry of the token that the source returned again.
        var repeatedUntil: Date?
        /// The codes of the last token's warnings.
        var tokenWarnings: Set<String> = []
    }

    private let host: String
    private let zone: Zone
    /// The language, the units and the number formats.
    package var localizer: Localizer
    /// Whether each message begins with the trip's ID.
    package var namesTrips: Bool
    /// Whether each trip is polled once, so that no message may promise a retry.
    package var pollsOnce = false
    private var known: [JourneyID: Known] = [:]
    /// The clock offset that was last reported, in seconds.
    private var reportedOffset = 0.0
    /// How far the token endpoint's clock is ahead of the local clock; `nil` if unknown.
    private var endpointOffset: Duration?
    /// The clock verdict that was last reported.
    private var reportedClock = ClockVerdict.agree

    /// The minimum shift of a reported estimate in seconds.
    package static let notableShift = 45.0
    /// The minimum shift of a reported estimate as a share of the remaining time, because distant estimates fluctuate.
    package static let notableShare = 0.05
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

    /// The number of trips whose reported values are stored.
    package var keptTrips: Int { known.count }

    // MARK: Trips

    package mutating func news(of event: FeedEvent, at now: Moment) -> [News] {
        let trip = event.trip
        var known = self.known[trip] ?? Known()
        // The state is removed at the end. A trip that is added again is reported as new.
        defer { self.known[trip] = event.isEnd ? nil : known }
        switch event {
        case .polling(_, let schedule):
            return scheduleNews(schedule, &known, trip, now.wall)
        case .scheduled(_, let schedule):
            return scheduleNews(schedule, &known, trip, now.wall)
        case .polled(let report, let state, let schedule):
            var news = outcomeNews(report, &known)
            if report.failure == nil {
                news += tripNews(state, &known, report.finished)
                if report.serverDate != nil { news += clockNews(state, report.finished) }
            }
            news += stalenessNews(state, schedule, &known, report.finished)
            return news + scheduleNews(schedule, &known, trip, report.finished.wall)
        case .driver: return []
        case .omitted(_, let omission):
            known.failures += omission.failureCount
            return omissionNews(omission, trip, now)
        case .found(_, let findings):
            return findings.filter { $0.severity > .info && !isAlreadyReported($0) }.map {
                let sentence = UserMessage($0, localizer: localizer)
                let role: Role = $0.severity == .error ? .critical : .warning
                let title = sentence.short.prefix(1).uppercased() + sentence.short.dropFirst()
                return item(now.wall, trip, role, "\(title): \(sentence.what)", remedy(of: sentence))
            }
        case .ended(_, let end):
            if end == .left { return [item(now.wall, trip, .accent, localizer(.followedNoMore))] }
            // A reached status has already been reported.
            guard case .failed(let failure) = end else { return [] }
            if known.failure == failure.nameInJSON {
                return [item(now.wall, trip, .critical, localizer(.givenUpForGood))]
            }
            let sentence = UserMessage(end, trip: trip, host: host, localizer: localizer)
            return [item(now.wall, trip, .critical, sentence.what, remedy(of: sentence))]
        }
    }

    private func remedy(of message: UserMessage) -> String? { (pollsOnce ? message.last : message).remedy }

    private func item(_ time: Date, _ trip: JourneyID, _ role: Role, _ text: String, _ advice: String? = nil) -> News {
        let name = namesTrips ? "\(Self.sanitized(trip.rawValue, limit: 64)): " : ""
        return News(time: time, trip: trip, role: role, text: Self.sanitized(name + text), advice: advice)
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

    /// Reports which clock is wrong, after the service has revealed its time.
    private mutating func clockNews(_ state: TripState, _ now: Moment) -> [News] {
        let verdict = ClockVerdict(endpoint: endpointOffset, state)
        defer { reportedClock = verdict }
        guard !verdict.isSimilar(reportedClock), let sentence = UserMessage(verdict, localizer: localizer) else {
            return []
        }
        reportedOffset = state.clockOffset.seconds
        return [item(now.wall, state.id, .warning, sentence.what, remedy(of: sentence))]
    }

    private func outcomeNews(_ report: PollReport, _ known: inout Known) -> [News] {
        guard let failure = report.failure else {
            defer {
                (known.failure, known.fault) = (nil, nil)
                known.failures = 0
            }
            guard let failure = known.failure else { return [] }
            if known.status == nil, failure == "NOT_FOUND" { return [] }
            let text = localizer(.answersAgain(count: known.failures))
            return [item(report.finished.wall, report.trip, .positive, text)]
        }
        known.failures += 1
        let fault = failure.injected
        // A failure of the service is news after the same one of an injected fault.
        guard known.failure != failure.nameInJSON || known.fault != fault else { return [] }
        (known.failure, known.fault) = (failure.nameInJSON, fault)
        // The token event has already reported this error.
        if failure.isMissingToken, known.missingToken?.path == failure.path { return [] }
        let sentence = UserMessage(failure, trip: report.trip, host: host, localizer: localizer)
        return [item(report.finished.wall, report.trip, .critical, sentence.what, remedy(of: sentence))]
    }

    /// Reports dropped failures, and dropped successes if they have a name: each token is reported.
    private func omissionNews(
        _ omission: EventOmission,
        _ trip: JourneyID,
        _ now: Moment,
        successes: String? = nil
    ) -> [News] {
        // A failure that was reported and goes on is no news.
        if omission.successes == 0, let current = known[trip]?.missingToken?.path,
            omission.failures.keys.allSatisfy({ $0 == current })
        {
            return []
        }
        var codes = omission.failures.sorted { $0.key < $1.key }.map { "\($0.key) ×\($0.value)" }
        if let successes, omission.successes > 0 { codes.insert("\(successes) ×\(omission.successes)", at: 0) }
        guard !codes.isEmpty else { return [] }
        let text = localizer(
            .omittedNews(number: String(omission.total), outcomes: codes.joined(separator: localizer(.listComma)))
        )
        return [item(now.wall, trip, .warning, text)]
    }

    private func tripNews(_ state: TripState, _ known: inout Known, _ now: Moment) -> [News] {
        guard let trip = state.journey else { return [] }
        var news: [News] = []
        let arrivals = Arrivals(of: state)
        let isNewTour =
            known.isOnTour != trip.isOnTour || known.stopsLeft != trip.shipment?.remainingStopCount
            || known.isAtOwnStop != trip.isAtOwnStop
        if known.status != trip.status || (trip.status == .new && known.vehicle != trip.vehicleID) || isNewTour {
            (known.status, known.isOnTour, known.isAtOwnStop) = (trip.status, trip.isOnTour, trip.isAtOwnStop)
            known.stopsLeft = trip.shipment?.remainingStopCount
            let words = StatusWords(state, localizer: localizer)
            let text = status(words, arrivals, at: now.wall)
            let missing = UserMessage(missing: trip.status, localizer: localizer)
            news.append(
                item(now.wall, state.id, missing == nil ? words.role : .warning, text, missing.flatMap(remedy(of:)))
            )
        } else {
            for arrival in arrivals.all {
                guard let time = arrival.expected, let before = known.arrivals[arrival.place] else { continue }
                let shift = time.timeIntervalSince(before)
                let left = before.timeIntervalSince(now.wall)
                guard abs(shift) >= max(Self.notableShift, left * Self.notableShare) else { continue }
                let (place, clock) = (arrival.title(localizer), zone.clock(time, now: now.wall))
                let difference = localizer.span(.seconds(abs(shift)))
                let text = localizer(
                    shift > 0
                        ? .arrivalLater(place: place, time: clock, difference: difference)
                        : .arrivalEarlier(place: place, time: clock, difference: difference)
                )
                news.append(item(now.wall, state.id, shift > 0 ? .warning : .text, text))
                known.arrivals[arrival.place] = time
            }
        }
        for arrival in arrivals.all where known.arrivals[arrival.place] == nil || !news.isEmpty {
            known.arrivals[arrival.place] = arrival.expected
        }
        if let before = known.vehicle, let vehicle = trip.vehicleID, before != vehicle {
            let name = Self.sanitized(vehicle.rawValue, limit: 64)
            news.append(item(now.wall, state.id, .warning, localizer(.anotherVehicle(vehicle: name))))
        }
        known.vehicle = trip.vehicleID
        return news
    }

    /// Returns the status of a trip or a shipment, and when its vehicle is expected; without a full stop.
    package func status(of state: TripState, at now: Date) -> String {
        status(StatusWords(state, localizer: localizer), Arrivals(of: state), at: now)
    }

    private func status(_ words: StatusWords, _ arrivals: Arrivals, at now: Date) -> String {
        guard let time = arrivals.next?.expected else { return words.text }
        return words.text + localizer(.expectedAt(time: zone.clock(time, now: now)))
    }

    private func stalenessNews(
        _ state: TripState,
        _ schedule: PollSchedule,
        _ known: inout Known,
        _ now: Moment
    ) -> [News] {
        let age = PositionAge(state: state, schedule: schedule, at: now)
        defer { known.staleness = age?.reason }
        guard age?.reason != known.staleness else { return [] }
        guard let age, let reason = age.reason, let words = age.explanation(localizer) else {
            return age == nil ? [] : [item(now.wall, state.id, .positive, localizer(.positionFreshAgain))]
        }
        // The failed polls have already been reported.
        guard reason != .pollingFails, reason != .paused else { return [] }
        let old = (reason == .deliveredLate ? age.measured : age.received ?? age.measured) ?? .zero
        let text = localizer(.positionIsOld(age: localizer.age(old), reason: words))
        return [item(now.wall, state.id, .warning, text)]
    }

    private func scheduleNews(
        _ schedule: PollSchedule,
        _ known: inout Known,
        _ trip: JourneyID,
        _ time: Date
    ) -> [News] {
        defer { known.schedule = schedule }
        var news: [News] = []
        if schedule.isPaused != (known.schedule?.isPaused ?? false) {
            news.append(item(time, trip, .accent, localizer(schedule.isPaused ? .pausedNews : .askingAgain)))
        }
        let interval = localizer.span(schedule.interval)
        if let asked = schedule.clampedFrom, asked != known.schedule?.clampedFrom {
            let from = localizer.span(asked)
            let text = localizer(
                asked < schedule.interval
                    ? .intervalRaised(from: from, to: interval) : .intervalLowered(from: from, to: interval)
            )
            news.append(item(time, trip, .warning, text))
        } else if let before = known.schedule, before.interval != schedule.interval {
            var change = item(time, trip, .accent, localizer(.askingEvery(interval: interval)))
            change.isInterval = true
            news.append(change)
        }
        return news
    }

    // MARK: Tokens

    package mutating func news(of event: TokenEvent) -> [News] {
        guard let trip = event.context.journey else { return [] }
        var known = self.known[trip] ?? Known()
        // Store no state for a trip that has ended, even if its token still causes events.
        let isOver = self.known[trip] == nil && event.kind != .fetching(.needed)
        defer { self.known[trip] = isOver ? nil : known }
        func tell(_ role: Role, _ text: String, _ advice: String? = nil) -> [News] {
            [item(event.at.wall, trip, role, text, advice)]
        }
        if case .stored = event.kind { endpointOffset = event.status.sourceClockOffset }
        switch event.kind {
        case .fetching(let reason):
            return reason == .requested ? tell(.text, localizer(.tokenRequested)) : []
        case .stored(let generation):
            let recovered = known.missingToken != nil
            known.missingToken = nil
            var text =
                generation > 1 ? localizer(.tokenRefreshed(number: String(generation))) : localizer(.tokenReceived)
            if let end = event.status.expiresAt {
                text += localizer(.goodUntil(time: zone.clock(end, now: event.at.wall)))
            }
            if recovered { text += localizer(.afterFailure) }
            // Clock differences have their own event, so they are not reported with each token.
            let isNew = { (warning: Failure) in !known.tokenWarnings.contains(warning.name) }
            let warnings = event.status.warnings.filter { !$0.isAboutClocks && isNew($0) }.map {
                UserMessage($0, localizer: localizer)
            }
            known.tokenWarnings = Set(event.status.warnings.map(\.name))
            return tell(.positive, text) + warnings.flatMap { tell(.warning, $0.what, remedy(of: $0)) }
        case .failed(let error):
            let fault = event.status.injected(into: error.failure)
            guard known.missingToken?.path != error.failure.path || known.tokenFault != fault else { return [] }
            (known.missingToken, known.tokenFault) = (error.failure, fault)
            let failure = error.failure.with(History(hasAnswer: known.status != nil))
            let sentence = UserMessage(noToken: failure, event.status, trip: trip, localizer: localizer)
            // The poll whose token was refused follows, with the verdict.
            if failure.rejection != nil { return tell(.critical, sentence.what) }
            return tell(.critical, sentence.what, remedy(of: sentence))
        case .rejected(let status):
            let fault = event.status.lastRejected?.injected
            return tell(.critical, localizer(.tokenRefused(status: status.label)) + localizer.remark(about: fault))
        case .repeated(let end):
            // Report a repeated token only once.
            guard known.repeatedUntil != end || known.missingToken != nil else { return [] }
            known.repeatedUntil = end
            known.missingToken = nil
            let source = Self.sanitized(event.status.source, limit: 40)
            return tell(
                .text,
                localizer(.tokenRepeated(source: source, time: zone.clock(end, now: event.at.wall)))
            )
        case .discardedLate: return tell(.secondary, localizer(.tokenTooLate))
        case .clockDisagreement(let offset):
            defer { reportedOffset = offset.seconds }
            guard abs(offset.seconds) > Self.clockTolerance else {
                return tell(.positive, localizer(.clocksAgree))
            }
            guard abs(offset.seconds - reportedOffset) > Self.clockTolerance else { return [] }
            let what = UserMessage(Failure.clockDiffers(offset), localizer: localizer).what
            return tell(.warning, what + localizer.remark(about: event.status.lastExchange?.explanation))
        case .omitted(let omission): return omissionNews(omission, trip, event.at, successes: "stored")
        case .evicted: return tell(.secondary, localizer(.tokenEvicted))
        case .closed: return []
        }
    }
}

extension FeedEvent {
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
