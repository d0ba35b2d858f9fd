import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The notes and marks of the tester on the screen.
extension State {
    /// Opens the input of a note about what is on the screen now.
    mutating func openNote() {
        let draft = SessionRemark(
            .mark,
            at: time.latest.wall,
            journey: trip?.id,
            status: trip?.state.journey?.status,
            screen: TripScreen.view(self).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        )
        open(.remark(draft))
    }

    /// Stores the written note, or a mark if the text is empty.
    mutating func store(_ text: String, in draft: SessionRemark) -> [Effect] {
        let remark = SessionRemark(
            input: text.trimmingBlanks.sanitized(limit: 500),
            at: draft.time,
            journey: draft.journey,
            status: draft.status,
            screen: draft.screen
        )
        addToLog(remark)
        message = settings.localizer.sentence(about: remark, faultName: faultName)
        return [.remark(remark)]
    }

    /// Shows a remark of the recording that is played.
    mutating func handle(_ remark: SessionRemark) {
        switch remark.content {
        case .caption(let text, let conditions): show(caption: text, while: conditions)
        case .fault(let id, let isActive):
            switchFaults(to: activeFaults.filter { $0 != id } + (isActive ? [id] : []))
        case .note, .mark: addToLog(remark)
        }
    }

    /// Shows a caption of the scenario; its conditions are its evidence.
    mutating func show(caption text: String, while conditions: String) {
        ride.caption = text.sanitized(limit: 300)
        ride.captionSince = now
        ride.captionConditions = conditions.sanitized(limit: 300)
    }

    /// Adds a remark to the event log.
    mutating func addToLog(_ remark: SessionRemark) {
        let text = settings.localizer.sentence(about: remark, faultName: faultName)
        addToLog(
            EventLog.Entry(time: remark.time, journey: remark.journey, role: .accent, text: text.sanitized(limit: 500))
        )
    }
}
