import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The expectations of the tester on the screen.
extension State {
    /// Shows new results and adds the decided ones to the log.
    mutating func handle(_ results: [ExpectationResult], changed: [Int]) {
        let wasAsking = expectations.contains(where: \.isAsking)
        expectations = results
        for index in changed where results.indices.contains(index) && results[index].outcome != .pending {
            let result = results[index]
            let role: Role = result.outcome == .failed ? .critical : .accent
            addToLog(
                EventLog.Entry(
                    time: time.latest.wall,
                    journey: result.journey,
                    role: role,
                    text: settings.localizer.sentence(about: result)
                )
            )
        }
        if !wasAsking { panels.expectations.chooseAsking(among: results) }
    }

    /// The question of the first manual step that waits for an answer; `nil` while the list is open.
    var expectationBanner: Banner? {
        guard overlay != .expectations, let step = expectations.first(where: \.isAsking),
            case .manual(let question, _) = step.expectation.kind
        else { return nil }
        return Banner(
            text: settings.localizer(
                .stepQuestion(key: keyName(.expectations), question: question.sanitized(limit: 200))
            ),
            role: .badgeWarning
        )
    }
}
