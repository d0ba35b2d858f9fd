import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// A sentence of the screen that is a claim, in any language: its text with the values of a claim.
struct ShownSentence {
    /// The values of a claim as they are shown; ``any`` means all of them.
    struct Values {
        var duration = any
        var time = any
        var seen = any
        private static let any = "\u{1}"
    }

    typealias Words = @Sendable (Values, Waypoint.Kind, Localizer) -> String

    /// The kind of the claim.
    let kind: String
    /// The view that has it; `nil` if all may.
    var view: String?
    let words: Words

    /// The sentences about an arrival at a stop or about the news of it.
    static let all: [ShownSentence] = [
        ShownSentence(kind: "expected") { values, stop, localizer in
            "\(title(stop, localizer)) \(localizer(.countdownAhead(duration: values.duration)))"
        },
        ShownSentence(kind: "expected") { values, stop, localizer in
            "\(short(stop, localizer)) \(localizer(.countdownAhead(duration: values.duration)))"
        },
        ShownSentence(kind: "expected") { values, stop, localizer in
            let until: Text = stop == .pickup ? .untilPickup : stop == .dropoff ? .untilDropoff : .untilStop
            return localizer(until) + localizer(.clauseComma) + localizer(.atClock(time: values.time))
        },
        ShownSentence(kind: "overdue") { values, stop, localizer in
            localizer(.countdownOverdue(duration: values.duration))
        },
        ShownSentence(kind: "overdue") { values, stop, localizer in
            let (seen, duration, time) = (values.seen, values.duration, localizer(.atClock(time: values.time)))
            return switch stop {
            case .pickup: localizer(.latePickup(seen: seen, duration: duration, time: time))
            case .dropoff: localizer(.lateDropoff(seen: seen, duration: duration, time: time))
            default: localizer(.lateStop(seen: seen, duration: duration, time: time))
            }
        },
        ShownSentence(kind: "noReport") { values, stop, localizer in
            localizer(.countdownNoReport(duration: values.duration))
        },
        ShownSentence(kind: "noReport", view: "list") { _, _, localizer in localizer(.shortNoReport) },
        ShownSentence(kind: "noReport") { values, stop, localizer in
            let (duration, time) = (values.duration, localizer(.atClock(time: values.time)))
            return switch stop {
            case .pickup: localizer(.silentPickup(duration: duration, time: time))
            case .dropoff: localizer(.silentDropoff(duration: duration, time: time))
            default: localizer(.silentStop(duration: duration, time: time))
            }
        },
        ShownSentence(kind: "atStop") { values, stop, localizer in
            "\(title(stop, localizer)) \(localizer(.hereFor(duration: values.duration)))"
        },
        ShownSentence(kind: "reached", view: "presenter") { values, _, localizer in
            localizer(.arrivedAt(time: values.time))
        },
    ]

    /// What an event's line says besides.
    static let ofLines = [
        ShownSentence(kind: "expected") { values, _, localizer in localizer(.expectedAt(time: values.time)) }
    ]

    private static func title(_ stop: Waypoint.Kind, _ localizer: Localizer) -> String {
        localizer(stop == .pickup ? .pickup : stop == .dropoff ? .dropoff : .stop)
    }

    /// Returns the name of a stop in the list.
    static func short(_ stop: Waypoint.Kind, _ localizer: Localizer) -> String {
        localizer(stop == .pickup ? .shortPickup : stop == .dropoff ? .shortDropoff : .shortStop)
    }

    // MARK: Search

    /// A sentence that a text contains, as it is written there.
    struct Found: Hashable {
        let kind: String
        let text: String
    }

    /// Returns the sentences that a text about a trip or a shipment contains.
    static func found(
        _ sentences: [ShownSentence],
        in text: String,
        of kind: JourneyKind,
        _ localizer: Localizer
    ) -> Set<Found> {
        let stops: [Waypoint.Kind] = kind == .trip ? [.pickup, .intermediateDestination, .dropoff] : [.dropoff]
        var found: Set<Found> = []
        for sentence in sentences {
            let templates = Set(stops.map { sentence.words(Values(), $0, localizer) })
            for template in templates {
                let parts = template.split(separator: "\u{1}", omittingEmptySubsequences: false)
                guard parts.allSatisfy({ $0.isEmpty || text.contains($0) }) else { continue }
                let pattern = parts.map { NSRegularExpression.escapedPattern(for: String($0)) }
                    .joined(separator: "[0-9]+(?::[0-9]{2})+")
                var rest = text[...]
                while let range = rest.range(of: pattern, options: .regularExpression) {
                    found.insert(Found(kind: sentence.kind, text: String(rest[range])))
                    rest = rest[range.upperBound...]
                }
            }
        }
        return found
    }

    /// Returns what a claim says with this sentence; `nil` if it is about no stop.
    func text(of claim: Claim, _ zone: Zone, _ localizer: Localizer) -> String? {
        guard claim.kind.name == kind, let stop = claim.arrival?.kind else { return nil }
        return Self.values(of: claim, zone, localizer).map { words($0, stop, localizer) }
    }

    /// Returns whether a claim supports a sentence as it is written.
    func supports(_ found: Found, _ claim: Claim, _ zone: Zone, _ localizer: Localizer) -> Bool {
        guard let text = text(of: claim, zone, localizer) else { return false }
        // Parts without a value are those of which the claim says nothing.
        return text.contains("\u{1}")
            ? text.split(separator: "\u{1}").allSatisfy(found.text.contains) : text == found.text
    }

    private static func values(of claim: Claim, _ zone: Zone, _ localizer: Localizer) -> Values? {
        switch claim.kind {
        case .expected(_, let time, let left): Values(duration: localizer.watch(left), time: zone.clock(time))
        case .overdue(_, let expected, let late):
            Values(
                duration: localizer.watch(late),
                time: zone.clock(expected),
                seen: zone.clock(expected + late.seconds)
            )
        case .notShown(_, let expected): Values(time: zone.clock(expected))
        case .noReport(let silence, let missed):
            missed.map { Values(duration: localizer.watch(silence), time: zone.clock($0.expected)) }
        case .atStop: Values()
        case .reached(_, let time, _): Values(time: zone.clock(time))
        case .ended: nil
        }
    }
}

extension Claim.Kind {
    /// The name of the case.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
