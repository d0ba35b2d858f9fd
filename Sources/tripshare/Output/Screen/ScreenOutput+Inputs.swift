import AsyncAlgorithms
import Foundation
import Recording
import Terminal
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
