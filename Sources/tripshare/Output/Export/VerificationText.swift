import FleetWire
import Recording
import TripModel
import TripText

extension SessionVerification {
    /// Describes the result in lines.
    func text(_ say: Localizer) -> [String] {
        guard let first else {
            let counts = [polls, screens].map(String.init)
            let note = untracedScreens == 0 ? [] : [say(.verifyUntraced, String(untracedScreens))]
            return [say(.verifyEqual, counts[0], counts[1])] + note
        }
        let place = say(.verifyFirst, String(first.line), Timestamp.text(first.moment.wall))
        let (recorded, computed): (String, String)
        let what: String
        switch first.content {
        case .event(let difference):
            (recorded, computed) = (difference.recorded, difference.computed)
            what = say(difference.kind.key, excerpt(difference.trip.rawValue))
        case .screen(let row, let old, let new):
            (recorded, computed) = (old, new)
            what = say(.verifyScreen, String(row))
        }
        return [
            "\(place) \(what)", say(.verifyRecorded, excerpt(recorded)), say(.verifyNow, excerpt(computed)),
            say(.verifyCounts, "\(differentEvents)", "\(differentScreens)", "\(polls)", "\(screens)"),
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
