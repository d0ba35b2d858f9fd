import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The expectations of the tester on the screen.
extension State {
    /// Shows new results and adds the decided ones to the log.
    mutating func handle(_ results: [ExpectationResult], changed: [Int]) {
        let wasAsking = expectations.results.contains(where: \.isAsking)
        expectations.results = results
        for index in changed where results.indices.contains(index) && results[index].outcome != .pending {
            let result = results[index]
            let role: Role = result.outcome == .failed ? .critical : .accent
            log.add(
                EventLog.Entry(
                    time: time.latest.wall,
                    journey: result.journey,
                    role: role,
                    text: settings.localizer.sentence(about: result)
                ),
                showing: trip?.id
            )
        }
        if !wasAsking, let asking = results.firstIndex(where: \.isAsking) { expectations.chosen = asking }
    }

    /// The question of the first manual step that waits for an answer; `nil` while the list is open.
    var expectationBanner: Banner? {
        guard overlay != .expectations, let step = expectations.results.first(where: \.isAsking),
            case .manual(let question, _) = step.expectation.kind
        else { return nil }
        let key = settings.keys.first { $0.command == .expectations }?.name ?? ""
        let name = key.isEmpty ? ":expectations" : key
        return Banner(
            text: settings.localizer(.stepQuestion(key: name, question: question.sanitized(limit: 200))),
            role: .badgeWarning
        )
    }

    /// Opens the list at the step that waits for an answer.
    mutating func showExpectations() {
        show(overlay: .expectations)
        if let asking = expectations.results.firstIndex(where: \.isAsking) { expectations.chosen = asking }
    }

    /// Selects another expectation.
    mutating func chooseExpectation(by steps: Int) {
        expectations.chosen = max(0, min(expectations.chosen + steps, expectations.results.count - 1))
    }

    /// Processes a key while the list is open; returns `nil` for keys that it does not use.
    mutating func typeInExpectations(_ key: Key) -> [Effect]? {
        if settings.keys.contains(where: { $0.command == .expectations && $0.keys.contains(key) }) {
            show(overlay: nil)
            return []
        }
        let rows = Self.rows(key, page: 5)
        if rows != 0 {
            chooseExpectation(by: rows)
            return []
        }
        let answers: [Key: ExpectationResult.Answer] = [
            .character("y"): .pass, .character("n"): .fail, .character("s"): .skip,
        ]
        guard let answer = answers[key], expectations.results.indices.contains(expectations.chosen) else { return nil }
        let result = expectations.results[expectations.chosen]
        guard case .manual = result.expectation.kind, result.reason == .unanswered || result.reason == .answered else {
            return []
        }
        open(.note(expectations.chosen, answer), result.note)
        return []
    }
}
