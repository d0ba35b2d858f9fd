import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

extension State {
    /// The view to which Escape returns; `nil` at the top.
    var above: ViewKind? { view.panel.above(in: self) }

    /// Shows a view.
    mutating func show(_ kind: ViewKind) {
        view = kind
        closePrompt()
        kind.panel.open(&self)
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
        display.scroll = [:]
        callList.chosen = nil
        log.panelScroll = 0
        map.mode = .fit
        view.panel.refresh(&self)
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
                (view == .network ? chosenCall.flatMap { CallCommand.text(for: $0.call) } : nil) ?? trip.id.rawValue
            message = settings.localizer(.copied(text: text.sanitized(limit: 200)))
            return [.copy(text)]
        case .nextTrip: select((selected + 1) % max(1, trips.count))
        case .previousTrip: select((selected + max(1, trips.count) - 1) % max(1, trips.count))
        case .olderEvents: scrollEvents(by: 5)
        case .newerEvents: scrollEvents(by: -5)
        case .newestEvents: if showsLargeArrival { scrollText(by: 500) } else { log.panelScroll = 0 }
        case .newestLog: log.scroll = 0
        case .pan: pan(by: key)
        case .zoomIn: zoom(by: MapControl.zoomStep)
        case .zoomOut: zoom(by: 1 / MapControl.zoomStep)
        case .fit:
            map.mode = .fit
            map.fitted = nil
        case .follow: follow()
        case .showReports: map.showsReports.toggle()
        case .largeMap:
            map.isLarge.toggle()
            display.hasLargeArrival = false
        case .largeArrival:
            display.hasLargeArrival.toggle()
            map.isLarge = false
            display.scroll[.trip] = 0
        case .scrollLog: log.scrollBack(by: -Self.rows(key, page: page))
        case .pageLog: log.scrollBack(by: -Self.rows(key, page: page))
        case .moveInList, .pageInList: moveSelection(by: Self.rows(key, page: page))
        case .open:
            // The filter may match nothing.
            if listed.contains(selected) { show(settings.hasSides ? .sides : .trip) }
        case .chooseCall, .pageCalls, .openCall, .orderCalls, .reverseCalls, .failuresOnly, .nextFailure,
            .previousFailure:
            performInCalls(command, by: key)
        case .remove: return askToRemove()
        case .order:
            let orders = TripList.Order.allCases
            let index = orders.firstIndex(of: list.order) ?? 0
            list.order = orders[(index + 1) % orders.count]
        case .reverseOrder: list.isReversed.toggle()
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
        case .scrollText: scrollText(by: Self.rows(key, page: page))
        case .moveInTree, .pageInTree: inspector.move(by: Self.rows(key, page: page))
        case .fold: inspector.fold(open: Self.wantsOpen(key))
        case .changesOnly: inspector.toggleChangesOnly()
        case .nextMatch: inspector.jump(forward: true)
        case .previousMatch: inspector.jump(forward: false)
        }
        return []
    }

    /// Scrolls the events of the shown trip, or the arrival if it fills the screen.
    mutating func scrollEvents(by lines: Int) {
        guard !showsLargeArrival else { return scrollText(by: -lines) }
        if let trip { log.scrollPanel(of: trip.id, by: lines) }
    }

    mutating func scrollText(by rows: Int) {
        display.scroll[view] = max(0, min((display.scroll[view] ?? 0) + rows, lastRow))
    }

    /// The maximum scroll offset of the view, or the number of the last element of its list.
    var lastRow: Int {
        guard let trip else { return 0 }
        return switch view {
        case .trip: lastArrivalRow
        case .findings: FindingsView.lastRow(of: TripView(state: self, trip: trip), width: layout.body.width)
        default: 500
        }
    }

    /// The maximum scroll offset of the large arrival.
    private var lastArrivalRow: Int {
        guard let trip else { return 0 }
        let body = layout.body
        let block = TripView(state: self, trip: trip).largeArrival(width: body.width - 4)
        return max(0, block.lines.count - (body.height - 3))
    }

    private mutating func pan(by key: Key) {
        guard !showsLargeArrival else { return scrollText(by: Self.rows(key, page: page)) }
        let step = MapControl.panStep
        switch key {
        case .left, .character("h"): pan(right: -step, down: 0)
        case .right, .character("l"): pan(right: step, down: 0)
        case .up, .character("k"): pan(right: 0, down: -step)
        case .down, .character("j"): pan(right: 0, down: step)
        default: break
        }
    }

    private mutating func goBack() {
        if overlay != nil {
            show(overlay: nil)
        } else if showsLargeArrival {
            display.hasLargeArrival = false
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

    /// Returns the number of rows that a key scrolls down.
    static func rows(_ key: Key, page: Int) -> Int {
        switch key {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -page
        case .pageDown: page
        case .home, .character("g"): -1_000_000
        case .end, .character("G"): 1_000_000
        default: 0
        }
    }

    private static func wantsOpen(_ key: Key) -> Bool? {
        switch key {
        case .right, .character("l"): true
        case .left, .character("h"): false
        default: nil
        }
    }

    /// The selectable intervals in seconds.
    static let intervals: [Double] = [1, 2, 3, 5, 10, 15, 30, 60]

    /// Returns the next longer or shorter interval.
    static func step(_ interval: Duration, longer: Bool) -> Duration {
        let seconds = interval.seconds
        let next = longer ? intervals.first { $0 > seconds + 0.01 } : intervals.last { $0 < seconds - 0.01 }
        return next.map { .seconds($0) } ?? interval
    }
}
