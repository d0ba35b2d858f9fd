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
                ?? commands.first(where: { $0.binding?.rawValue.lowercased() == name })
        else {
            return complain(isOfPresent(name) ? notInThePast : settings.localizer(.noCommand(command: typed)))
        }
        if let binding = command.binding { return perform(binding, by: .enter) }
        if name == "leave" { return update(\.trips) { $0.askToRemove(argument, in: $1) } }
        if name == "restart" { return [.play(nil)] }
        guard !argument.isEmpty else {
            return complain(settings.localizer(.needsArgument(command: name, argument: command.argument ?? "…")))
        }
        switch name {
        case "view":
            guard let kind = views.first(where: { $0.name.lowercased() == argument.lowercased() }) else {
                return complain(settings.localizer(.noView(view: argument)))
            }
            show(kind)
        case "trip":
            guard let index = trips.firstIndex(where: { $0.id == (try? journey(JourneyName(argument, as: shownKind))) })
            else {
                return complain(settings.localizer(.noSuchTripFollowed(trip: argument)))
            }
            select(index)
            show(.trip)
        case "picture": return [.save(argument)]
        case "watch": return watch(argument)
        case "interval":
            guard let seconds = Double(decimal: argument), seconds > 0, seconds <= 86_400 else {
                return complain(settings.localizer(.intervalTakes))
            }
            return trips.filter { $0.end == nil }.map { .feed(.setInterval(.seconds(seconds)), $0.id) }
        case "theme":
            guard settings.themes.contains(argument) else {
                return complain(settings.localizer(.noTheme(theme: argument)))
            }
            display.theme = argument
            return [.theme(argument)]
        case "glyphs":
            guard let level = GlyphNames.level(argument) else {
                return complain(settings.localizer(.noGlyphs(glyphs: argument)))
            }
            settings.glyphs = .init(level)
            settings.localizer.isASCII = level == .ascii
            log.reporter.localizer = settings.localizer
        case "basemap":
            guard argument != "off" else {
                settings.basemap = nil
                settings.findsBasemap = false
                return []
            }
            message = settings.localizer(.readingBasemap)
            return [.readBasemap(argument)]
        case "mouse":
            guard argument == "on" || argument == "off" else { return complain(settings.localizer(.mouseTakes)) }
            return setMouse(argument == "on")
        case "find": seek(argument)
        case "seek":
            guard let command = ReplayAction.seek(argument) else { return complain(settings.localizer(.seekTakes)) }
            return [.replay(command)]
        case "speed":
            guard let speed = Double(decimal: argument), ReplayClock.speeds.contains(speed) else {
                return complain(settings.localizer(.speedTakes))
            }
            return [.replay(.setSpeed(speed))]
        case "export": return export(argument)
        case "fault":
            guard settings.faults.contains(where: { $0.id == argument }) else {
                return complain(settings.localizer(.noFault(name: argument)))
            }
            return [.fault(.toggle(argument))]
        case "scenario":
            guard settings.ride?.scenarios.contains(argument) == true else {
                return complain(settings.localizer(.noScenario(scenario: argument)))
            }
            return [.play(argument)]
        default: break
        }
        return []
    }

    /// Returns whether a command is available only while the present is shown, and the past is shown.
    private func isOfPresent(_ name: String) -> Bool {
        guard timeLine?.isTravel == true else { return false }
        var present = self
        present.timeLine = nil
        return Palette.commands(in: present).contains { $0.name == name || $0.binding?.rawValue.lowercased() == name }
    }

    /// Exports the last minutes: the format and, optionally, the file.
    private mutating func export(_ argument: String) -> [Effect] {
        let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
        guard let format = words.first, settings.exportFormats.contains(format) else {
            let names = settings.exportFormats.joined(separator: settings.localizer(.listComma))
            return complain(settings.localizer(.noExportFormat(name: words.first ?? "", names: names)))
        }
        return [.export(format, to: words.count > 1 ? words[1].trimmingBlanks : nil)]
    }

    /// Adds a trip and shows it; restarts a trip that has ended.
    private mutating func watch(_ name: String) -> [Effect] {
        let named = JourneyName(name, as: shownKind)
        if let other = named.provider, !settings.provider.isEmpty, other != settings.provider {
            return complain(settings.localizer(.otherProject(asked: other, followed: settings.provider)))
        }
        let id: JourneyID
        do {
            id = try journey(named)
        } catch {
            return complain(UserMessage(error, text: named.id, noun: .nounTrip, localizer: settings.localizer).what)
        }
        let known = followed.places[id]
        let isFollowed = known.map { trips[$0].end == nil } ?? false
        if let known { trips[known].end = nil } else { append(id) }
        select(known ?? trips.count - 1)
        show(.trip)
        return isFollowed ? [] : [.watch(id)]
    }

    /// What an ID without its collection names: the same as what is shown.
    var shownKind: JourneyKind { trip?.id.kind ?? .trip }

    /// Returns the ID of a trip or a shipment that was entered.
    func journey(_ name: JourneyName) throws(ResourceIDError) -> JourneyID { try JourneyID(name.kind, name.id) }

    /// Enables or disables mouse reports.
    mutating func setMouse(_ isOn: Bool) -> [Effect] {
        display.hasMouse = isOn
        message = settings.localizer(isOn ? .mouseOurs : .mouseTerminals)
        return [.mouse(isOn)]
    }

    private mutating func complain(_ text: String) -> [Effect] {
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
