import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// What is left to say after a ride: where it stands, the arrivals against what was promised, the polls and the tokens.
///
/// Only what was seen; what is not known is left out.
struct RideSummary {
    private let trip: FollowedTrip
    private let now: Moment
    private let zone: Zone
    private let localizer: Localizer

    /// Creates the summary of a trip at a time.
    init(_ trip: FollowedTrip, at now: Moment, _ zone: Zone, _ localizer: Localizer) {
        (self.trip, self.now, self.zone, self.localizer) = (trip, now, zone, localizer.about(trip.id.kind))
    }

    /// The sentences without full stops, at most five.
    var lines: [String] { [status] + arrivals + [polls, tokens].compactMap(\.self) }

    /// The status, and that it is not the last one.
    var status: String {
        let text = "\(trip.id.rawValue.sanitized(limit: 64)): \(StatusWords(trip.state, localizer: localizer).text)"
        guard trip.state.journey != nil, !trip.receipt.hasEnded else { return text }
        return localizer(.sentenceAndAdvice(sentence: text, advice: localizer(.leftOpen)))
    }

    /// The polls; `nil` before the first.
    private var polls: String? {
        let polls = trip.receipt.polls
        guard polls.total > 0 else { return nil }
        return localizer(.leftPolls(polls: String(polls.total), failed: String(polls.failureCount)))
    }

    // MARK: Arrivals

    /// The arrivals, one line each, with what was promised.
    private var arrivals: [String] {
        let known = Arrivals(of: trip.state)
        let claims = trip.claims(at: now)
        let ends = [known.next, known.final].compactMap(\.self).compactMap { line(about: $0, claims) }
        return trip.id.kind == .shipment ? ends.suffix(1) + [handOver].compactMap(\.self) : ends
    }

    private func line(about arrival: Arrivals.Arrival, _ claims: Claims) -> String? {
        let place = arrival.title(localizer)
        var parts: [String]
        if let arrived = arrival.arrived {
            let time = zone.clock(arrived)
            parts = [
                localizer(
                    arrival.isLatestArrival
                        ? .leftArrivedLatest(place: place, time: time) : .leftArrived(place: place, time: time)
                )
            ]
        } else if let expected = arrival.expected {
            parts = [localizer(.leftExpected(place: place, time: zone.clock(expected)))]
        } else {
            return nil
        }
        if let promised = arrival.promised {
            let delay = arrival.shownDelay.map { " (\(localizer.difference($0)))" } ?? ""
            parts.append(localizer(.leftPromised(time: zone.clock(promised))) + delay)
        }
        if arrival.arrived == nil, let news = news(of: arrival, claims) { parts.append(news) }
        if handOver == nil, let window { parts.append(localizer(.leftWindow(window: window))) }
        return joined(parts)
    }

    /// What the news says about an expected arrival; `nil` if it is still expected.
    private func news(of arrival: Arrivals.Arrival, _ claims: Claims) -> String? {
        for claim in claims.all where claim.arrival == nil || claim.arrival?.place == arrival.place {
            switch claim.kind {
            case .noReport(let silence, _): return localizer(.countdownNoReport(duration: localizer.watch(silence)))
            case .overdue(_, _, let late): return localizer(.countdownOverdue(duration: localizer.watch(late)))
            default: continue
            }
        }
        return nil
    }

    /// When a shipment was handed over, and whether within the promised window; `nil` before, and for a trip.
    private var handOver: String? {
        guard trip.state.journey?.status == .shipment(.succeeded), let done = trip.state.milestones.dropoff,
            let known = done.known
        else { return nil }
        let time = zone.clock(known)
        let text = localizer(done.isLatest ? .leftHandedOverLatest(time: time) : .leftHandedOver(time: time))
        guard let promised = trip.state.journey?.shipment?.targetTimeWindow, let window else { return text }
        // After an outage, it may have happened earlier.
        guard !done.isLatest else { return joined([text, localizer(.leftWindow(window: window))]) }
        let isWithin = known >= promised.start && known <= promised.end
        return joined([text, localizer(isWithin ? .leftWithin(window: window) : .leftOutside(window: window))])
    }

    /// The promised window of a shipment; `nil` without one.
    var window: String? {
        guard let window = trip.state.journey?.shipment?.targetTimeWindow else { return nil }
        return localizer(.timeWindowSpan(start: zone.clock(window.start), end: zone.clock(window.end)))
    }

    // MARK: Tokens

    /// The tokens; `nil` before the first request for one.
    private var tokens: String? {
        let (counts, history) = (trip.receipt.tokens, trip.tokenHistory)
        guard counts.received + counts.failures > 0 else { return nil }
        var parts = [localizer(.leftKeys(keys: String(counts.received)))]
        // Older fetches are not known one by one.
        if history.omitted == 0, history.entries.count == counts.received + counts.failures {
            let ahead = history.entries.count { $0.reason == .ahead && $0.number != nil }
            if ahead > 0 { parts.append(localizer(.leftRenewed(number: String(ahead)))) }
        }
        if counts.failures > 0 { parts.append(localizer(.leftFetchesFailed(number: String(counts.failures)))) }
        if counts.refused > 0 { parts.append(localizer(.leftRefused(number: String(counts.refused)))) }
        let polls = trip.history
        let without = polls.faults.values.reduce(0) { $0 + ($1.poll.failure.isMissingToken ? $1.count : 0) }
        if without > 0 {
            parts.append(localizer(.leftWithout(number: String(without))))
        } else if polls.polls > 0, polls.omitted == 0, polls.heldBack == 0, counts.received > 0 {
            parts.append(localizer(.leftNeverWithout))
        }
        return joined(parts)
    }

    private func joined(_ parts: [String]) -> String { parts.joined(separator: localizer(.listComma)) }
}
