import Recording
import Runtime
import TripModel
import TripText

extension SessionDifference {
    /// Describes the difference in one line.
    func text(_ localizer: Localizer) -> String {
        let trip = excerpt(journey.rawValue) + (otherTrip.map { "/" + excerpt($0.rawValue) } ?? "")
        switch kind {
        case .missingTrip(let inA, _): return localizer(.compareOnlyTrip(trip: trip, side: Self.side(isB: inA)))
        case .status(let status, let a?, let b?):
            let (a, b) = Self.spans(a, b, localizer)
            return localizer(.compareStatus(trip: trip, status: excerpt(status.name), a: a, b: b))
        case .status(let status, let a, let b):
            return localizer(
                .compareOnlyStatus(
                    trip: trip,
                    status: excerpt(status.name),
                    side: Self.side(isB: a == nil),
                    time: Self.span(a ?? b ?? 0, localizer)
                )
            )
        case .order(let a, let b):
            let orders = [a, b].map { $0.map { excerpt($0.name) }.joined(separator: localizer(.listComma)) }
            return localizer(.compareOrder(trip: trip, a: orders[0], b: orders[1]))
        case .arrival(let place, let time, let a, let b):
            let (a, b) = Self.spans(a, b, localizer)
            return localizer(
                .compareArrival(trip: trip, place: place.name(localizer), time: Self.span(time, localizer), a: a, b: b)
            )
        case .missingArrival(let place, let inA, _):
            return localizer(
                .compareOnlyArrival(trip: trip, place: place.name(localizer), side: Self.side(isB: inA))
            )
        case .values(let field, let a, let b):
            let values = [a, b].map { list in
                list.isEmpty ? "–" : list.map { Self.value($0, of: field, localizer) }.joined(separator: " > ")
            }
            return localizer(
                .compareValues(trip: trip, field: field.rawValue, a: values[0], b: values[1])
            )
        case .distance(let field, let time, let meters):
            return localizer(
                .compareDistance(
                    trip: trip,
                    field: field.rawValue,
                    distance: localizer.distance(Distance(meters: meters)),
                    time: Self.span(time, localizer)
                )
            )
        case .measure(let measure, let time, let a, let b):
            return localizer(
                .compareMeasure(
                    trip: trip,
                    field: measure.name,
                    a: Self.value(a, of: measure, localizer),
                    b: Self.value(b, of: measure, localizer),
                    time: Self.span(time, localizer)
                )
            )
        case .missingMeasure(let measure, let inA, _):
            return localizer(
                .compareOnlyValue(trip: trip, field: measure.name, side: Self.side(isB: inA))
            )
        case .polls(let a, let b): return localizer(.comparePolls(trip: trip, a: String(a), b: String(b)))
        case .errors(let code, let a, let b):
            return localizer(.compareErrors(trip: trip, code: excerpt(code), a: String(a), b: String(b)))
        case .findings(let rule, let a, let b):
            return localizer(.compareFindings(trip: trip, rule: rule, a: String(a), b: String(b)))
        }
    }

    private static func side(isB: Bool) -> String { isB ? "B" : "A" }

    /// Returns two times since the start: to the second, or exactly if they would be the same text.
    private static func spans(_ a: Double, _ b: Double, _ localizer: Localizer) -> (String, String) {
        let spans = (span(a, localizer), span(b, localizer))
        guard spans.0 == spans.1 else { return spans }
        func exact(_ seconds: Double) -> String {
            localizer(
                .seconds(seconds: "\((seconds * 1000).rounded() / 1000)".replacing(".", with: localizer(.decimalPoint)))
            )
        }
        return (exact(a), exact(b))
    }

    /// Returns a value of a field as the screen shows it.
    private static func value(_ text: String, of field: TripField, _ localizer: Localizer) -> String {
        let meters = field == .remainingDistanceMeters || field == .remainingWaypoints ? Double(text) : nil
        return meters.map { localizer.meters($0) } ?? excerpt(text)
    }

    private static func value(_ number: Double, of measure: Measure, _ localizer: Localizer) -> String {
        switch measure {
        case .speed: localizer.speed(number)
        case .heading: localizer.heading(Int(clamped: number))
        }
    }

    /// Returns a time since the start; a prediction may be before it.
    private static func span(_ seconds: Double, _ localizer: Localizer) -> String {
        (seconds < 0 ? "-" : "") + localizer.span(.seconds(abs(seconds).rounded()))
    }
}

extension SessionDifference.Place {
    fileprivate func name(_ localizer: Localizer) -> String {
        switch self {
        case .pickup: localizer(.pickup)
        case .dropoff: localizer(.dropoff)
        case .nextStop: localizer(.arrival)
        case .stop: field.rawValue
        case .windowStart, .windowEnd: localizer(.timeWindow)
        }
    }
}

extension SessionVerification {
    /// Describes the result in lines.
    func text(_ localizer: Localizer) -> [String] {
        guard let first else {
            let counts = [polls, screens].map(String.init)
            let note = untracedScreens == 0 ? [] : [localizer(.verifyUntraced(screens: String(untracedScreens)))]
            return [localizer(.verifyEqual(polls: counts[0], screens: counts[1]))] + note
        }
        let place = localizer(.verifyFirst(line: String(first.line), time: Timestamp.text(first.moment.wall)))
        let (recorded, computed): (String, String)
        let what: String
        switch first.content {
        case .event(let difference):
            (recorded, computed) = (difference.recorded, difference.computed)
            what = localizer(difference.kind.text(of: excerpt(difference.journey.rawValue)))
        case .screen(let row, let old, let new):
            (recorded, computed) = (old, new)
            what = localizer(.verifyScreen(row: String(row)))
        }
        return [
            "\(place) \(what)", localizer(.verifyRecorded(text: excerpt(recorded))),
            localizer(.verifyNow(text: excerpt(computed))),
            localizer(
                .verifyCounts(
                    events: "\(differentEvents)",
                    screens: "\(differentScreens)",
                    polls: "\(polls)",
                    compared: "\(screens)"
                )
            ),
        ]
    }
}

extension OutcomeCheck.Difference.Kind {
    fileprivate func text(of trip: String) -> Text {
        switch self {
        case .outcome: .verifyOutcome(trip: trip)
        case .findings: .verifyFindings(trip: trip)
        case .end: .verifyEnd(trip: trip)
        }
    }
}
