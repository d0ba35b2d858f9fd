import Canvas
import Runtime
import TripText

extension ConsoleState {
    /// Processes an input; returns the effects to perform in order.
    package mutating func update(_ input: Message) -> [Effect] {
        switch input {
        case .report(let report): show(report)
        case .noAnswer: if let report { link = .restarting(report) }
        case .problem(let text): message = text.sanitized(limit: 300)
        case .tick(let time): now = time
        case .resized(let width, let height): (self.width, self.height) = (width, height)
        case .key(let key): return press(key)
        case .pointer(let pointer): return handle(pointer)
        }
        return []
    }

    private mutating func show(_ next: PresenterReport) {
        let before = report
        link = .joined(next)
        if before?.names != next.names { notesRow = 0 }
        if let problem = next.problem, problem != before?.problem { message = problem.sanitized(limit: 300) }
        if let chosen = chosenScenario { chosenScenario = min(chosen, max(0, next.scenarios.count - 1)) }
    }

    // MARK: Keys

    private mutating func press(_ key: Key) -> [Effect] {
        message = nil
        if let chosen = chosenScenario { return choose(key, chosen) }
        if let button = ConsoleButton.all.first(where: { $0.keys.contains(key) }) { return perform(button.action) }
        if key == .character("?") {
            message = settings.localizer(.consoleHelp)
            return []
        }
        if case .character(let letter) = key, let index = ConsoleButton.faultLetters.firstIndex(of: letter) {
            return toggle(index)
        }
        scroll(by: key.rows(page: max(1, ConsoleLayout(self).notes.height - 1)))
        return []
    }

    /// Processes a key while the list of scenarios is open.
    private mutating func choose(_ key: Key, _ chosen: Int) -> [Effect] {
        guard let scenarios = report?.scenarios, !scenarios.isEmpty, key != .escape, key != .character("s") else {
            chosenScenario = nil
            return []
        }
        if key == .enter, scenarios.indices.contains(chosen) {
            chosenScenario = nil
            return requests(.play(scenarios[chosen]))
        }
        if key == .character("q") || key == .control("c") { return perform(.leave) }
        chosenScenario = max(0, min(chosen + key.rows(page: 5), scenarios.count - 1))
        return []
    }

    private mutating func scroll(by rows: Int) {
        let area = ConsoleLayout(self).notes
        let last = max(0, notesText(width: area.width).lines.count - area.height)
        notesRow = max(0, min(notesRow + rows, last))
    }

    // MARK: Mouse

    private mutating func handle(_ pointer: Pointer) -> [Effect] {
        switch pointer.action {
        case .wheelUp: scroll(by: -3)
        case .wheelDown: scroll(by: 3)
        case .drag, .release: break
        case .press:
            message = nil
            guard chosenScenario == nil else {
                chosenScenario = nil
                return []
            }
            let layout = ConsoleLayout(self)
            if let place = layout.buttons.first(where: { $0.rect.contains(x: pointer.x, y: pointer.y) }) {
                return perform(place.button.action)
            }
            if layout.faults.contains(x: pointer.x, y: pointer.y) { return toggle(pointer.y - layout.faults.y) }
        }
        return []
    }

    // MARK: Actions

    private mutating func perform(_ action: ConsoleButton.Action) -> [Effect] {
        guard action != .leave else { return [.leave] }
        guard let report else { return [] }
        switch action {
        case .leave: break
        case .nextChapter:
            if report.chapter?.next != nil { return requests(.nextChapter) }
            message = settings.localizer(.consoleNoChapter)
        case .restart: return requests(.restart)
        case .scenarios:
            guard !report.scenarios.isEmpty else { break }
            chosenScenario = report.scenarios.firstIndex(of: report.scenario) ?? 0
        case .pause: return ride(RideChange(isPaused: !report.ride.isPaused))
        case .slower:
            return ride(RideControl.speeds.last { $0 < report.ride.speed * 0.99 }.map { RideChange(speed: $0) })
        case .faster:
            return ride(RideControl.speeds.first { $0 > report.ride.speed * 1.01 }.map { RideChange(speed: $0) })
        case .firstSpeed: return ride(RideChange(isPaused: false, speed: report.ride.firstSpeed))
        case .clearFaults: return requests(.fault(.clear))
        }
        return []
    }

    private mutating func toggle(_ index: Int) -> [Effect] {
        guard settings.faults.indices.contains(index) else { return [] }
        let fault = settings.faults[index]
        let effects = requests(.fault(.toggle(fault.id)))
        let isActive = report?.activeFaults.contains(fault.id) ?? false
        if !effects.isEmpty, !isActive { message = fault.about.map { settings.localizer($0) } }
        return effects
    }

    /// Returns a request to the demo; nothing while the demo does not answer.
    private func requests(_ request: PresenterRequest) -> [Effect] {
        if case .joined = link { [.request(request)] } else { [] }
    }

    private func ride(_ change: RideChange?) -> [Effect] {
        guard case .joined = link, let change else { return [] }
        return [.ride(change)]
    }
}
