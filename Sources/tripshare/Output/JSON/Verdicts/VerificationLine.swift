import Recording
import Runtime
import TripModel

/// The result of `verify` as JSON.
struct VerificationLine: Encodable {
    /// The first difference.
    struct Difference: Encodable {
        /// `outcome`, `findings`, `end` or `screen`.
        let kind: String
        /// The line of the file, starting at 1.
        let line: Int
        let time: String
        private(set) var trip: String?
        /// The row of the screen, starting at 1.
        private(set) var row: Int?
        let recorded: String
        let now: String

        init(_ difference: SessionVerification.Difference) {
            (line, time) = (difference.line, Timestamp.text(difference.moment.wall))
            switch difference.content {
            case .event(let event):
                (kind, trip, recorded, now) = (event.kind.rawValue, event.journey.name, event.recorded, event.computed)
            case .screen(let row, let old, let new): (kind, self.row, recorded, now) = ("screen", row, old, new)
            }
        }
    }

    let type = "verification"
    let isEqual: Bool
    let polls: Int
    let screens: Int
    let untracedScreens: Int
    let differentEvents: Int
    let differentScreens: Int
    let first: Difference?

    init(_ result: SessionVerification) {
        (isEqual, polls, screens) = (result.isEqual, result.polls, result.screens)
        untracedScreens = result.untracedScreens
        (differentEvents, differentScreens) = (result.differentEvents, result.differentScreens)
        first = result.first.map(Difference.init)
    }
}
