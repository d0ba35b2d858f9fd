import Canvas
import TripFeed
import TripModel
import TripText

/// The check list of the expectations, over the screen.
package struct ExpectationsPanel: Panel, OverlayPanel {
    /// The selected expectation, an index of the results.
    package private(set) var chosen = 0

    func draw(_ state: State, on canvas: inout Canvas) { ExpectationList(of: state, chosen: chosen).draw(on: &canvas) }

    mutating func type(_ key: Key, in state: State) -> [PanelRequest]? {
        if state.settings.keys.contains(where: { $0.command == .expectations && $0.keys.contains(key) }) {
            return [.overlay(nil)]
        }
        let rows = key.rows(page: 5)
        if rows != 0 {
            choose(by: rows, in: state)
            return []
        }
        let answers: [Key: ExpectationResult.Answer] = [
            .character("y"): .pass, .character("n"): .fail, .character("s"): .skip,
        ]
        guard let answer = answers[key], state.expectations.indices.contains(chosen) else { return nil }
        let result = state.expectations[chosen]
        guard case .manual = result.expectation.kind, result.reason == .unanswered || result.reason == .answered else {
            return []
        }
        return [.prompt(.note(chosen, answer), result.note)]
    }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        choose(by: pointer.rows.signum(), in: state)
        return []
    }

    private mutating func choose(by steps: Int, in state: State) {
        chosen = max(0, min(chosen + steps, state.expectations.count - 1))
    }

    /// Chooses the first step that waits for an answer, if there is one.
    mutating func chooseAsking(among results: [ExpectationResult]) {
        if let asking = results.firstIndex(where: \.isAsking) { chosen = asking }
    }
}

extension ExpectationsPanel {
    static let keys = [
        // It opens at the step that waits for an answer.
        key(.expectations, "E", .keyExpectations, .helpExpectations) { panel, pressed in
            panel.chooseAsking(among: pressed.state.expectations)
            return [.overlay(.expectations)]
        }
        .inSessions(.present) { !$0.expectations.isEmpty }
    ]
}

extension Panels {
    package internal(set) var expectations: ExpectationsPanel {
        get { self[ExpectationsPanel.self] }
        set { self[ExpectationsPanel.self] = newValue }
    }
}

extension KeyBinding.Command {
    static let expectations: Self = "expectations"
}
