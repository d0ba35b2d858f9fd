import AsyncAlgorithms
import Foundation
import Runtime
import Terminal
import TripModel
import TripScreen

/// The loop of a presenter's console.
///
/// ```
/// keys, mouse, size ──┐
/// reports, time ──────┼──▶ ConsoleState.update ──▶ Effect ──▶ sent to the demo
/// failed requests ────┘            └──▶ consoleView ──▶ Canvas ──▶ Screen
/// ```
struct ConsoleSession: Sendable {
    /// How a session ends.
    enum Outcome: Sendable, Equatable {
        /// The presenter has left; the demo goes on, with the faults that have these titles.
        case left(faults: [String])
        case demoEnded
        case interrupted(Int32)
    }

    private enum Input: Sendable {
        case terminal(TerminalEvent)
        case messages([ConsoleState.Message])
        case demoEnded
    }

    let client: DemoClient
    let opening: ScreenOpening
    let clock: ScaledClock

    /// The real time between two reports.
    private static let interval = Duration.milliseconds(250)

    /// Runs the console until its end; the screen stays open.
    func run(_ settings: ConsoleState.Settings) async -> Outcome {
        let inputs = AsyncChannel<Input>()
        let (effects, sender) = AsyncStream.makeStream(of: ConsoleState.Effect.self)
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            if let events = opening.screen?.events {
                group.addTask { for await event in events { await inputs.send(.terminal(event)) } }
            }
            group.addTask { await poll(into: inputs) }
            group.addTask { for await effect in effects { await perform(effect, reportingTo: inputs) } }
            var state = ConsoleState(
                settings,
                now: clock.now().wall,
                width: opening.size.width,
                height: opening.size.height
            )
            await opening.screen?.present(consoleView(state))
            for await input in inputs {
                for message in Self.messages(of: input) {
                    for effect in state.update(message) {
                        guard effect != .leave else { return .left(faults: state.activeFaults) }
                        sender.yield(effect)
                    }
                }
                switch input {
                case .terminal(.interrupted(let signal)): return .interrupted(signal)
                case .terminal(.hangup): return .interrupted(SIGHUP)
                case .demoEnded: return .demoEnded
                case .terminal, .messages: break
                }
                await opening.screen?.present(consoleView(state))
            }
            return .left(faults: state.activeFaults)
        }
    }

    private static func messages(of input: Input) -> [ConsoleState.Message] {
        switch input {
        case .messages(let messages): messages
        case .terminal(.key(let key)): TripScreen.Key(key).map { [.key($0)] } ?? []
        case .terminal(.mouse(let mouse)): Pointer(mouse).map { [.pointer($0)] } ?? []
        case .terminal(.resized(let width, let height)): [.resized(width: width, height: height)]
        case .terminal, .demoEnded: []
        }
    }

    /// Asks for reports until the demo has ended or the task is cancelled.
    private func poll(into inputs: AsyncChannel<Input>) async {
        repeat {
            guard await update(inputs) else { return await inputs.send(.demoEnded) }
            // An error means that the task was cancelled.
        } while (try? await clock.sleep(real: Self.interval)) != nil
    }

    /// Shows the next report; returns whether the demo runs.
    private func update(_ inputs: AsyncChannel<Input>) async -> Bool {
        let answer = await client.report()
        let time = ConsoleState.Message.tick(clock.now().wall)
        switch answer {
        case .report(let report): await inputs.send(.messages([time, .report(report)]))
        case .noAnswer: await inputs.send(.messages([time, .noAnswer]))
        case .ended: return false
        }
        return true
    }

    private func perform(_ effect: ConsoleState.Effect, reportingTo inputs: AsyncChannel<Input>) async {
        let problem: String?
        switch effect {
        case .leave: return
        case .request(let request): problem = await client.send(request)
        case .ride(let change): problem = await client.change(change)
        }
        if let problem { await inputs.send(.messages([.problem(problem)])) }
    }
}
