import Canvas
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// Performs what was typed in the command line.
extension State {
    /// Performs a line of the command line; sets ``message`` on errors.
    mutating func run(_ line: String) -> [Effect] {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let typed = words.first else { return [] }
        let name = typed.lowercased()
        let argument = words.count > 1 ? words[1].trimmingBlanks : ""
        input.history.removeAll { $0 == line }
        input.history.append(line)
        if input.history.count > 100 { input.history.removeFirst() }
        let commands = Palette.commands(in: self)
        // The command of a key also accepts its name in the configuration.
        guard
            let command = commands.first(where: { $0.name == name })
                ?? commands.first(where: { $0.isAlias(name) })
        else {
            return complain(isOfPresent(name) ? notInThePast : settings.localizer(.noCommand(command: typed)))
        }
        guard !argument.isEmpty || !command.needsArgument else {
            return complain(settings.localizer(.needsArgument(command: name, argument: command.argument ?? "…")))
        }
        return command.perform(&self, argument)
    }

    /// Returns whether a command is available only while the present is shown, and the past is shown.
    private func isOfPresent(_ name: String) -> Bool {
        guard timeLine?.isTravel == true else { return false }
        var present = self
        present.timeLine = nil
        return Palette.commands(in: present).contains { $0.name == name || $0.isAlias(name) }
    }

    /// Exports the last minutes: the format and, optionally, the file.
    mutating func export(_ argument: String) -> [Effect] {
        let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
        guard let format = words.first, settings.exportFormats.contains(format) else {
            let names = settings.exportFormats.joined(separator: settings.localizer(.listComma))
            return complain(settings.localizer(.noExportFormat(name: words.first ?? "", names: names)))
        }
        return [.export(format, to: words.count > 1 ? words[1].trimmingBlanks : nil)]
    }

    /// Shows a view.
    mutating func showView(named name: String) -> [Effect] {
        guard let kind = views.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            return complain(settings.localizer(.noView(view: name)))
        }
        show(kind)
        return []
    }

    /// Shows a followed trip.
    mutating func showTrip(named name: String) -> [Effect] {
        let id = try? journey(JourneyName(name, as: shownKind))
        guard let index = trips.firstIndex(where: { $0.id == id }) else {
            return complain(settings.localizer(.noSuchTripFollowed(trip: name)))
        }
        select(index)
        show(.trip)
        return []
    }

    /// Adds a trip and shows it; restarts a trip that has ended.
    mutating func watch(_ id: JourneyID) -> [Effect] {
        let known = followed.places[id]
        let isFollowed = known.map { trips[$0].end == nil } ?? false
        if let known { trips[known].end = nil } else { append(id) }
        select(known ?? trips.count - 1)
        show(.trip)
        return isFollowed ? [] : [.watch(id)]
    }

    /// Changes the interval of all polls.
    mutating func setInterval(_ text: String) -> [Effect] {
        guard let seconds = Double(decimal: text), seconds > 0, seconds <= 86_400 else {
            return complain(settings.localizer(.intervalTakes))
        }
        return trips.filter { $0.end == nil }.map { .feed(.setInterval(.seconds(seconds)), $0.id) }
    }

    /// Changes the theme.
    mutating func setTheme(_ name: String) -> [Effect] {
        guard settings.themes.contains(name) else { return complain(settings.localizer(.noTheme(theme: name))) }
        display.theme = name
        return [.theme(name)]
    }

    /// Changes the characters used for drawing.
    mutating func setGlyphs(_ name: String) -> [Effect] {
        guard let level = GlyphNames.level(name) else {
            return complain(settings.localizer(.noGlyphs(glyphs: name)))
        }
        settings.glyphs = .init(level)
        settings.localizer.isASCII = level == .ascii
        log.reporter.localizer = settings.localizer
        return []
    }

    /// What an ID without its collection names: the same as what is shown.
    var shownKind: JourneyKind { trip?.id.kind ?? .trip }

    /// Returns the ID of a trip or a shipment that was entered.
    func journey(_ name: JourneyName) throws(ResourceIDError) -> JourneyID { try JourneyID(name.kind, name.id) }

    /// Enables or disables mouse reports, by `on` or `off`.
    mutating func setMouse(_ value: String) -> [Effect] {
        value == "on" || value == "off" ? setMouse(value == "on") : complain(settings.localizer(.mouseTakes))
    }

    /// Enables or disables mouse reports.
    mutating func setMouse(_ isOn: Bool) -> [Effect] {
        display.hasMouse = isOn
        message = settings.localizer(isOn ? .mouseOurs : .mouseTerminals)
        return [.mouse(isOn)]
    }

    /// Shows a message about what was entered.
    mutating func complain(_ text: String) -> [Effect] {
        message = text.sanitized(limit: 200)
        return []
    }
}

extension StringProtocol {
    /// The text without leading and trailing blanks.
    var trimmingBlanks: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension State {
    /// The maximum number of trips that a search offers.
    static let mostFoundTrips = 1000
    /// The time for which the result of a search is offered without another search.
    private static let searchInterval = Duration.seconds(10)

    /// Requests the trips of the project for the completions of `:watch`, unless it was done a moment ago.
    mutating func searchTrips() -> [Effect] {
        guard settings.findsTrips else { return [] }
        if let last = project.searched, time.latest.steady - last.steady < Self.searchInterval { return [] }
        project.searched = time.latest
        return [.findTrips]
    }
}
