import Recording
import Runtime
import TripModel
import TripText

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
