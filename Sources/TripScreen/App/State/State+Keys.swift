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

    /// Performs a command as if its key were pressed.
    mutating func perform(_ command: KeyBinding.Command, by key: Key) -> [Effect] {
        KeyMap.rows[command]?.perform(&self, key) ?? []
    }

    // MARK: What the keys of all views do

    /// Opens or closes the help.
    mutating func toggleHelp() {
        if case .help = overlay { show(overlay: nil) } else { show(overlay: .help(row: 0)) }
    }

    /// Opens the command line.
    mutating func openPalette() -> [Effect] {
        open(.command)
        return searchTrips()
    }

    /// Shows the view a number of steps to the right of the current one.
    mutating func showView(after steps: Int) { show(view.stepped(by: steps, in: views)) }

    /// Shows the trip a number of steps after the current one.
    mutating func select(after steps: Int) { select((selected + steps + trips.count) % max(1, trips.count)) }

    /// Shows the view of a number key.
    mutating func show(by key: Key) {
        if case .character(let digit) = key, let number = digit.wholeNumberValue,
            let kind = views.first(where: { $0.number == number })
        {
            show(kind)
        }
    }

    /// Copies the ID of the trip, or what the view offers instead.
    mutating func copy() -> [Effect] {
        guard let trip else { return [] }
        let text = panels[view].copied(in: self) ?? trip.id.rawValue
        message = settings.localizer(.copied(text: text.sanitized(limit: 200)))
        return [.copy(text)]
    }

    /// Begins or ends the presenter mode.
    mutating func togglePresenter() {
        settings.isPresenter.toggle()
        if settings.isPresenter { show(.trip) }
    }

    /// Shows the next theme.
    mutating func showNextTheme() -> [Effect] {
        let names = settings.themes
        guard let index = names.firstIndex(of: display.theme) else { return [] }
        display.theme = names[(index + 1) % names.count]
        message = settings.localizer(.themeNow(theme: display.theme))
        return [.theme(display.theme)]
    }

    /// Scrolls the current view, if it is a text.
    mutating func scrollText(by rows: Int) {
        change(view) { panel, state in
            guard var text = panel as? any TextPanel else { return }
            text.scroll(by: rows, in: state)
            panel = text
        }
    }

    /// Whether there is something to return to.
    var canGoBack: Bool {
        overlay != nil || showsLargeArrival || above != nil || !needle.isEmpty || settings.isPresenter
    }

    /// Returns to what was shown before.
    mutating func goBack() {
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

    // MARK: Polls

    /// Pauses or resumes all polls, and the ride with them.
    mutating func togglePause() -> [Effect] {
        let pauses = !(input.orderedPause ?? isPaused)
        input.orderedPause = pauses
        let order: FeedCommand = pauses ? .pause : .resume
        let ride: [Effect] = settings.ride == nil ? [] : [.ride(RideChange(isPaused: pauses))]
        return ride + trips.filter { $0.end == nil }.map { .feed(order, $0.id) }
    }

    /// Polls the shown trip.
    func pollNow() -> [Effect] { trip.map { [.feed(.pollNow, $0.id)] } ?? [] }

    /// Changes the intervals of all polls by a step.
    func changeInterval(longer: Bool) -> [Effect] {
        trips.filter { $0.end == nil }.compactMap { trip in
            trip.schedule.map { .feed(.setInterval(Self.step($0.interval, longer: longer)), trip.id) }
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
