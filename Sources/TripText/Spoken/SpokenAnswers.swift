import Canvas
import Failures
import FleetTokens
import Foundation
package import Runtime
package import TripFeed
import TripModel

/// The answers to typed questions about a journey: one to three sentences without full stops, from what may be said now.
package struct SpokenAnswers {
    /// The maximum number of sentences of an answer.
    package static let mostSentences = 3
    /// The maximum number of statuses that the story has.
    private static let mostStatuses = 8
    /// The speed in meters per second below which a vehicle counts as not moving.
    private static let walkingPace = 0.5

    private let facts: JourneyFacts
    private let street: String?
    private let host: String
    private let zone: Zone
    private let localizer: Localizer
    private let now: Moment

    /// Creates the answers about a journey.
    ///
    /// - Parameters:
    ///   - facts: What the events have shown of it.
    ///   - street: The name of the street at the position, untrusted; `nil` without one.
    ///   - host: The host of the service.
    ///   - zone: The zone of clock times.
    ///   - localizer: The language.
    ///   - now: The time.
    package init(
        _ facts: JourneyFacts,
        street: String? = nil,
        host: String,
        zone: Zone,
        localizer: Localizer,
        at now: Moment
    ) {
        (self.facts, self.street, self.host, self.zone, self.now) = (facts, street, host, zone, now)
        self.localizer = localizer.about(facts.journey.kind)
    }

    /// Returns the sentences of an answer; of ``SpokenQuestion/quit`` the last ones of the session.
    package func answer(_ question: SpokenQuestion) -> [String] {
        let sentences =
            switch question {
            case .position: position
            case .arrival: arrivals
            case .reason: reasons
            case .story: story
            case .key: key
            case .help: [localizer.askableWords]
            case .quit: [localizer(.askQuitting), status].compactMap(\.self)
            }
        return Array(sentences.prefix(Self.mostSentences))
    }

    private var state: TripState? { facts.answer?.value }
    private var journey: Journey? { state?.journey }
    private var claims: [Claim] { facts.claims(at: now)?.all ?? [] }

    private var status: String? {
        guard let state, state.journey != nil else { return nil }
        return StatusWords(state, localizer: localizer).text
    }

    /// Why nothing can be said about the vehicle; `nil` if there was an answer.
    private var unknown: [String]? {
        guard state?.journey == nil else { return nil }
        return [failure ?? localizer(.statusNothingKnown)]
    }

    private var failure: String? {
        facts.failure.map {
            let token = facts.token.status(explaining: $0.value)
            return UserMessage($0.value, token, journey: facts.journey, host: host, localizer: localizer).what
        }
    }

    // MARK: Where

    /// The words for the position; `nil` if none is shown.
    package var positionWords: String? {
        guard let state, let journey, !journey.status.isTerminal else { return nil }
        return localizer.position(of: state, street: street, at: now)
    }

    private var position: [String] {
        guard let state, let journey else { return unknown ?? [] }
        let words = StatusWords(state, localizer: localizer).text
        if journey.status.isTerminal { return [words] }
        let shown = positionWords
        let isOnlyPosition = shown != nil && journey.isOnTheWay
        return (isOnlyPosition ? [] : [words]) + [shown ?? localizer(.askNoPosition)]
    }

    // MARK: When

    private var arrivals: [String] {
        if let unknown { return unknown }
        let all = claims.map(sentence(about:))
        guard claims.contains(where: { $0.arrival != nil }) else {
            return all + (journey?.status.isTerminal == true ? [] : [localizer(.askNoArrival)])
        }
        return all
    }

    private func sentence(about claim: Claim) -> String {
        let place = claim.arrival?.title(localizer) ?? ""
        switch claim.kind {
        case .expected(let arrival, let time, let left):
            let words = localizer.countdown(left)
            let text = localizer(.askExpected(place: place, time: zone.clock(time, now: now.wall), countdown: words))
            return joined([text, promise(of: arrival)])
        case .overdue(_, let time, let late):
            let text = localizer(.askWasExpected(place: place, time: zone.clock(time, now: now.wall)))
            return joined([text, localizer(.askOverdue(duration: localizer.span(late)))])
        case .notShown(_, let time):
            let text = localizer(.askWasExpected(place: place, time: zone.clock(time, now: now.wall)))
            return joined([text, localizer(.askNotShown)])
        case .noReport(let silence, nil): return localizer(.askNoReport(duration: localizer.span(silence)))
        case .noReport(_, let missed?):
            return localizer(.askWasExpected(place: place, time: zone.clock(missed.expected, now: now.wall)))
        case .atStop(_, let since):
            let words = localizer(.since(time: zone.clock(since, now: now.wall)))
            return localizer(.askThere(place: place, since: words))
        case .reached(let arrival, let time, _):
            let words = localizer.happened(at: zone.clock(time, now: now.wall), isLatest: arrival.isLatestDone)
            return joined([localizer(.labelled(label: place, value: words)), promise(of: arrival)])
        case .ended(let status): return self.status ?? status.name
        }
    }

    /// Returns how the estimate or the arrival differs from the first estimate; `nil` if that is not known.
    private func promise(of arrival: Arrivals.Arrival) -> String? {
        arrival.shownDelay.map(difference)
    }

    private func difference(_ delay: Duration) -> String {
        let words = localizer.span(delay < .zero ? .zero - delay : delay)
        if delay == .zero { return localizer(.askAsPredicted) }
        return localizer(delay > .zero ? .askLater(difference: words) : .askEarlier(difference: words))
    }

    // MARK: Why

    private var reasons: [String] {
        guard let state, let journey else { return unknown ?? [] }
        if journey.status.isTerminal { return claims.map(sentence(about:)) }
        var known = [failure].compactMap(\.self)
        let age = PositionAge(state: state, schedule: facts.schedule?.value, at: now)
        if let age, let reason = age.explanation(localizer) {
            let old = age.received ?? age.measured ?? .zero
            known.append(localizer(.positionIsOld(age: localizer.age(old), reason: reason)))
        }
        if journey.hasJamOnRoute { known.append(localizer(.askJam)) }
        var seen: [String] = []
        let stands = known.isEmpty && state.speed.map { $0 < Self.walkingPace } == true
        if !journey.isOnTheWay {
            known.append(StatusWords(state, localizer: localizer).text)
        } else if age?.isOld != true, stands || journey.servesOthers {
            seen.append(localizer(.askStands))
            if journey.servesOthers { known.append(StatusWords(state, localizer: localizer).text) }
        }
        // Of two open arrivals, the end is what the rider waits for.
        let late = claims.last { $0.isOfOpenArrival && !$0.isOld }
        var isLate = false
        if let late, let arrival = late.arrival, let delay = arrival.shownDelay {
            seen.append(localizer(.labelled(label: arrival.title(localizer), value: difference(delay))))
            isLate = delay > .zero
        }
        if known.isEmpty, stands || isLate { seen.append(localizer(.askNoReason)) }
        let all = known + seen
        return all.isEmpty ? [localizer(.askUsual)] : all
    }

    // MARK: What happened

    private var story: [String] {
        guard let state, state.journey != nil else { return unknown ?? [] }
        let last = state.journey?.status
        let parts = state.statuses.suffix(Self.mostStatuses).compactMap { change -> String? in
            // The present one is said as precisely as elsewhere.
            guard let words = change.status == last ? status : change.status.words(localizer) else { return nil }
            let clock = zone.clock(change.seen, now: now.wall)
            let time = change.observation.mayBeEarlier ? localizer(.atTheLatest(time: clock)) : clock
            return localizer(.labelled(label: time, value: words))
        }
        let next = claims.first { $0.arrival != nil }.map(sentence(about:))
        return [parts.joined(separator: localizer(.clauseComma)), failure, next].compactMap(\.self).filter {
            !$0.isEmpty
        }
    }

    // MARK: Key

    private var key: [String] {
        guard let status = facts.token.status?.value else { return [localizer(.askNoKey)] }
        var all = [localizer(.askKeyFor)]
        if let missing = facts.token.missing?.value {
            let sentence = UserMessage(noToken: missing, status, journey: facts.journey, localizer: localizer)
            return all + [localizer(.askKeyMissing(reason: sentence.what))]
        }
        guard status.generation > 0 else { return [localizer(.askNoKey)] }
        let number = String(status.generation)
        if let end = status.expiresAt {
            let left = end.timeIntervalSince(now.wall + (status.clockOffset ?? .zero).seconds)
            let clock = zone.clock(end, now: now.wall)
            all.append(
                left > 0
                    ? localizer(
                        .askKeyUntil(number: number, time: clock, countdown: localizer.countdown(.seconds(left)))
                    ) : localizer(.askKeyEnded(number: number, time: clock))
            )
        } else {
            all.append(localizer(.askKeyOpen(number: number)))
        }
        let refused = facts.token.counts.refused
        if refused > 0 { all.append(localizer(.askKeyRefused(count: refused))) }
        return all
    }

    private func joined(_ parts: [String?]) -> String {
        parts.compactMap(\.self).joined(separator: localizer(.clauseComma))
    }
}

extension Journey {
    /// Whether the last answer shows a traffic jam on the route.
    fileprivate var hasJamOnRoute: Bool { traffic?.intervals.contains { $0.speed == .jam } ?? false }
}

extension JourneyStatus {
    /// The words for a status that a journey had; `nil` if it alone does not say what happened.
    fileprivate func words(_ localizer: Localizer) -> String? {
        switch self {
        case .trip(.new): localizer(.statusWaitingForDriver)
        case .trip(.enrouteToPickup): localizer(.statusToPickup)
        case .trip(.arrivedAtPickup): localizer(.statusAtPickup)
        case .trip(.enrouteToIntermediateDestination): localizer(.statusToStop)
        case .trip(.arrivedAtIntermediateDestination): localizer(.statusAtStop)
        case .trip(.enrouteToDropoff): localizer(.statusToDropoff)
        case .trip(.complete): localizer(.statusComplete)
        case .trip(.canceled): localizer(.statusCanceled)
        case .shipment(.open): nil
        case .shipment(.succeeded): localizer(.statusShipmentSucceeded)
        case .shipment(.failed): localizer(.statusShipmentFailed)
        case .shipment(.closed): localizer(.statusShipmentClosed)
        case .trip(.unrecognized(let name)), .shipment(.unrecognized(let name)):
            localizer(.statusUnrecognized(status: Printable.clean(name, limit: 40)))
        }
    }
}
