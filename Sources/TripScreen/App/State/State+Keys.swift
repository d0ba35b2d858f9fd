import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

extension State {
    /// The view to which Escape returns; `nil` at the top.
    var above: ViewKind? { view.place.type.above(in: self) }

    /// Shows a view.
    mutating func show(_ kind: ViewKind) {
        view = kind
        closePrompt()
        _ = updateView { $0.open(in: $1) }
    }

    /// Leaves the presenter mode; shows how to return.
    private mutating func closePresenter() {
        guard settings.isPresenter else { return }
        settings.isPresenter = false
        let name = settings.keys.first { $0.command == .presenter }?.name ?? ""
        message = settings.localizer(.presenterLeft(key: name.isEmpty ? ":presenter" : name))
    }

    /// Shows another trip in the current view.
    mutating func select(_ index: Int) {
        guard trips.indices.contains(index), index != selected else { return }
        selected = index
        forgetPlaces()
    }

    /// Resets scroll positions and selections after a change of the shown trip.
    mutating func forgetPlaces() {
        for kind in views { panels[kind].forgetPlaces() }
        refreshView()
    }

    /// Explains why a key has no effect: the trip has ended, the past is shown, or it has no meaning here.
    mutating func explainIgnoredKey(_ key: Key) {
        guard overlay == nil else { return }
        let bound = settings.keys.filter { $0.keys.contains(key) }
        if let trip, let ended = trip.endMessage(host: settings.host, settings.localizer),
            bound.contains(where: { $0.command == .pollNow || $0.command == .refreshToken })
        {
            message = ended.what
        } else if timeLine?.isTravel == true, bound.contains(where: { !$0.isOffered(in: self) }) {
            message = notInThePast
        } else if isShownByName(key) {
            let help = settings.keys.first { $0.command == .help }?.shortName ?? ""
            message = settings.localizer(.keyUnused(key: key.name, help: help.isEmpty ? ":help" : help))
        }
    }

    private func isShownByName(_ key: Key) -> Bool {
        switch key {
        case .character(let character): !character.isWhitespace
        case .function: true
        default: false
        }
    }

    /// The notice that a command is not available while the past is shown, and how to return.
    var notInThePast: String {
        let key = settings.keys.first { $0.command == .timeTravel }?.shortName ?? ""
        return settings.localizer(.notInPast(key: key.isEmpty ? ":timeTravel" : key))
    }

    /// Performs the command of a key.
    mutating func perform(_ command: KeyBinding.Command, by key: Key) -> [Effect] {
        switch command {
        case .quit: return [.quit]
        case .help:
            if case .help = overlay { show(overlay: nil) } else { show(overlay: .help(row: 0)) }
        case .expectations: showExpectations()
        case .faults: show(overlay: .faults)
        case .clearFaults: return [.fault(.clear)]
        case .showView:
            if case .character(let digit) = key, let number = digit.wholeNumberValue,
                let kind = ViewKind(rawValue: number - 1), views.contains(kind)
            {
                show(kind)
            }
        case .showSides: show(.sides)
        case .nextView: show(view.stepped(by: 1, in: views))
        case .previousView: show(view.stepped(by: -1, in: views))
        case .back: goBack()
        case .holdRide: return settings.ride == nil ? [] : [.ride(ride.toggled())]
        case .stepRide:
            guard settings.ride != nil else { return [] }
            // Paused polls do not detect the step by themselves.
            return [.ride(ride.stepped())] + (isPaused ? orders(.pollNow) : [])
        case .nextStage:
            guard settings.ride != nil else { return [] }
            guard let change = ride.skipped(trips) else {
                message = settings.localizer(.noNextStage)
                return []
            }
            let resumed = isPaused ? orders(.togglePause).filter { if case .feed = $0 { true } else { false } } : []
            return [.ride(change)] + resumed
        case .slowerRide, .fasterRide:
            guard settings.ride != nil, let change = ride.changed(faster: command == .fasterRide) else { return [] }
            return [.ride(change)]
        case .togglePause, .pollNow, .lessOften, .moreOften, .refreshToken: return orders(command)
        case .playReplay, .nextPoll, .previousPoll, .nextEvent, .previousEvent, .nextMark, .previousMark, .slowerReplay,
            .fasterReplay, .replayStart, .replayEnd, .loopReplay, .timeTravel, .compareTimes:
            return performReplay(command)
        case .copy:
            guard let trip else { return [] }
            let text =
                (view == .network
                    ? panels.network.chosenCall(in: self).flatMap { CallCommand.text(for: $0.call) } : nil)
                ?? trip.id.rawValue
            message = settings.localizer(.copied(text: text.sanitized(limit: 200)))
            return [.copy(text)]
        case .nextTrip: select((selected + 1) % max(1, trips.count))
        case .previousTrip: select((selected + max(1, trips.count) - 1) % max(1, trips.count))
        case .olderEvents: change(\.trip) { $0.scrollEvents(by: 5, in: $1) }
        case .newerEvents: change(\.trip) { $0.scrollEvents(by: -5, in: $1) }
        case .newestEvents: change(\.trip) { $0.showNewestEvents(in: $1) }
        case .newestLog: panels.log.showNewest()
        case .pan: change(\.trip) { $0.pan(by: key, in: $1) }
        case .zoomIn: change(\.trip) { $0.zoom(by: MapControl.zoomStep, in: $1) }
        case .zoomOut: change(\.trip) { $0.zoom(by: 1 / MapControl.zoomStep, in: $1) }
        case .fit: panels.trip.fit()
        case .follow: change(\.trip) { $0.follow(in: $1) }
        case .showReports: panels.trip.toggleReports()
        case .largeMap: panels.trip.toggleLargeMap()
        case .largeArrival: panels.trip.toggleLargeArrival()
        case .scrollLog, .pageLog: panels.log.scrollBack(by: -key.rows(page: page), in: log)
        case .moveInList, .pageInList:
            return update(\.trips) { $0.moveSelection(by: key.rows(page: $1.page), in: $1) }
        case .open: return update(\.trips) { $0.open(selectedIn: $1) }
        case .chooseCall, .pageCalls: change(\.network) { $0.move(by: key.rows(page: $1.page), in: $1) }
        case .openCall: return update(\.network) { $0.openCall(in: $1) }
        case .orderCalls: panels.network.changeOrder()
        case .reverseCalls: panels.network.reverse()
        case .failuresOnly: panels.network.toggleFailuresOnly()
        case .nextFailure, .previousFailure:
            return update(\.network) { $0.jumpToFailure(forward: command == .nextFailure, in: $1) }
        case .remove: return update(\.trips) { $0.askToRemove(in: $1) }
        case .order: panels.trips.changeOrder()
        case .reverseOrder: panels.trips.reverse()
        case .palette:
            open(.command)
            return searchTrips()
        case .saveRecording: return [.saveRecording]
        case .saveBugReport: return [.saveBugReport]
        case .note: openNote()
        case .receipt: show(details: .receipt)
        case .evidence: show(details: .evidence)
        case .talk: display.showsTalk.toggle()
        case .failure: show(details: explained)
        case .export: open(.command, "export ")
        case .toggleMouse: return setMouse(!display.hasMouse)
        case .nextTheme:
            let names = settings.themes
            guard let index = names.firstIndex(of: display.theme) else { return [] }
            display.theme = names[(index + 1) % names.count]
            message = settings.localizer(.themeNow(theme: display.theme))
            return [.theme(display.theme)]
        case .presenter:
            settings.isPresenter.toggle()
            if settings.isPresenter { show(.trip) }
        case .filter: open(.filter, needle)
        case .search: open(.search, needle)
        case .scrollText: scrollText(by: key.rows(page: page))
        case .moveInTree, .pageInTree: panels.inspector.tree.move(by: key.rows(page: page))
        case .fold: panels.inspector.fold(by: key)
        case .changesOnly: panels.inspector.tree.toggleChangesOnly()
        case .nextMatch: panels.inspector.tree.jump(forward: true)
        case .previousMatch: panels.inspector.tree.jump(forward: false)
        }
        return []
    }

    /// Scrolls the current view, if it is a text.
    mutating func scrollText(by rows: Int) {
        change(view) { panel, state in
            guard var text = panel as? any TextPanel else { return }
            text.scroll(by: rows, in: state)
            panel = text
        }
    }

    private mutating func goBack() {
        if overlay != nil {
            show(overlay: nil)
        } else if showsLargeArrival {
            panels.trip.closeLargeArrival()
        } else if !needle.isEmpty {
            seek("")
        } else if settings.isPresenter {
            if view == .trip { closePresenter() } else { show(.trip) }
        } else if let above {
            show(above)
        }
    }

    private mutating func orders(_ command: KeyBinding.Command) -> [Effect] {
        let active = trips.filter { $0.end == nil }
        switch command {
        case .togglePause:
            let pauses = !(input.orderedPause ?? isPaused)
            input.orderedPause = pauses
            let order: FeedCommand = pauses ? .pause : .resume
            // Pause the ride together with the polls.
            let ride: [Effect] = settings.ride == nil ? [] : [.ride(RideChange(isPaused: pauses))]
            let orders: [Effect] = active.map { .feed(order, $0.id) }
            return ride + orders
        case .lessOften, .moreOften:
            return active.compactMap { trip in
                trip.schedule.map {
                    .feed(.setInterval(Self.step($0.interval, longer: command == .lessOften)), trip.id)
                }
            }
        case .pollNow: return trip.map { [.feed(.pollNow, $0.id)] } ?? []
        case .refreshToken: return trip.map { [.refreshToken($0.id)] } ?? []
        default: return []
        }
    }

    /// The number of rows per page, slightly fewer than a view shows.
    var page: Int { max(1, height - 8) }

    /// The selectable intervals in seconds.
    static let intervals: [Double] = [1, 2, 3, 5, 10, 15, 30, 60]

    /// Returns the next longer or shorter interval.
    static func step(_ interval: Duration, longer: Bool) -> Duration {
        let seconds = interval.seconds
        let next = longer ? intervals.first { $0 > seconds + 0.01 } : intervals.last { $0 < seconds - 0.01 }
        return next.map { .seconds($0) } ?? interval
    }
}

extension Key {
    /// Returns the number of rows that it scrolls down.
    func rows(page: Int) -> Int {
        switch self {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -page
        case .pageDown: page
        case .home, .character("g"): -1_000_000
        case .end, .character("G"): 1_000_000
        default: 0
        }
    }
}
