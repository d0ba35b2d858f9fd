import AsyncAlgorithms
import Canvas
import Failures
import FleetTokens
import Foundation
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

extension ScreenOutput {
    /// Performs an effect; ``Effect/quit`` and ``Effect/play(_:)`` end the session instead.
    mutating func perform(_ effect: Effect, on feed: TripFeed) async {
        let screen = opening.screen
        switch effect {
        case .quit, .play, .replay, .travel: break
        case .feed(let command, let trip): await feed.command(command, journey: trip)
        case .watch(let trip): feed.add(trip)
        case .remove(let trip): await feed.remove(trip)
        case .findTrips: findTrips()
        case .refreshToken(let trip): configuration.tokens.refresh(.journey(trip))
        case .readBasemap(let path):
            // This task is not awaited: its result is not needed after the session ends.
            Task.detached { [inputs] in await inputs.send(.message(Self.basemap(path))) }
        case .loadTiles(let ids):
            loading?.cancel()
            guard let archive = state.settings.basemap?.archive else { break }
            loading = Task.detached { [inputs] in await TileLoading.load(ids, of: archive, to: inputs) }
        case .findBasemap(let point):
            guard let folder = configuration.output.basemapFolder else { break }
            // This task is not awaited: its result is not needed after the session ends.
            Task.detached { [inputs] in
                // The folder was readable when the session began; without it there is no base map.
                guard let basemap = try? BasemapFolder.basemap(in: folder, containing: point) else { return }
                await inputs.send(.message(.basemap(basemap)))
            }
        case .remark(let remark): store(remark)
        case .saveBugReport: saveBugReport()
        case .saveRecording: _ = show(saveRecording())
        case .export(let format, let path): export(format, to: path)
        case .share(let path): share(to: path)
        case .save(let path):
            let problem = path.lowercased().hasSuffix(".svg") ? draw(to: path) : dump(to: path)
            _ = show(problem.map(Message.complaint) ?? .saved(path))
        case .theme(let name):
            terminalTheme = nil
            if let theme = Theme.Name(rawValue: name) { await screen?.use(theme) }
        case .copy(let text): await screen?.copy(text)
        case .mouse(let isOn): await screen?.reportMouse(isOn)
        case .fault(let change): inject(change)
        case .answer(let index, let answer, let note):
            guard let expectations = configuration.expectations else { break }
            let changed = expectations.answer(index, answer, note: note, at: configuration.clock.now())
            _ = state.update(.expectations(expectations.results, changed: changed))
        case .ring(let text): await screen?.notify(text)
        case .ride(let change):
            guard let ride = configuration.ride else { break }
            if ride.isImmediate {
                _ = await ride.perform(change)
                break
            }
            // The clock shows the effect.
            perform("clock") { await ride.perform(change).map(Message.complaint) }
        }
    }

    /// Searches for the active trips of the project; the completions of `:watch` show them.
    private func findTrips() {
        // This task is not awaited: its result is not needed after the session ends.
        Task { [inputs, configuration] in
            var refusals: [Failure] = []
            do {
                let listing = try await configuration.activeTrips(
                    pages: 2,
                    searched: { configuration.requestedSearches.pass($0) },
                    renewed: { refusals.append($0) }
                )
                for refusal in refusals {
                    let text = Localizer.ofProcess(Text(renewed: refusal))
                    await inputs.send(.message(.notice(text.replacing("\n", with: " "))))
                }
                await inputs.send(.message(.found(listing.trips.map { .trip($0.id) })))
            } catch let failure as CommandFailure {
                // The list is an offer: without it, an ID can still be typed. The log says why there is none.
                await inputs.send(.message(.notice(failure.message.replacing("\n", with: " "))))
            } catch {
                await inputs.send(.message(.notice("\(error)")))
            }
        }
    }

    /// Changes the faults; the banner shows the result, an error arrives as a message.
    private mutating func inject(_ change: FaultChange) {
        inject(change) { [inputs] problem in
            if let problem { await inputs.send(.message(.complaint(problem))) }
        }
    }

    /// Changes the faults, and reports the error message, if there is one.
    mutating func inject(_ change: FaultChange, report: @escaping @Sendable (String?) async -> Void) {
        guard let faults = configuration.faults else { return }
        let trips = state.trips.filter { $0.end == nil }.map(\.id)
        let name = if case .toggle(let id) = change { id } else { "faults" }
        let task = faults.begin(change) { [inputs, tokens = configuration.tokens] active in
            // The log has the fault in front of the fetches that meet it.
            await inputs.send(.message(.faults(active)))
            if case .toggle(let id) = change, active.contains(id),
                TestFault.all.contains(where: { $0.id == id && $0.needsNewToken })
            {
                for trip in trips { tokens.refresh(.journey(trip)) }
            }
        }
        perform(name) {
            await report(task.value)
            return nil
        }
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
    func dump(to path: String) -> String? { save(picture.text + "\n", to: path) }

    /// Saves the screen as a picture in the colors of its theme; returns an error message on failure.
    func draw(to path: String) -> String? { save(PictureFile(picture, theme: drawnTheme).text, to: path) }

    /// The theme of pictures.
    var drawnTheme: Theme { Theme(terminalTheme ?? Theme.Name(rawValue: state.display.theme) ?? .dark) }

    /// Saves a text; returns an error message on failure.
    func save(_ text: String, to path: String) -> String? {
        do {
            try OutputFile.write(text.utf8, to: path)
            return nil
        } catch {
            return Localizer.ofProcess(
                .screenNotSaved(file: excerpt(path: path), reason: error.reason(.ofProcess))
            )
        }
    }
}
