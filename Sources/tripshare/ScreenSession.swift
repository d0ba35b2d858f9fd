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

/// Follows trips on the whole terminal.
///
/// ```
/// polls, token events ──┐
/// keys, size, signals ──┼──▶ Message ──▶ State.update ──▶ Effect ──▶ carried out here
/// time, script ─────────┘                    │
///                                            └──▶ view ──▶ Canvas ──▶ Stage
/// ```
struct ScreenSession: Sendable {
    /// The screen, which is closed at the end.
    let opening: ScreenOpening
    let following: Following
    let options: FollowOptions
    let zone: Zone
    let locale: LocaleNames
    /// What keys do.
    let keys: [KeyBinding]

    private enum Event: Sendable {
        case session(SessionEvent)
        case terminal(TerminalEvent)
        case tick
        /// The time of a step of the script is up.
        case step(Int)
        /// News of something that the screen ordered.
        case done(Message)
    }

    /// What comes in; bounded, however slowly it is taken.
    private struct Inlet: Sendable {
        var events: AsyncStream<Event>
        /// Told of each event of the terminal that was taken, so that the next one comes: the terminal keeps the rest.
        var taken: AsyncStream<Void>.Continuation
        /// News of trips and tokens.
        var mailbox: FeedMailbox
    }

    private struct LoopResult: Sendable {
        var outcome: Ending.Outcome
        /// What the script waited for in vain, or could not save.
        var complaint: String?
        /// The ride that is to be played next.
        var restart: DemoRestart?
    }

    private static func restart(in effects: [Effect]) -> DemoRestart? {
        for case .play(let scenario) in effects { return DemoRestart(scenario: scenario) }
        return nil
    }

    /// Runs until a person quits, the script or `--until` or `--timeout` ends it, or a signal does.
    func run() async throws -> (Ending, Ending.Outcome) {
        let stage = opening.stage
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let (news, newsContinuation) = AsyncStream.makeStream(of: SessionEvent.self)
        let (taken, takenContinuation) = AsyncStream.makeStream(of: Void.self)
        let mailbox = FeedMailbox { newsContinuation.yield(.mail) }
        let inlet = Inlet(events: events, taken: takenContinuation, mailbox: mailbox)
        let feed = following.feed(staysOpen: true) { mailbox.post($0) }
        // The terminal's own thread acts on signals.
        let watchdog = ForcedEnd.watchdog(timeout: following.timeout)
        defer { watchdog.dismiss() }
        let wording = options.wording(locale, isASCII: stage.glyphs.level == .ascii)
        let (result, ending) = await withTaskGroup(of: Void.self) { group in
            following.start(feed, mailbox, in: &group, events: newsContinuation)
            group.addTask { for await event in news { continuation.yield(.session(event)) } }
            group.addTask { [clock = following.clock] in
                var seen = clock.changes
                while !Task.isCancelled {
                    await clock.change(after: seen)
                    seen = clock.changes
                    continuation.yield(.tick)
                }
            }
            if let captions = following.captions {
                group.addTask {
                    for await caption in captions {
                        let text = wording.caption(caption.text, translations: caption.translations)
                        continuation.yield(.done(.caption(text)))
                    }
                }
            }
            group.addTask {
                var taken = taken.makeAsyncIterator()
                for await event in stage.events {
                    continuation.yield(.terminal(event))
                    await taken.next()
                }
            }
            let first = firstState(stage, opening.basemap)
            let result = await loop(inlet, continuation, first, stage: stage, feed: feed, script: opening.script)
            watchdog.sessionEnded(code: result.0.outcome.exitCode)
            group.cancelAll()
            newsContinuation.finish()
            await stage.close()
            return result
        }
        if let restart = result.restart {
            await following.tokens.close()
            throw restart
        }
        if let complaint = result.complaint {
            await following.tokens.close()
            throw CommandFailure(.expectationFailed, complaint)
        }
        return (ending, result.outcome)
    }

    private func loop(
        _ inlet: Inlet,
        _ continuation: AsyncStream<Event>.Continuation,
        _ first: State,
        stage: Stage,
        feed: TripFeed,
        script: ScreenScript?
    ) async -> (LoopResult, Ending) {
        var ending = Ending(goal: following.goal, trips: following.trips, isOpen: following.tripsFile != nil)
        var state = first
        var player = script.map(ScriptPlayer.init)
        var memory = following.history.map(TripMemory.init)
        var ticking: Task<Void, Never>?
        var stepping: Task<Void, Never>?
        defer {
            ticking?.cancel()
            stepping?.cancel()
        }
        if let words = state.settings.wording.fallback { _ = state.update(.notice(words)) }
        await stage.present(view(state))
        ticking = tick(state, continuation)
        if player != nil { continuation.yield(.tick) }
        for await event in inlet.events {
            var effects = state.update(.tick(following.clock.now())) + state.update(.speed(following.clock.rate))
            switch event {
            case .tick: break
            case .done(let message): effects += state.update(message)
            case .step(let step):
                if let text = player?.timeIsUp(of: step) {
                    let complaint =
                        "The screen did not show \(shown(text)) within a minute.\nIt showed:\n\(view(state).text)"
                    return (LoopResult(outcome: .done, complaint: complaint), ending)
                }
            case .session(.mail):
                for item in inlet.mailbox.take() {
                    guard case .feed(let news) = item else {
                        if case .token(let news) = item { effects += take(news, &state) }
                        continue
                    }
                    effects += state.update(.feed(news))
                    if let words = memory?.take(news) { effects += state.update(.notice(words)) }
                    if let outcome = ending.take(news), following.goal != .end {
                        return (LoopResult(outcome: outcome), ending)
                    }
                    ending.settle(after: news)
                }
            case .session(.timeout): return (LoopResult(outcome: ending.timeout), ending)
            case .session(.noFirstContact), .session(.signal), .session(.closed): break
            case .terminal(.interrupted(let signal)):
                return (LoopResult(outcome: .interrupted(signal)), ending)
            case .terminal(.hangup): return (LoopResult(outcome: .interrupted(SIGHUP)), ending)
            case .terminal(let event):
                effects += Self.update(&state, event)
                inlet.taken.yield()
            }
            if let restart = Self.restart(in: effects) {
                return (LoopResult(outcome: .done, restart: restart), ending)
            }
            if await !perform(effects, on: &state, stage: stage, feed: feed, continuation) {
                return (LoopResult(outcome: .done), ending)
            }
            while let action = player?.next(on: view(state)), action != .wait {
                switch action {
                case .send(let event):
                    let effects = Self.update(&state, event)
                    if await !perform(effects, on: &state, stage: stage, feed: feed, continuation) {
                        return (LoopResult(outcome: .done), ending)
                    }
                case .dump(let path):
                    if let complaint = Self.dump(view(state), to: path) {
                        return (LoopResult(outcome: .done, complaint: complaint), ending)
                    }
                case .draw(let path):
                    let picture = PictureFile(view(state), theme: Theme(Theme.Name(rawValue: state.theme) ?? .dark))
                    if let complaint = Self.save(picture.text, to: path) {
                        return (LoopResult(outcome: .done, complaint: complaint), ending)
                    }
                case .sleep(let seconds):
                    stepping?.cancel()
                    stepping = step(player?.place ?? 0, after: seconds, continuation)
                case .wait: break
                case .end: return (LoopResult(outcome: .done), ending)
                }
            }
            await stage.present(view(state))
            ticking?.cancel()
            ticking = tick(state, continuation)
        }
        return (LoopResult(outcome: .done), ending)
    }

    /// Tells the screen what happened to a token, and what a new one says.
    private func take(_ news: TokenEvent, _ state: inout State) -> [Effect] {
        state.update(.token(news)) + (inspection(after: news).map { state.update($0) } ?? [])
    }

    private func firstState(_ stage: Stage, _ basemap: Basemap?) -> State {
        State(
            trips: following.trips,
            settings: State.Settings(
                host: following.endpoint.host,
                zone: zone,
                wording: options.wording(locale, isASCII: stage.glyphs.level == .ascii),
                glyphs: stage.glyphs,
                speed: following.clock.rate,
                themes: Self.themes(first: stage.theme),
                mouse: options.mouse,
                isPresenter: options.presenter,
                keys: keys,
                provider: following.provider.rawValue,
                pastTrips: following.history?.trips ?? [],
                basemap: basemap,
                cellAspect: options.cellAspect,
                rings: options.bell,
                ride: following.ride?.settings
            ),
            now: following.clock.now(),
            width: stage.size.width,
            height: stage.size.height
        )
    }

    /// Tells the screen what happened at the terminal.
    private static func update(_ state: inout State, _ event: TerminalEvent) -> [Effect] {
        switch event {
        case .key(let key): TripScreen.Key(key).map { state.update(.key($0)) } ?? []
        case .resized(let width, let height): state.update(.resized(width: width, height: height))
        case .mouse(let mouse): Pointer(mouse).map { state.update(.pointer($0)) } ?? []
        case .paste(let text): state.update(.paste(text))
        case .focus, .resumed, .interrupted, .hangup: []
        }
    }

    /// Carries out the orders of the screen; `false` where one of them is to end.
    private func perform(
        _ effects: [Effect],
        on state: inout State,
        stage: Stage,
        feed: TripFeed,
        _ continuation: AsyncStream<Event>.Continuation
    ) async -> Bool {
        for effect in effects {
            switch effect {
            case .quit: return false
            case .feed(let command, let trip): await feed.command(command, trip: trip)
            case .readBasemap(let path):
                // Nobody waits for it: what is not read before the end is not needed any more.
                Task.detached { continuation.yield(.done(Self.basemap(path))) }
            case .save(let path):
                let complaint = Self.dump(view(state), to: path)
                _ = state.update(complaint.map(Message.complaint) ?? .saved(path))
            case .watch(let trip): feed.add(trip)
            case .leave(let trip): await feed.remove(trip)
            case .theme(let name):
                if let theme = Theme.Name(rawValue: name) { await stage.use(theme) }
            case .copy(let text): await stage.copy(text)
            case .mouse(let isOn): await stage.reportMouse(isOn)
            case .ring(let text): await stage.notify(text)
            case .ride(let change):
                guard let ride = following.ride else { break }
                if ride.isImmediate {
                    _ = await ride.perform(change)
                    break
                }
                // Nothing waits for it: what it does is seen by the clock, and why it failed is a message.
                Task { if let words = await ride.perform(change) { continuation.yield(.done(.complaint(words))) } }
            case .play: break
            case .refreshToken(let trip): following.tokens.refresh(.trip(trip))
            }
        }
        return true
    }

    /// A base map, or why there is none.
    private static func basemap(_ path: String) -> Message {
        do {
            return .basemap(try BasemapFile.read(path))
        } catch {
            // The screen has one line for it.
            return .complaint(error.message.components(separatedBy: "\n")[0])
        }
    }

    /// Saves a picture as text; the complaint where that fails.
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

    /// What the token that was just stored says: its claims and the rules, never the token.
    private func inspection(after news: TokenEvent) -> Message? {
        guard case .stored = news.kind, case .trip(let trip) = news.context,
            let token = following.tokens.peek(at: news.context)
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
        let now = following.clock.now()
        guard let wait = state.nextTick(after: now) else { return nil }
        return Task { [clock = following.clock] in
            // Cancelled when something else happens first.
            guard (try? await clock.sleep(until: now.steady + wait)) != nil else { return }
            continuation.yield(.tick)
        }
    }

    /// Wakes the loop when the real time of a step of the script is up; cancelled with the next step, and at the end.
    private func step(
        _ place: Int,
        after seconds: Double,
        _ continuation: AsyncStream<Event>.Continuation
    ) -> Task<Void, Never> {
        Task { [clock = following.clock] in
            // Cancelled when the step is over before its time.
            guard (try? await clock.sleep(real: .seconds(seconds))) != nil else { return }
            continuation.yield(.step(place))
        }
    }

    /// The names of the themes, the shown one first, then as they are listed, around the end.
    private static func themes(first: Theme.Name) -> [String] {
        let all = Theme.Name.allCases
        let start = all.firstIndex(of: first) ?? 0
        return (all[start...] + all[..<start]).map(\.rawValue)
    }
}
