import Foundation
package import Runtime
import TripModel

/// What may be said about the arrivals of a journey and about the news of it.
///
/// A pure function of what the last answer has left and of the time.
package struct Claims: Sendable, Equatable {
    /// The claims: about the end or the age of the news first, then about each stop in order.
    package let all: [Claim]

    /// The claim about the next arrival that is not known to have happened; `nil` without one.
    package var next: Claim? { all.first(where: \.isOfOpenArrival) }

    /// The claim that the vehicle has arrived at the end; `nil` before.
    package var final: Claim? {
        all.last { if case .reached = $0.kind { true } else { false } }
    }

    /// Returns the claim about a stop; `nil` without one.
    package subscript(_ place: Arrivals.Place) -> Claim? { all.first { $0.arrival?.place == place } }

    /// Creates the claims about a journey.
    ///
    /// - Parameters:
    ///   - state: The state after the last answer.
    ///   - answer: The event of that answer; `nil` if the events are not numbered.
    ///   - interval: The time between two polls; the news is old after three of them, at least after 30 s.
    ///   - now: The time.
    package init(of state: TripState, answer: EventNumber?, interval: Duration = .zero, at now: Moment) {
        guard let journey = state.journey, let answered = state.answerTime, let asOf = state.vehicleReportTime else {
            all = []
            return
        }
        let time = state.serviceTime(now)
        let evidence = [answer].compactMap(\.self)
        func claim(_ kind: Claim.Kind, asOf: Date, until: Date? = nil, _ strength: Claim.Strength = .reported) -> Claim
        {
            Claim(kind: kind, evidence: evidence, asOf: asOf, until: until, strength: strength)
        }
        let arrivals = Arrivals(of: state)
        if journey.status.isTerminal {
            let reached = arrivals.final.flatMap { final in
                final.done.map { claim(.reached(final, at: $0, delay: final.delay), asOf: answered) }
            }
            all = [claim(.ended(journey.status), asOf: answered)] + [reached].compactMap(\.self)
            return
        }
        let age = Duration.seconds(max(0, time.timeIntervalSince(asOf)))
        let oldest = PositionAge.limit(polling: interval)
        let isOld = age > oldest
        let stops = arrivals.all.compactMap { arrival -> Claim? in
            if let here = arrival.here { return claim(.atStop(arrival, since: here), asOf: answered) }
            guard arrival.done == nil, let expected = arrival.expected else { return nil }
            let left = Duration.seconds(expected.timeIntervalSince(time))
            if left.seconds > -Self.tolerance {
                let end = expected + Self.tolerance
                let strength: Claim.Strength = isOld ? .estimatedLongAgo : .estimated
                return claim(.expected(arrival, at: expected, left: left), asOf: answered, until: end, strength)
            }
            let late = asOf.timeIntervalSince(expected)
            guard late >= Self.tolerance, !isOld else {
                return claim(.noReport(for: age, missed: .init(arrival: arrival, expected: expected)), asOf: asOf)
            }
            let kind: Claim.Kind =
                journey.hidesArrival
                ? .notShown(arrival, expected: expected) : .overdue(arrival, expected: expected, by: .seconds(late))
            return claim(kind, asOf: asOf, until: asOf + oldest.seconds)
        }
        all = (isOld ? [claim(.noReport(for: age, missed: nil), asOf: asOf)] : []) + stops
    }

    /// An expected time has passed after this time in seconds.
    private static let tolerance = 1.0
}

extension JourneyFacts {
    /// Returns what may be said about the journey; nothing before the first answer.
    package func claims(at now: Moment) -> Claims? {
        answer.map {
            Claims(of: $0.value, answer: $0.stamp.number, interval: schedule?.value.interval ?? .zero, at: now)
        }
    }
}
