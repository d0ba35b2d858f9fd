import FleetWire
import Recording
import TripModel
import TripText

extension SessionVerification {
    /// Describes the result in lines.
    func text(_ localizer: Localizer) -> [String] {
        guard let first else {
            let counts = [polls, screens].map(String.init)
            let note = untracedScreens == 0 ? [] : [localizer(.verifyUntraced, String(untracedScreens))]
            return [localizer(.verifyEqual, counts[0], counts[1])] + note
        }
        let place = localizer(.verifyFirst, String(first.line), Timestamp.text(first.moment.wall))
        let (recorded, computed): (String, String)
        let what: String
        switch first.content {
        case .event(let difference):
            (recorded, computed) = (difference.recorded, difference.computed)
            what = localizer(difference.kind.key, excerpt(difference.trip.rawValue))
        case .screen(let row, let old, let new):
            (recorded, computed) = (old, new)
            what = localizer(.verifyScreen, String(row))
        }
        return [
            "\(place) \(what)", localizer(.verifyRecorded, excerpt(recorded)), localizer(.verifyNow, excerpt(computed)),
            localizer(.verifyCounts, "\(differentEvents)", "\(differentScreens)", "\(polls)", "\(screens)"),
        ]
    }
}

extension OutcomeCheck.Difference.Kind {
    fileprivate var key: CommandKey {
        switch self {
        case .outcome: .verifyOutcome
        case .findings: .verifyFindings
        case .end: .verifyEnd
        }
    }
}
