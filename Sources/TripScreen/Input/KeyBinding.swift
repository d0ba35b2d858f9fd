import Runtime
import TripFeed
package import TripText

/// One row of the key map.
package struct KeyBinding: Sendable, Equatable {
    /// The command of a key; the raw value is its name in the configuration.
    package enum Command: String, Sendable, Hashable, CaseIterable {
        case quit, help, palette, note, saveRecording, saveBugReport, export, receipt, failure, talk, toggleMouse,
            nextTheme,
            presenter
        case showView, nextView, previousView, back, showSides, expectations, faults, clearFaults
        case holdRide, stepRide, nextStage, slowerRide, fasterRide
        case playReplay, nextPoll, previousPoll, nextEvent, previousEvent, nextMark, previousMark, slowerReplay
        case fasterReplay, replayStart, replayEnd, loopReplay, timeTravel, compareTimes
        case togglePause, pollNow, lessOften, moreOften, refreshToken, copy, nextTrip, previousTrip, evidence
        case pan, zoomIn, zoomOut, fit, follow, showReports, largeMap, largeArrival
        case olderEvents, newerEvents, newestEvents
        case moveInList, pageInList, open
        case chooseCall, pageCalls, openCall, orderCalls, reverseCalls, failuresOnly, nextFailure, previousFailure
        case remove = "leave"
        case order, reverseOrder, filter
        case scrollText
        case moveInTree, pageInTree, fold, changesOnly, search, nextMatch, previousMatch
        case scrollLog, pageLog, newestLog

        /// The commands that control an emulated ride.
        package static let ofRide: Set<Command> = [.holdRide, .stepRide, .nextStage, .slowerRide, .fasterRide]
        /// The commands that only the session of a log has.
        package static let ofLogs: Set<Command> = [.showSides]
        /// The commands of testers, which exist only in a session with expectations or faults.
        package static let ofTesters: Set<Command> = [.expectations, .faults, .clearFaults]

        /// The question before the key of a command writes a file at once; `nil` for a key that writes none.
        var fileQuestion: Text? {
            switch self {
            case .saveRecording: .saveRecordingQuestion
            case .saveBugReport: .saveBugReportQuestion
            default: nil
            }
        }
    }

    /// The command.
    package let command: Command
    /// The keys.
    package internal(set) var keys: [Key]
    /// The names of the keys for display.
    package internal(set) var name: String
    /// What it does, in one or two words.
    let label: Text
    /// What it does, in a sentence; `nil` for the sentence that names the views.
    let help: Text?
    /// The views in which it does something; empty for all.
    package let views: [ViewKind]
    /// Whether the key line shows it.
    package let isInKeyLine: Bool

    init(
        _ command: Command,
        _ keys: [Key],
        _ name: String,
        _ label: Text,
        _ help: Text?,
        in views: [ViewKind] = [],
        isInKeyLine: Bool = true
    ) {
        self.command = command
        self.keys = keys
        self.name = name
        self.label = label
        self.help = help
        self.views = views
        self.isInKeyLine = isInKeyLine
    }

    /// The commands that scroll while arrival and timeline fill the screen.
    private static let scrollsArrival: Set<Command> = [.pan, .olderEvents, .newerEvents, .newestEvents]

    /// Returns whether it is active in a state.
    package func isValid(in state: State) -> Bool {
        guard views.isEmpty || views.contains(state.view) else { return false }
        switch command {
        case .quit, .help: return true
        case .back:
            return state.overlay != nil || state.showsLargeArrival || state.above != nil || !state.needle.isEmpty
                || state.settings.isPresenter
        default: break
        }
        guard state.overlay == nil, isOffered(in: state) else { return false }
        if state.showsLargeArrival, Self.scrollsArrival.contains(command) { return true }
        switch command {
        case .clearFaults: return !state.activeFaults.isEmpty
        case .nextTheme: return state.settings.themes.count > 1
        case .togglePause, .lessOften, .moreOften: return !state.hasEnded && hasSchedule(state)
        case .pollNow, .refreshToken, .remove: return state.shown { $0.end == nil } ?? false
        case .copy, .saveBugReport, .receipt: return state.trips.indices.contains(state.selected)
        case .evidence: return state.hasEvidence
        case .failure: return state.explained == .evidence || state.shown { $0.lastFailure != nil } ?? false
        case .nextTrip, .previousTrip: return state.trips.count > 1
        case .largeArrival: return state.shown { $0.isKnown } ?? false
        case .olderEvents:
            return state.shown { state.panels.trip.eventScroll < state.log.entries(of: $0.id).count - 1 } ?? false
        case .newerEvents, .newestEvents: return state.panels.trip.eventScroll > 0
        case .newestLog: return state.panels.log.scroll > 0
        case .pan, .largeMap: return hasMap(state)
        case .zoomIn, .zoomOut: return hasMap(state) && !state.showsLargeArrival
        case .fit: return hasMap(state) && state.panels.trip.map.mode != .fit && !state.showsLargeArrival
        case .follow:
            guard hasMap(state), !state.showsLargeArrival else { return false }
            return hasVehicle(state) && state.panels.trip.map.mode != .follow
        case .showReports: return hasVehicle(state) && !state.showsLargeArrival
        case .nextMatch, .previousMatch: return !state.panels.inspector.tree.search.isEmpty
        default: return true
        }
    }

    /// Returns whether the key line shows it; the receipt is offered at the end of a trip, what failed while it fails, and the way
    /// back from the past.
    func isInKeyLine(of state: State) -> Bool {
        isInKeyLine && !(command == .clearFaults && state.settings.hidesFaults)
            || command == .failure && state.shown { $0.lastFailure.map { $0.end == nil } } ?? false
            || command == .receipt && (state.shown { $0.receipt.hasEnded } ?? false)
    }

    /// Returns whether it exists in a state: ride commands need an emulator whose clock can be changed, the check list needs
    /// expectations, the menu of faults a session that can inject them, saving and exporting a session that
    /// stores the last minutes.
    func isOffered(in state: State) -> Bool {
        guard command.isOffered(with: state.timeLine, isRecorded: state.settings.isRecorded) else { return false }
        return switch command {
        case .expectations: !state.expectations.isEmpty
        case .faults, .clearFaults: !state.settings.faults.isEmpty
        case .saveRecording: state.settings.isRecorded
        case .showSides: state.settings.hasSides
        case .togglePause, .pollNow, .lessOften, .moreOften, .refreshToken: !state.settings.hasSides
        case .export: !state.settings.exportFormats.isEmpty
        default: !Command.ofRide.contains(command) || state.settings.ride != nil
        }
    }

    /// The name of the first key, for narrow layouts.
    var shortName: String {
        command.needsKey ? name : name.split(separator: " ").first.map(String.init) ?? name
    }

    /// Returns the label in a state: pause and resume share a key.
    package func label(in state: State) -> String {
        let localizer = state.settings.localizer.about(state.shownKind)
        if state.showsLargeArrival, Self.scrollsArrival.contains(command) { return localizer(.keyScroll) }
        let goesOn =
            switch command {
            case .togglePause: state.isPaused
            case .holdRide: state.ride.isHeld
            case .playReplay: state.timeLine?.isPaused ?? false
            default: false
            }
        if command == .timeTravel, state.timeLine != nil { return localizer(.keyTravelBack) }
        return localizer(goesOn ? .keyGoOn : label)
    }

    /// Returns the description in a language.
    package func help(_ localizer: Localizer) -> String {
        if let help { return localizer(help) }
        return localizer(
            .helpViews(views: ViewKind.allCases.map { localizer($0.title) }.joined(separator: localizer(.listComma)))
        )
    }

    private func hasMap(_ state: State) -> Bool { state.shown { !$0.map.isEmpty } ?? false }

    private func hasVehicle(_ state: State) -> Bool { state.shown { $0.map.vehicle != nil } ?? false }

    private func hasSchedule(_ state: State) -> Bool {
        state.trips.indices.contains { state.trips[$0].schedule != nil && state.trips[$0].end == nil }
    }
}
