import Canvas
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// What an entry of a log changes.
extension State {
    /// Adds the view of the sides, and begins with it.
    package mutating func offerSides() {
        settings.hasSides = true
        view = .sides
    }

    /// Adds the view of the sides to the replay of a log, which begins with the trip.
    package mutating func offerSidesOfReplay() { settings.hasSides = true }

    /// Shows what an entry of a log has changed.
    mutating func handle(_ step: LiveLog.Step) {
        let id = step.sides.id
        if followed.places[id] == nil { append(id) }
        guard let index = followed.places[id] else { return }
        trips[index].sides = step.sides
        // The user has to choose among several trips; a choice that was made remains.
        if trips.count == 2, settings.hasSides, !input.hasTyped, view == .sides { show(.trips) }
        let localizer = settings.localizer
        if step.isRefused, let refused = step.sides.errors[step.side], Self.isReported(refused.count) {
            let message = UserMessage(refused, side: step.side, journey: id, localizer: localizer)
            add(message.what, of: step, [refused.call], role: .critical, advice: message.remedy)
        }
        for difference in step.began where difference.isFault {
            add(localizer.sentence(of: difference), of: step, difference.evidence, role: .warning)
        }
    }

    /// Of many refused calls in a row, only the 1st, 10th, 100th and so on are events.
    private static func isReported(_ count: Int) -> Bool {
        var power = 1
        while power < count { power *= 10 }
        return power == count
    }

    private mutating func add(
        _ text: String,
        of step: LiveLog.Step,
        _ calls: [SideCall],
        role: Role,
        advice: String? = nil
    ) {
        var entry = EventLog.Entry(time: step.time, journey: step.sides.id, role: role, text: text, advice: advice)
        entry.origins = calls.map(Statement.Origin.logged)
        addToLog(entry)
    }
}
