import AsyncAlgorithms
import Canvas
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// The full-screen terminal.
///
/// ```
/// polls, token events ──┐
/// keys, size, signals ──┼──▶ Message ──▶ State.update ──▶ Effect ──▶ performed by flush
/// time, script ─────────┘                    │
///                                            └──▶ view ──▶ Canvas ──▶ Screen
/// ```
struct ScreenOutput: SessionOutput {
    enum Input: Sendable {
        case terminal(TerminalEvent)
        /// Time has passed, or the clock has changed.
        case tick
        /// The time of a script step has elapsed.
        case step(Int)
        /// The result of an effect, or a caption.
        case message(Message)
        /// Work that the user asked for is complete.
        case completed(PendingWork.Completion)
        /// The map of the demo town.
        case town(Basemap)
        /// The next stage of the tour.
        case nextStage
        /// A caption of the scenario.
        case caption(SceneCaption)
        /// A request of a presenter's console.
        case presenter(PresenterRequest)
    }

    let isInteractive = true
    let playsRecordings = true
    /// Sending waits until the loop has received the input, so that the terminal buffers what follows.
    let inputs = AsyncChannel<Input>()
    /// The terminal; closed at the end.
    let opening: ScreenOpening
    let configuration: SessionConfiguration
    /// The screen of the session; during time travel it is not shown.
    var state: State
    /// Draws the present.
    var frames = ScreenFrames()
    /// Plays the recording of a replay; `nil` in other sessions.
    var driver: ReplayDriver?
    /// Shows the past of the session; `nil` while the present is shown.
    var travel: TimeTravel?
    /// Reads the recording of the time travel in the background.
    var reading: Task<Void, Never>?
    /// The text that is being typed.
    var typed = TypedText()
    var effects: [Effect] = []
    /// The theme of the terminal's background, which the screen follows until the user chooses a theme; `nil` then.
    var terminalTheme: Theme.Name?
    /// The number of keys, mouse events, pastes, changes of the focus and reports of the background that were handled.
    var handledInputs = 0
    var player: ScriptPlayer?
    /// Whether the connection to the terminal is slow.
    var line = LineSpeed()
    /// The section of the map when it was last recorded.
    var recordedMap: MapControl?
    /// The screens since the start; `nil` if the script does not save them.
    var animation: AnimatedPicture?
    private var history: TripHistoryRecorder?
    /// What follows from events; it is shown after all events that were read together, as in a replay.
    var notices: [String] = []
    var isCaptionDue = false
    /// Shows the captions of the scenario while they are true.
    var captions: CaptionGate
    /// Whether the map of the demo town was requested.
    var hasTown = false
    /// The result with which an input has ended the session.
    var result: Result<CompletionTracker.Outcome, any Error>?
    /// What the session leaves; `nil` while it goes on.
    var leaving: Leaving?
    /// The timers of the next tick and of the script step; the next ones and the end of the session cancel them.
    var ticking: Task<Void, Never>?
    var stepping: Task<Void, Never>?
    /// The last request for tiles of the base map; the next one and the end of the session cancel it.
    var loading: Task<Void, Never>?
    /// What the user asked for and is not complete.
    var pending = PendingWork()

    /// Creates the first screen.
    init(_ opening: ScreenOpening, _ configuration: SessionConfiguration) {
        self.opening = opening
        self.configuration = configuration
        let output = configuration.output
        state = State(
            trips: configuration.trips,
            settings: State.Settings(
                host: configuration.endpoint.displayName,
                zone: output.zone(at: configuration.clock.now().wall),
                localizer: output.localizer(isASCII: opening.glyphs.level == .ascii),
                glyphs: opening.glyphs,
                speed: configuration.clock.rate,
                themes: Self.themes(first: opening.theme),
                mouse: output.options.mouse,
                isPresenter: output.options.presenter || configuration.tour != nil,
                keys: output.keys,
                provider: configuration.provider.rawValue,
                pastTrips: configuration.history?.trips ?? [],
                basemap: opening.basemap,
                findsBasemap: output.basemapFolder != nil,
                cellAspect: output.options.cellAspect,
                rings: output.options.bell,
                ride: configuration.ride?.settings,
                isRecorded: configuration.recorder != nil,
                findsTrips: configuration.serverTokens != nil,
                exportFormats: configuration.recorder == nil ? [] : ExportFormat.allCases.map(\.rawValue),
                limits: configuration.limits
            ),
            now: configuration.clock.now(),
            width: opening.size.width,
            height: opening.size.height
        )
        if opening.followsBackground { terminalTheme = opening.theme }
        captions = CaptionGate(configuration.trips)
        configuration.recorder?.screenAdvanced(to: state.now)
        if configuration.presenter != nil { state.hideFaults() }
        if let tour = configuration.tour { state.begin(heading: tour.heading, page: tour.page) }
        func choices(_ faults: [TestFault]) -> [FaultChoice] { faults.map(\.choice) }
        state.offer(choices(configuration.faults?.faults ?? []), names: choices(TestFault.all))
        if configuration.source.log != nil { state.offerSides() }
        if let replay = configuration.source.replay { begin(replay) }
        if let expectations = configuration.expectations {
            effects += state.update(.expectations(expectations.results, changed: []))
        }
        player = opening.script.map { ScriptPlayer(script: $0) }
        animation = player?.recordsAnimation == true ? AnimatedPicture() : nil
        history = configuration.history.map { TripHistoryRecorder(history: $0) }
        if let text = state.settings.localizer.fallback { effects += state.update(.notice(text)) }
        if let basemap = opening.basemap {
            record(.message(RecordedMessage(.map)))
            effects += state.update(.basemap(basemap))
        }
    }

    /// Returns the theme names in list order, rotated to begin with the current one.
    static func themes(first: Theme.Name) -> [String] {
        let all = Theme.Name.allCases
        let start = all.firstIndex(of: first) ?? 0
        return (all[start...] + all[..<start]).map(\.rawValue)
    }

    // MARK: Events

    mutating func advance(to now: Moment) {
        guard driver == nil else { return advanceReplay() }
        configuration.recorder?.screenAdvanced(to: now)
        effects += state.update(.tick(now)) + state.update(.speed(configuration.clock.rate))
        if captions.advance(to: now) { showCaption() }
        advanceReplay()
    }

    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        effects += state.update(.feed(event))
        if captions.handle(event, table, at: now) { isCaptionDue = true }
        if let text = history?.update(changes) { notices.append(text) }
        showTown()
    }

    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        effects += state.update(.token(event))
        if let message = inspection(after: event) { effects += state.update(message) }
    }

    mutating func update(_ search: SearchEvent, at now: Moment) { effects += state.update(.search(search)) }

    mutating func update(_ step: LiveLog.Step, at now: Moment) { effects += state.update(.logged(step)) }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        effects += state.update(.expectations(results, changed: changed))
    }

    mutating func update(_ remark: SessionRemark, at now: Moment) { effects += state.update(.remark(remark)) }

    mutating func update(_ input: Input) {
        switch input {
        case .tick: break
        case .message(let message):
            storeRemarks(of: message)
            effects += show(message)
        case .completed(let completion):
            pending.complete(completion)
            if let message = completion.message { update(.message(message)) }
        case .caption(let caption):
            configuration.presenter?.show(caption: words(of: caption))
            if captions.handle(caption, at: configuration.clock.now()) { showCaption() }
        case .nextStage: restart(DemoRestart(stage: (configuration.tour?.index ?? 0) + 1))
        case .presenter(let request): perform(request)
        case .town(let map):
            guard state.settings.basemap == nil else { break }
            record(.message(RecordedMessage(.town)))
            effects += state.update(.basemap(map))
            if travel != nil { effects += travel?.state.update(.basemap(map)) ?? [] }
        case .terminal(.interrupted(let signal)): result = .success(.interrupted(signal))
        case .terminal(.hangup): result = .success(.interrupted(SIGHUP))
        case .terminal(let event):
            if case .background(let background) = event, terminalTheme != nil { terminalTheme = background.theme }
            if event.isInput { handledInputs += 1 }
            update(event)
        case .step(let step):
            guard let text = player?.timeIsUp(of: step) else { break }
            result = Self.failure(
                Localizer.ofProcess(.scriptTimeout(text: excerpt(text), screen: picture.text))
            )
        }
    }

    /// Processes an event of the terminal or of the script.
    mutating func update(_ event: TerminalEvent) {
        guard travel == nil else { return updateTravel(event) }
        recordInput(event)
        switch event {
        case .key(let key): if let key = TripScreen.Key(key) { effects += state.update(.key(key)) }
        case .resized(let width, let height): effects += state.update(.resized(width: width, height: height))
        case .mouse(let mouse): if let pointer = Pointer(mouse) { effects += state.update(.pointer(pointer)) }
        case .paste(let text): effects += state.update(.paste(text))
        case .focus, .background, .resumed, .interrupted, .hangup: break
        }
    }

    // MARK: Drawing

    func close() async -> CommandFailure? {
        ticking?.cancel()
        stepping?.cancel()
        loading?.cancel()
        reading?.cancel()
        inputs.finish()
        // First of all the shell gets the terminal back, because the next keys are for it.
        await opening.close()
        recordScreen(view(state), isLast: true)
        let unfinished = await pending.finish()
        leaveSummary()
        return unfinished ?? leaving?.failure
    }
}
