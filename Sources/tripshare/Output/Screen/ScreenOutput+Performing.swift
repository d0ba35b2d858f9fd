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

extension ScreenOutput {
    /// Shows the notices and the caption that follow from the events.
    private mutating func showConsequences() {
        if isCaptionDue { showCaption() }
        for text in notices { effects += show(.notice(text)) }
        (notices, isCaptionDue) = ([], false)
    }

    /// Shows the current caption of the scenario.
    mutating func showCaption() {
        let caption = captions.caption
        update(.message(.caption(caption.map(words) ?? "", while: caption?.validity.words ?? "")))
    }

    /// Returns a caption in the language of the screen.
    func words(of caption: SceneCaption) -> String {
        state.settings.localizer.caption(caption.text, translations: caption.translations)
    }

    /// Ends the session, so that the demo starts again.
    mutating func restart(_ restart: DemoRestart) {
        var restart = restart
        restart.handledInputs = handledInputs
        restart.isPresenter = state.settings.isPresenter
        result = .failure(restart)
    }

    /// Draws the demo town if the trip or the shipment is inside it and the user has chosen no other map.
    mutating func showTown() {
        guard !hasTown, state.settings.basemap == nil, let trip = state.trip?.state.journey,
            let place = trip.pickup ?? trip.dropoff, Town.isInDemo(place)
        else { return }
        hasTown = true
        // This task is not awaited: its result is not needed after the session ends.
        Task.detached { [inputs] in
            // The tests read the embedded file. Without a map the ride is still shown.
            guard let map = try? Basemap(geoJSON: Data(Town.demoGeoJSON)) else { return }
            await inputs.send(.town(map))
        }
    }

    mutating func warn(_ text: String) {
        let line = text.replacing("\n", with: " ")
        effects += show(.notice(line)) + show(.complaint(line))
    }

    /// Returns the inspection of the token that was just stored: its claims and rules, never the token.
    func inspection(after event: TokenEvent) -> Message? {
        guard let trip = event.context.journey, let verdict = configuration.recorder?.verdict(after: event)
        else { return nil }
        return .inspected(trip, verdict)
    }

    mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
        if let result { return result }
        showConsequences()
        feed.view(Set([state.trip?.id].compactMap(\.self)))
        for case .play(let scenario) in effects { restart(DemoRestart(scenario: scenario)) }
        if let result { return result }
        guard await performEffects(on: feed) else { return .success(.done) }
        // Before an audience, the key asks first; the session has ended, so that it needs no answer.
        if leaving != nil, state.asked == .quit { return .success(.done) }
        if let result = await playScript(on: feed) { return result }
        publishToPresenter()
        let isPresent = driver == nil && travel == nil
        let canvas = isPresent ? frames.next(state) : picture
        let time = configuration.clock.realTime.seconds
        animation?.add(canvas, at: time)
        if let screen = opening.screen {
            let status = WindowStatus(title: state.windowTitle, progress: state.ridePercentage)
            line.observe(isBehind: await screen.present(linked(canvas), status), at: configuration.clock.realTime)
        }
        // A replay computes the recorded pictures again, all of it at one time.
        recordScreen(
            !isPresent || frames.isComplete ? canvas : view(state),
            hasMoved: state.mapControl.mode == .follow && state.mapControl != recordedMap
        )
        recordedMap = state.mapControl
        ticking?.cancel()
        ticking = nil
        if let wait = replayWait {
            ticking = timer(.tick) { [clock = configuration.clock] in try await clock.sleep(real: wait) }
        }
        guard driver == nil, travel == nil else { return nil }
        let now = configuration.clock.now()
        if let wait = state.nextTick(after: now, glides: glides) {
            ticking = timer(.tick) { [clock = configuration.clock] in try await clock.sleep(until: now.steady + wait) }
        }
        return nil
    }

    /// Returns a picture of the screen with its links: the ID of the trip opens its page, otherwise the recording.
    private func linked(_ canvas: Canvas) -> Canvas {
        guard configuration.output.features.contains(.links) else { return canvas }
        let template = configuration.output.tripPage
        let recording = configuration.recordingPath.flatMap { $0 == "-" ? nil : $0 }
        var canvas = canvas
        shown.addLinks(
            to: &canvas,
            page: { id in
                template.flatMap { LinkAddress.page(of: id, $0) } ?? recording.map { LinkAddress.file($0) }
            },
            file: { LinkAddress.file($0) }
        )
        return canvas
    }

    /// Whether the vehicle moves on the map between two seconds.
    var glides: Bool {
        !configuration.output.options.calm && !line.isSlow(at: configuration.clock.realTime)
    }

    /// Performs the pending effects; returns `false` if one of them ends the session.
    mutating func performEffects(on feed: TripFeed) async -> Bool {
        while !effects.isEmpty {
            let pending = effects
            effects = []
            var hasMoved = false
            for effect in pending {
                switch effect {
                case .quit: return false
                case .replay, .travel:
                    moveReplay(effect)
                    hasMoved = true
                default: await perform(effect, on: feed)
                }
            }
            if hasMoved { advanceReplay() }
        }
        return true
    }

    /// Does what the user asked for in another task; the end of the session waits for it.
    mutating func perform(_ name: String, _ work: @escaping @Sendable () async -> Message?) {
        pending.add(name, work) { [inputs] in await inputs.send(.completed($0)) }
    }
}
