import Canvas
import FleetEmulator
import FleetTokens
import Foundation
import ProcessControl
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// Follows trips on the full-screen terminal.
///
/// ```
/// polls, token events ──┐
/// keys, size, signals ──┼──▶ Message ──▶ State.update ──▶ Effect ──▶ performed here
/// time, script ─────────┘                    │
///                                            └──▶ view ──▶ Canvas ──▶ Display
/// ```
struct ScreenSession: Sendable {
    /// The screen; closed at the end.
    let opening: ScreenOpening
    let configuration: SessionConfiguration
    let options: FollowOptions
    let zone: Zone
    let locale: LocaleNames
    /// The key bindings.
    let keys: [KeyBinding]

    private enum Event: Sendable {
        case session(SessionEvent)
        case terminal(TerminalEvent)
        case tick
        /// The time of a script step has elapsed.
        case step(Int)
        /// The result of an effect.
        case done(Message)
    }

    /// The event sources of the session; all queues are bounded.
    private struct EventSources: Sendable {
        var events: AsyncStream<Event>
        /// Signals that a terminal event was processed, which requests the next one; the terminal buffers the rest.
        var taken: AsyncStream<Void>.Continuation
        /// The feed and token events.
        var mailbox: FeedMailbox
    }

    private struct LoopResult: Sendable {
        var outcome: CompletionTracker.Outcome
        /// The text that the script waited for and did not find, or a file that it could not save.
        var complaint: String?
        /// The demo to restart.
        var restart: DemoRestart?
    }

    private static func restart(in effects: [Effect]) -> DemoRestart? {
        for case .play(let scenario) in effects { return DemoRestart(scenario: scenario) }
        return nil
    }

    /// Runs until the user quits, the script ends, `--until` or `--timeout` is met, or a signal arrives.
    func run() async throws -> (CompletionTracker, CompletionTracker.Outcome) {
        let display = opening.display
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let (news, newsContinuation) = AsyncStream.makeStream(of: SessionEvent.self)
        let (taken, takenContinuation) = AsyncStream.makeStream(of: Void.self)
        let mailbox = FeedMailbox { newsContinuation.yield(.mail) }
        let sources = EventSources(events: events, taken: takenContinuation, mailbox: mailbox)
        let feed = configuration.feed(staysOpen: true) { mailbox.post($0) }
        // The terminal's own thread handles signals.
        let watchdog = ForcedEnd.watchdog(timeout: configuration.timeout)
        defer { watchdog.dismiss() }
        let wording = options.wording(locale, isASCII: display.glyphs.level == .ascii)
        let (result, completion) = await withTaskGroup(of: Void.self) { group in
            configuration.start(feed, mailbox, in: &group, events: newsContinuation)
            group.addTask { for await event in news { continuation.yield(.session(event)) } }
            group.addTask { [clock = configuration.clock] in
                var seen = clock.changes
                while !Task.isCancelled {
                    await clock.change(after: seen)
                    seen = clock.changes
                    continuation.yield(.tick)
                }
            }
            if let captions = configuration.captions {
                group.addTask {
                    for await caption in captions {
                        let text = wording.caption(caption.text, translations: caption.translations)
                        continuation.yield(.done(.caption(text)))
                    }
                }
            }
            group.addTask {
                var taken = taken.makeAsyncIterator()
                for await event in display.events {
                    continuation.yield(.terminal(event))
                    await taken.next()
                }
            }
            let first = firstState(display, opening.basemap)
            let result = await loop(sources, continuation, first, display: display, feed: feed, script: opening.script)
            watchdog.sessionEnded(code: result.0.outcome.exitCode)
            group.cancelAll()
            newsContinuation.finish()
            await display.close()
            return result
        }
        if let restart = result.restart {
            await configuration.tokens.close()
            throw restart
        }
        if let complaint = result.complaint {
            await configuration.tokens.close()
            throw CommandFailure(.expectationFailed, complaint)
        }
        return (completion, result.outcome)
    }

    private func loop(
        _ sources: EventSources,
        _ continuation: AsyncStream<Event>.Continuation,
        _ first: State,
        display: Display,
        feed: TripFeed,
        script: ScreenScript?
    ) async -> (LoopResult, CompletionTracker) {
        var completion = CompletionTracker(
            goal: configuration.goal,
            trips: configuration.trips,
            isOpen: configuration.tripsFile != nil
        )
        var state = first
        var player = script.map(ScriptPlayer.init)
        var memory = configuration.history.map(TripMemory.init)
        var ticking: Task<Void, Never>?
        var stepping: Task<Void, Never>?
        defer {
            ticking?.cancel()
            stepping?.cancel()
        }
        if let words = state.settings.wording.fallback { _ = state.update(.notice(words)) }
        await display.present(view(state))
        ticking = tick(state, continuation)
        if player != nil { continuation.yield(.tick) }
        for await event in sources.events {
            var effects =
                state.update(.tick(configuration.clock.now())) + state.update(.speed(configuration.clock.rate))
            switch event {
            case .tick: break
            case .done(let message): effects += state.update(message)
            case .step(let step):
                if let text = player?.timeIsUp(of: step) {
                    let complaint =
                        "The screen did not show \(shown(text)) within a minute.\nIt showed:\n\(view(state).text)"
                    return (LoopResult(outcome: .done, complaint: complaint), completion)
                }
            case .session(.mail):
                for item in sources.mailbox.take() {
                    guard case .feed(let news) = item else {
                        if case .token(let news) = item { effects += take(news, &state) }
                        continue
                    }
                    effects += state.update(.feed(news))
                    if let words = memory?.take(news) { effects += state.update(.notice(words)) }
                    if let outcome = completion.take(news), configuration.goal != .end {
                        return (LoopResult(outcome: outcome), completion)
                    }
                    completion.settle(after: news)
                }
            case .session(.timeout): return (LoopResult(outcome: completion.timeout), completion)
            case .session(.noFirstContact), .session(.signal), .session(.closed): break
            case .terminal(.interrupted(let signal)):
                return (LoopResult(outcome: .interrupted(signal)), completion)
            case .terminal(.hangup): return (LoopResult(outcome: .interrupted(SIGHUP)), completion)
            case .terminal(let event):
                effects += Self.update(&state, event)
                sources.taken.yield()
            }
            if let restart = Self.restart(in: effects) {
                return (LoopResult(outcome: .done, restart: restart), completion)
            }
            if await !perform(effects, on: &state, display: display, feed: feed, continuation) {
                return (LoopResult(outcome: .done), completion)
            }
            while let action = player?.next(on: view(state)), action != .wait {
                switch action {
                case .send(let event):
                    let effects = Self.update(&state, event)
                    if await !perform(effects, on: &state, display: display, feed: feed, continuation) {
                        return (LoopResult(outcome: .done), completion)
                    }
                case .dump(let path):
                    if let complaint = Self.dump(view(state), to: path) {
                        return (LoopResult(outcome: .done, complaint: complaint), completion)
                    }
                case .draw(let path):
                    let picture = PictureFile(view(state), theme: Theme(Theme.Name(rawValue: state.theme) ?? .dark))
                    if let complaint = Self.save(picture.text, to: path) {
                        return (LoopResult(outcome: .done, complaint: complaint), completion)
                    }
                case .sleep(let seconds):
                    stepping?.cancel()
                    stepping = step(player?.place ?? 0, after: seconds, continuation)
                case .wait: break
                case .end: return (LoopResult(outcome: .done), completion)
                }
            }
            await display.present(view(state))
            ticking?.cancel()
            ticking = tick(state, continuation)
        }
        return (LoopResult(outcome: .done), completion)
    }

    /// Passes a token event and the claims of a new token to the screen.
    private func take(_ news: TokenEvent, _ state: inout State) -> [Effect] {
        state.update(.token(news)) + (inspection(after: news).map { state.update($0) } ?? [])
    }

    private func firstState(_ display: Display, _ basemap: Basemap?) -> State {
        State(
            trips: configuration.trips,
            settings: State.Settings(
                host: configuration.endpoint.host,
                zone: zone,
                wording: options.wording(locale, isASCII: display.glyphs.level == .ascii),
                glyphs: display.glyphs,
                speed: configuration.clock.rate,
                themes: Self.themes(first: display.theme),
                mouse: options.mouse,
                isPresenter: options.presenter,
                keys: keys,
                provider: configuration.provider.rawValue,
                pastTrips: configuration.history?.trips ?? [],
                basemap: basemap,
                cellAspect: options.cellAspect,
                rings: options.bell,
                ride: configuration.ride?.settings
            ),
            now: configuration.clock.now(),
            width: display.size.width,
            height: display.size.height
        )
    }

    /// Passes a terminal event to the screen.
    private static func update(_ state: inout State, _ event: TerminalEvent) -> [Effect] {
        switch event {
        case .key(let key): TripScreen.Key(key).map { state.update(.key($0)) } ?? []
        case .resized(let width, let height): state.update(.resized(width: width, height: height))
        case .mouse(let mouse): Pointer(mouse).map { state.update(.pointer($0)) } ?? []
        case .paste(let text): state.update(.paste(text))
        case .focus, .resumed, .interrupted, .hangup: []
        }
    }

    /// Performs the effects of the screen; returns `false` if one of them ends the session.
    private func perform(
        _ effects: [Effect],
        on state: inout State,
        display: Display,
        feed: TripFeed,
        _ continuation: AsyncStream<Event>.Continuation
    ) async -> Bool {
        for effect in effects {
            switch effect {
            case .quit: return false
            case .feed(let command, let trip): await feed.command(command, trip: trip)
            case .readBasemap(let path):
                // This task is not awaited: its result is not needed after the session ends.
                Task.detached { continuation.yield(.done(Self.basemap(path))) }
            case .save(let path):
                let complaint = Self.dump(view(state), to: path)
                _ = state.update(complaint.map(Message.complaint) ?? .saved(path))
            case .watch(let trip): feed.add(trip)
            case .leave(let trip): await feed.remove(trip)
            case .theme(let name):
                if let theme = Theme.Name(rawValue: name) { await display.use(theme) }
            case .copy(let text): await display.copy(text)
            case .mouse(let isOn): await display.reportMouse(isOn)
            case .ring(let text): await display.notify(text)
            case .ride(let change):
                guard let ride = configuration.ride else { break }
                if ride.isImmediate {
                    _ = await ride.perform(change)
                    break
                }
                // This task is not awaited: the clock shows the effect, and an error arrives as a message.
                Task { if let words = await ride.perform(change) { continuation.yield(.done(.complaint(words))) } }
            case .play: break
            case .refreshToken(let trip): configuration.tokens.refresh(.trip(trip))
            }
        }
        return true
    }

    /// Reads a base map; returns a message with the map or the error.
    private static func basemap(_ path: String) -> Message {
        do {
            return .basemap(try BasemapFile.read(path))
        } catch {
            // The screen has a single line for it.
            return .complaint(error.message.components(separatedBy: "\n")[0])
        }
    }

    /// Saves the screen as text; returns an error message on failure.
    private static func dump(_ canvas: Canvas, to path: String) -> String? {
        save(canvas.text + "\n", to: path)
    }

    private static func save(_ text: String, to path: String) -> String? {
        do {
            try OutputFile.write(text.utf8, to: path)
            return nil
        } catch {
            return "The screen can't be saved as \(shown(path)): \(error.reason). "
                + "Name a file in a folder that can be written to."
        }
    }

    /// Inspects the token that was just stored; the message holds its claims and rules, never the token.
    private func inspection(after news: TokenEvent) -> Message? {
        guard case .stored = news.kind, case .trip(let trip) = news.context,
            let token = configuration.tokens.peek(at: news.context)
        else { return nil }
        let inspection = TokenInspection.inspect(
            token.authorizationHeaderValue,
            TokenInspection.Expectations(context: news.context, providerID: configuration.provider.rawValue),
            now: news.at.wall.addingTimeInterval(news.status.clockOffset?.seconds ?? 0)
        )
        return .inspected(trip, TokenVerdict(inspection))
    }

    /// Starts a timer for the next change that depends on time alone.
    ///
    /// The next event and the end of the session cancel it.
    private func tick(_ state: State, _ continuation: AsyncStream<Event>.Continuation) -> Task<Void, Never>? {
        let now = configuration.clock.now()
        guard let wait = state.nextTick(after: now) else { return nil }
        return Task { [clock = configuration.clock] in
            // Cancelled by the next event.
            guard (try? await clock.sleep(until: now.steady + wait)) != nil else { return }
            continuation.yield(.tick)
        }
    }

    /// Starts a timer for a script step, in real time.
    ///
    /// The next step and the end of the session cancel it.
    private func step(
        _ place: Int,
        after seconds: Double,
        _ continuation: AsyncStream<Event>.Continuation
    ) -> Task<Void, Never> {
        Task { [clock = configuration.clock] in
            // Cancelled when the step completes early.
            guard (try? await clock.sleep(real: .seconds(seconds))) != nil else { return }
            continuation.yield(.step(place))
        }
    }

    /// Returns the theme names in list order, rotated to begin with the current one.
    private static func themes(first: Theme.Name) -> [String] {
        let all = Theme.Name.allCases
        let start = all.firstIndex(of: first) ?? 0
        return (all[start...] + all[..<start]).map(\.rawValue)
    }
}
