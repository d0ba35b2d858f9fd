import Canvas
import FleetTokens
import Foundation
import Terminal
import TripFeed
import TripModel
import TripScreen

/// Follows trips on the whole terminal.
///
/// ```
/// polls, token events ─┐
/// keys, size, signals ─┼──▶ Message ──▶ State.update ──▶ Effect ──▶ carried out here
/// time ────────────────┘                    │
///                                           └──▶ view ──▶ Canvas ──▶ Screen
/// ```
struct ScreenSession: Sendable {
    let following: Following
    let options: FollowOptions
    let zone: Zone

    private enum Event: Sendable {
        case session(SessionEvent)
        case terminal(TerminalEvent)
        case tick
    }

    /// Runs until a person quits, `--until` or `--timeout` ends it, or a signal does.
    func run() async throws -> (Ending, Ending.Outcome) {
        let screen = try openScreen()
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let (news, newsContinuation) = AsyncStream.makeStream(of: SessionEvent.self)
        let feed = following.feed { newsContinuation.yield(.feed($0)) }
        let result = await withTaskGroup(of: Void.self) { group in
            following.start(feed, in: &group, events: newsContinuation)
            group.addTask { for await event in news { continuation.yield(.session(event)) } }
            group.addTask { for await event in screen.events { continuation.yield(.terminal(event)) } }
            let result = await loop(events, continuation, screen: screen, feed: feed)
            group.cancelAll()
            newsContinuation.finish()
            await screen.close()
            return result
        }
        if let signal = result.signal {
            await following.tokens.close()
            // 128 and the signal's number, as a shell reports a program that a signal ended.
            throw CommandFailure(.interrupted, "").exiting(128 + signal)
        }
        return (result.ending, result.outcome)
    }

    private struct LoopResult: Sendable {
        var ending: Ending
        var outcome: Ending.Outcome
        var signal: Int32?
    }

    private func loop(
        _ events: AsyncStream<Event>,
        _ continuation: AsyncStream<Event>.Continuation,
        screen: Screen,
        feed: TripFeed
    ) async -> LoopResult {
        var ending = Ending(goal: following.goal, trips: following.trips, isOpen: following.tripsFile != nil)
        let size = await screen.size
        var state = State(
            trips: following.trips,
            settings: State.Settings(
                host: following.endpoint.host,
                zone: zone,
                glyphs: screen.capabilities.glyphs,
                speed: following.clock.speed,
                themes: Self.themes(first: screen.capabilities.theme),
                mouse: options.mouse
            ),
            now: following.clock.now(),
            width: size.width,
            height: size.height
        )
        var ticking: Task<Void, Never>?
        defer { ticking?.cancel() }
        await screen.present(view(state))
        ticking = tick(state, continuation)
        for await event in events {
            var effects = state.update(.tick(following.clock.now()))
            switch event {
            case .tick: break
            case .session(.feed(let news)):
                effects += state.update(.feed(news))
                if let outcome = ending.take(news), following.goal != .end {
                    return LoopResult(ending: ending, outcome: outcome)
                }
            case .session(.token(let news)):
                effects += state.update(.token(news))
                if let message = inspection(after: news) { effects += state.update(message) }
            case .session(.timeout): return LoopResult(ending: ending, outcome: ending.timeout)
            case .session(.noFirstContact), .session(.signal), .session(.mail), .session(.closed): break
            case .terminal(.key(let key)):
                if let key = TripScreen.Key(key) { effects += state.update(.key(key)) }
            case .terminal(.resized(let width, let height)):
                effects += state.update(.resized(width: width, height: height))
            case .terminal(.mouse(let mouse)):
                if let pointer = Pointer(mouse) { effects += state.update(.pointer(pointer)) }
            case .terminal(.paste(let text)): effects += state.update(.paste(text))
            case .terminal(.interrupted(let signal)):
                return LoopResult(ending: ending, outcome: .interrupted, signal: signal)
            case .terminal(.hangup): return LoopResult(ending: ending, outcome: .interrupted, signal: SIGHUP)
            case .terminal(.focus), .terminal(.resumed): break
            }
            for effect in effects {
                switch effect {
                case .quit: return LoopResult(ending: ending, outcome: .done)
                case .feed(let command, let trip): await feed.command(command, trip: trip)
                case .theme(let name):
                    if let theme = Theme.Name(rawValue: name) { await screen.use(theme) }
                case .mouse(let isOn): await screen.reportMouse(isOn)
                case .refreshToken(let trip): following.tokens.refresh(.trip(trip))
                }
            }
            await screen.present(view(state))
            ticking?.cancel()
            ticking = tick(state, continuation)
        }
        return LoopResult(ending: ending, outcome: .done)
    }

    /// What the token that was just stored says: its claims and the rules, never the token.
    private func inspection(after news: TokenEvent) -> Message? {
        guard case .stored = news.kind, case .trip(let trip) = news.context,
            let token = following.tokens.cached(for: news.context)
        else { return nil }
        let inspection = TokenInspection.inspect(
            token.authorizationHeaderValue,
            TokenInspection.Expectations(context: news.context, providerID: following.provider.rawValue),
            now: news.at.wall.addingTimeInterval(news.status.clockOffset?.seconds ?? 0)
        )
        return .inspected(trip, TokenVerdict(inspection))
    }

    /// Wakes the loop when time alone changes what is on the screen; cancelled by the next event, and at the end.
    private func tick(_ state: State, _ continuation: AsyncStream<Event>.Continuation) -> Task<Void, Never>? {
        guard let wait = state.nextTick(after: following.clock.now()) else { return nil }
        return Task { [clock = following.clock] in
            // Cancelled when something else happens first.
            guard (try? await clock.sleep(until: clock.now().steady + wait)) != nil else { return }
            continuation.yield(.tick)
        }
    }

    /// The names of the themes, the shown one first, then as they are listed, around the end.
    private static func themes(first: Theme.Name) -> [String] {
        let all = Theme.Name.allCases
        let start = all.firstIndex(of: first) ?? 0
        return (all[start...] + all[..<start]).map(\.rawValue)
    }

    private func openScreen() throws -> Screen {
        let color: TerminalOptions.Color =
            switch options.color {
            case .auto: .auto
            case .always: .truecolor
            case .never: .never
            }
        do {
            return try Screen.open(
                TerminalOptions(
                    color: color,
                    ascii: options.ascii,
                    mouse: options.mouse,
                    theme: options.theme,
                    environment: ProcessInfo.processInfo.environment
                )
            )
        } catch {
            throw CommandFailure(.unavailable, Self.words(error))
        }
    }

    private static func words(_ error: TerminalError) -> String {
        let instead = "Use --output plain for one sentence per event, or --output json."
        switch error {
        case .notATerminal:
            return "Standard input and output are not a terminal, so there is no screen to draw on.\n\(instead)"
        case .unnamed:
            return "TERM does not say what terminal this is.\nSet it, such as TERM=xterm-256color. \(instead)"
        case .unknown(let name):
            return "This machine does not know the terminal \(shown(name)) that TERM names.\n"
                + "Set another TERM, such as xterm-256color, or install ncurses-term. \(instead)"
        case .tooSimple(let name): return "The terminal \(shown(name)) can't move its cursor.\n\(instead)"
        case .system, .openedTwice:
            return "The terminal could not be opened: the system refused what it takes.\n\(instead)"
        }
    }
}

extension TripScreen.Key {
    /// The key of a terminal as the screen understands it; `nil` for those that mean nothing to it.
    fileprivate init?(_ key: Terminal.Key) {
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
        case .insert, .function: return nil
        }
    }
}

extension Pointer {
    /// What the mouse did as the screen understands it; `nil` for what means nothing to it.
    fileprivate init?(_ mouse: Mouse) {
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
