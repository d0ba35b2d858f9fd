import AsyncAlgorithms
import Canvas
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// Replays and time travel on the screen.
extension ScreenOutput {
    /// What is on the screen.
    var shown: State { travel?.state ?? state }

    /// The picture of the screen: during time travel on a wide screen, the past beside the present.
    var picture: Canvas {
        var canvas = view(shown)
        if travel != nil { SideBySide(shown, beside: state.snapshot)?.draw(on: &canvas) }
        return canvas
    }

    private var real: Duration { configuration.clock.realTime }

    /// Begins to play a recording or a log.
    mutating func begin(_ replay: ReplaySource) {
        let opening = replay.open()
        // The session's clock starts at the first position, which may be later.
        state.rewind(to: opening.index.start)
        if replay.isLog { state.offerSidesOfReplay() }
        let clock = ReplayClock(
            length: opening.index.length,
            speed: configuration.clock.speed,
            isLooping: replay.isLooping,
            position: replay.from,
            at: real
        )
        let driver = ReplayDriver(
            opening,
            state,
            clock: clock,
            playsAll: configuration.judgesEvents
        )
        _ = state.update(.timeLine(driver.timeLine(.recording, at: real)))
        configuration.clock.place(at: driver.moment)
        self.driver = driver
    }

    /// Shows the position at the current time.
    mutating func advanceReplay() {
        // One time for all of it: a time line that is read later may show the end before the last events were played.
        let real = real
        if var driver {
            self.driver = nil
            effects += driver.advance(&state, at: real, isLate: isLate)
            _ = state.update(.timeLine(driver.timeLine(.recording, at: real)))
            configuration.clock.place(at: driver.moment)
            self.driver = driver
            showTown()
        }
        if var travel {
            self.travel = nil
            effects += travel.advance(state, at: real, isLate: isLate)
            self.travel = travel
        }
    }

    /// Returns a function that is true after the time for which a picture may be late.
    private var isLate: () -> Bool {
        let (clock, begin) = (configuration.clock, real)
        return { clock.realTime - begin > .milliseconds(80) }
    }

    /// Shows an item, unless the screen has played it.
    mutating func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        if driver == nil { update(item, changes, table) }
    }

    mutating func dequeuePlayed() -> [SessionItem] {
        (driver?.dequeueSteps() ?? []).flatMap { step in
            step.items.compactMap { SessionItem(played: $0, at: step.moment) }
        }
    }

    /// The real time until the next picture of a replay; `nil` if nothing moves.
    var replayWait: Duration? {
        guard let wait = travel.map({ $0.wait(at: real) ?? .seconds(1) }) ?? driver?.wait(at: real) else { return nil }
        let speed = shown.settings.speed
        guard glides, speed > 0, travel == nil || shown.timeLine?.isPaused == false,
            let move = shown.nextGlide(after: shown.now, within: .seconds(wait.seconds * speed))
        else { return wait }
        return .seconds(move.seconds / speed)
    }

    /// Performs a command of the replay, or of the time travel.
    mutating func moveReplay(_ effect: Effect) {
        let real = real
        switch effect {
        case .replay(let command):
            if travel != nil {
                travel?.perform(command, at: real)
            } else if var driver {
                self.driver = nil
                driver.perform(command, on: &state, at: real)
                self.driver = driver
            }
        case .travel(.toggle): if travel == nil { beginTravel() } else { returnToPresent() }
        case .travel(.compare): travel?.compare(at: real)
        default: break
        }
    }

    // MARK: Time travel

    /// Shows the last minutes of the session; the session continues.
    private mutating func beginTravel() {
        guard driver == nil, let recorder = configuration.recorder,
            let travel = TimeTravel(
                recorder.lastMinutes,
                from: state,
                trailLength: TripFeed.trailLength(for: max(1, state.trips.count)),
                at: real
            )
        else {
            effects += show(.complaint(state.settings.localizer(.travelNothing)))
            return
        }
        self.travel = travel
        let (frames, first) = (travel.driver.frames, travel.state)
        // Cancelled when the present is shown again, and at the end of the session.
        reading = Task.detached { [inputs] in
            var reader = ReplayReader(frames, first)
            await reader.readAll(of: frames.index.count) { await inputs.send(.tick) }
        }
    }

    /// Shows the present, in the view in which the past was shown.
    private mutating func returnToPresent() {
        reading?.cancel()
        reading = nil
        guard let view = travel?.state.view else { return }
        travel = nil
        guard view != state.view, state.prompt == nil, state.overlay == nil,
            let key = state.key(showing: view)
        else { return }
        // The recording has the key, so that it can be verified.
        record(.key(RecordedKey(key: key.name)))
        effects += state.update(.key(key))
    }

    /// Processes an event of the terminal while the past is shown; the recording of the session does not contain it.
    mutating func updateTravel(_ event: TerminalEvent) {
        switch event {
        case .key(let key):
            if let key = TripScreen.Key(key) { effects += travel?.state.update(.key(key)) ?? [] }
        case .resized(let width, let height):
            recordInput(event)
            effects += state.update(.resized(width: width, height: height))
            effects += travel?.state.update(.resized(width: width, height: height)) ?? []
        case .mouse(let mouse):
            if let pointer = Pointer(mouse) { effects += travel?.state.update(.pointer(pointer)) ?? [] }
        case .paste(let text): effects += travel?.state.update(.paste(text)) ?? []
        case .focus, .background, .resumed, .interrupted, .hangup: break
        }
    }
}
