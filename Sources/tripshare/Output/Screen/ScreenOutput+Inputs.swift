import AsyncAlgorithms
import Failures
import Foundation
import Recording
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// The sources of what the screen processes besides the events of trips and tokens.
extension ScreenOutput {
    func sendInputs() async {
        await withTaskGroup(of: Void.self) { group in
            if let events = opening.screen?.events {
                group.addTask { for await event in events { await inputs.send(.terminal(event)) } }
            }
            group.addTask { [clock = configuration.clock] in
                var seen = clock.changes
                while !Task.isCancelled {
                    await clock.change(after: seen)
                    seen = clock.changes
                    await inputs.send(.tick)
                }
            }
            if let faults = configuration.faults {
                group.addTask {
                    for await _ in faults.client.changes {
                        await faults.show { await inputs.send(.message(.faults($0))) }
                    }
                }
            }
            if let tour = configuration.tour {
                group.addTask { [clock = configuration.clock] in
                    // An error means that the session has ended first.
                    try? await tour.play(clock) { event in
                        switch event {
                        case .message(let message):
                            if case .caption(let text, _) = message { configuration.presenter?.show(caption: text) }
                            await inputs.send(.message(message))
                        case .next: await inputs.send(.nextStage)
                        }
                    }
                }
            }
            if let presenter = configuration.presenter {
                group.addTask { for await request in presenter.requests { await inputs.send(.presenter(request)) } }
            }
            if let driver {
                group.addTask { [state] in
                    var reader = ReplayReader(driver.frames, state)
                    await reader.readAll(of: driver.frames.index.count) { await inputs.send(.tick) }
                }
            }
            guard let captions = configuration.captions else { return }
            group.addTask {
                for await caption in captions { await inputs.send(.caption(caption)) }
            }
        }
    }
}

extension TripScreen.Key {
    /// Converts a terminal key; `nil` for keys that the screen does not use.
    init?(_ key: Terminal.Key) {
        switch key.code {
        case .character(let character):
            if key.modifiers.contains(.alt) { return nil }
            self = key.modifiers.contains(.control) ? .control(character) : .character(character)
        case .enter: self = .enter
        case .tab: self = key.modifiers.contains(.shift) ? .backTab : .tab
        case .escape: self = .escape
        case .backspace: self = .backspace
        case .delete: self = .delete
        case .up: self = .up
        case .down: self = .down
        case .left: self = .left
        case .right: self = .right
        case .home: self = .home
        case .end: self = .end
        case .pageUp: self = .pageUp
        case .pageDown: self = .pageDown
        case .function(let number) where (1...12).contains(number): self = .function(number)
        case .insert, .function: return nil
        }
    }
}

extension Pointer {
    /// Converts a mouse event; `nil` for events that the screen does not use.
    init?(_ mouse: Mouse) {
        switch mouse.action {
        case .press(.left): self.init(.press, x: mouse.x, y: mouse.y)
        case .drag(.left): self.init(.drag, x: mouse.x, y: mouse.y)
        case .release: self.init(.release, x: mouse.x, y: mouse.y)
        case .wheelUp: self.init(.wheelUp, x: mouse.x, y: mouse.y)
        case .wheelDown: self.init(.wheelDown, x: mouse.x, y: mouse.y)
        case .press, .drag, .wheelLeft, .wheelRight: return nil
        }
    }
}

extension TerminalEvent {
    /// Whether the event comes from the input of the terminal.
    var isInput: Bool {
        switch self {
        case .key, .mouse, .paste, .focus, .background: true
        case .resized, .interrupted, .resumed, .hangup: false
        }
    }
}

/// The presenter's console in another process: reports to it, and its requests.
extension ScreenOutput {
    /// Reports what the audience sees.
    func publishToPresenter() {
        configuration.presenter?.publish(
            state,
            faults: configuration.faults?.active ?? [],
            at: configuration.clock.anchor
        )
    }

    /// Performs a request of the console; the screen shows no message about it.
    mutating func perform(_ request: PresenterRequest) {
        guard let presenter = configuration.presenter else { return }
        presenter.finish(nil)
        switch request {
        case .fault(let change): inject(change) { presenter.finish($0) }
        case .restart: restart(DemoRestart())
        // The name of a file is not accepted.
        case .play(let scenario) where presenter.scenarios.contains(scenario): restart(DemoRestart(scenario: scenario))
        case .nextChapter where configuration.tour?.hasNext == true:
            restart(DemoRestart(stage: configuration.tour.map { $0.index + 1 }))
        case .play, .nextChapter: presenter.finish(state.settings.localizer(.consoleNotPossible))
        }
    }
}

/// The script of a session, which plays the user.
extension ScreenOutput {
    /// Executes the steps of the script that need not wait.
    ///
    /// Its keys do not restart the demo, because the script would then repeat itself without end.
    mutating func playScript(on feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
        // Without a script the screen is not drawn for it.
        while player != nil {
            let canvas = picture
            guard let action = player?.next(on: canvas) else { return nil }
            switch action {
            case .send(let event):
                update(event)
                guard await performEffects(on: feed) else { return .success(.done) }
            case .dump(let path): if let text = dump(to: path) { return Self.failure(text, .outputFailed) }
            case .draw(let path): if let text = draw(to: path) { return Self.failure(text, .outputFailed) }
            case .film(let path):
                let picture = animation?.text(theme: drawnTheme) ?? ""
                if let text = save(picture, to: path) { return Self.failure(text, .outputFailed) }
            case .sleep(let seconds):
                stepping?.cancel()
                stepping = timer(.step(player?.place ?? 0)) { [clock = configuration.clock] in
                    try await clock.sleep(real: .seconds(seconds))
                }
            case .wait: return nil
            case .end: return .success(.done)
            }
        }
        return nil
    }

    /// Sends an input after a wait, unless the task is cancelled.
    func timer(_ input: Input, after wait: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
        Task { [inputs] in
            // An error means that the timer was cancelled.
            guard (try? await wait()) != nil else { return }
            await inputs.send(input)
        }
    }

    static func failure(
        _ text: String,
        _ status: ExitStatus = .expectationFailed
    ) -> Result<CompletionTracker.Outcome, any Error> {
        .failure(CommandFailure(status) { _ in text })
    }
}
