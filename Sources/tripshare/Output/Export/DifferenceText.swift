import Recording
import TripModel
import TripText

extension SessionDifference {
    /// Describes the difference in one line.
    func text(_ localizer: Localizer) -> String {
        let trip = excerpt(trip.rawValue) + (otherTrip.map { "/" + excerpt($0.rawValue) } ?? "")
        switch kind {
        case .missingTrip(let inA, _): return localizer(.compareOnlyTrip, trip, Self.side(isB: inA))
        case .status(let status, let a?, let b?):
            let (a, b) = Self.spans(a, b, localizer)
            return localizer(.compareStatus, trip, excerpt(status.name), a, b)
        case .status(let status, let a, let b):
            return localizer(
                .compareOnlyStatus,
                trip,
                excerpt(status.name),
                Self.side(isB: a == nil),
                Self.span(a ?? b ?? 0, localizer)
            )
        case .order(let a, let b):
            let orders = [a, b].map { $0.map { excerpt($0.name) }.joined(separator: localizer(.listComma)) }
            return localizer(.compareOrder, trip, orders[0], orders[1])
        case .arrival(let place, let time, let a, let b):
            let (a, b) = Self.spans(a, b, localizer)
            return localizer(.compareArrival, trip, localizer(place.key), Self.span(time, localizer), a, b)
        case .missingArrival(let place, let inA, _):
            return localizer(.compareOnlyArrival, trip, localizer(place.key), Self.side(isB: inA))
        case .polls(let a, let b): return localizer(.comparePolls, trip, String(a), String(b))
        case .errors(let code, let a, let b):
            return localizer(.compareErrors, trip, excerpt(code), String(a), String(b))
        case .findings(let rule, let a, let b): return localizer(.compareFindings, trip, rule, String(a), String(b))
        }
    }

    private static func side(isB: Bool) -> String { isB ? "B" : "A" }

    /// Returns two times since the start: to the second, or exactly if they would be the same text.
    private static func spans(_ a: Double, _ b: Double, _ localizer: Localizer) -> (String, String) {
        let spans = (span(a, localizer), span(b, localizer))
        guard spans.0 == spans.1 else { return spans }
        func exact(_ seconds: Double) -> String {
            localizer(.seconds, "\(seconds)".replacing(".", with: localizer(.decimalPoint)))
        }
        return (exact(a), exact(b))
    }

    /// Returns a time since the start; a prediction may be before it.
    private static func span(_ seconds: Double, _ localizer: Localizer) -> String {
        (seconds < 0 ? "-" : "") + localizer.span(.seconds(abs(seconds).rounded()))
    }
}

extension SessionDifference.Place {
    fileprivate var key: StringKey {
        switch self {
        case .pickup: .pickup
        case .dropoff: .dropoff
        }
    }
}
