import Canvas
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Terminal
import TripFeed
import TripModel
import TripScreen
import TripText

/// Computes the screen of a recorded session again; without side effects.
///
/// Polls and tokens wait until a `screen` line says that the screen had read them.
struct ScreenReplay {
    /// Whether the recording has all that the screen showed so far.
    private(set) var isTraced: Bool
    /// What the screen is about.
    private(set) var state: State
    /// The events that the screen has not read.
    private var waiting: [RecordingPlayer.Item] = []
    private var verdicts = TokenVerdictTable()
    private var seen = 0
    /// Whether events wait for `screen` lines; otherwise each is read at its time.
    let waitsForScreens: Bool

    /// Creates the first screen of a verification; `nil` if the recording has no pictures.
    init?(_ header: RecordingHeader, provider: ProviderID) {
        guard header.display.screen != nil else { return nil }
        self.init(showing: header, provider: provider)
    }

    /// Creates the first screen of a session, at 80x24 if it had none; `nil` for a damaged header.
    init?(showing header: RecordingHeader, provider: ProviderID) {
        let screen = header.display.screen ?? RecordingHeader.Screen(glyphs: "braille")
        waitsForScreens = header.display.screen != nil
        guard let start = header.start.moment,
            let level = GlyphNames.level(screen.glyphs), let language = Language(rawValue: header.display.language),
            let units = Localizer.Units(rawValue: header.display.units),
            // A newer program may have commands that this one lacks.
            let keys = try? KeyMap.bindings(changing: screen.keys)
        else { return nil }
        let localizer = Localizer(language, units: units, isASCII: level == .ascii)
        state = State(
            // Only an edited file has an invalid ID.
            trips: header.configuration.trips.compactMap { try? JourneyID(named: $0) },
            settings: State.Settings(
                host: header.configuration.host,
                zone: Zone(
                    offset: header.zone.offset,
                    name: header.zone.name,
                    hasTwelveHours: header.zone.hasTwelveHours,
                    // Without this zone in the database, all times have the offset of the start.
                    rules: header.zone.identifier.flatMap { TimeZone(identifier: $0) }
                ),
                localizer: localizer,
                glyphs: GlyphSet(level),
                speed: header.speed,
                themes: screen.themes,
                mouse: screen.mouse,
                isPresenter: screen.isPresenter,
                keys: keys,
                provider: provider.rawValue,
                cellAspect: screen.cellAspect,
                ride: screen.scenarios.map { RideSettings(scenarios: $0, skipsBeginning: screen.skipsBeginning) },
                isRecorded: true,
                exportFormats: ExportFormat.allCases.map(\.rawValue),
                limits: header.configuration.limits
            ),
            now: start,
            width: min(header.display.width == 0 ? 80 : header.display.width, ScreenPicture.largest),
            height: min(header.display.height == 0 ? 24 : header.display.height, ScreenPicture.largest)
        )
        isTraced = header.isPartial != true
        state.offer(
            TestFault.all.filter { screen.faults.contains($0.id) }.map { $0.choice }
        )
        if let text = localizer.fallback { _ = state.update(.notice(text)) }
    }

    /// What the screen shows.
    var canvas: Canvas { view(state) }
    /// What the screen shows, as text.
    var picture: ScreenPicture { ScreenPicture(canvas) }
    /// The current theme.
    var theme: Theme { Theme(Theme.Name(rawValue: state.display.theme) ?? .dark) }

    /// Takes an event and what a session made of it.
    mutating func handle(_ event: RecordedEvent, _ item: RecordingPlayer.Item?) {
        switch event.content {
        case .request, .poll, .search, .schedule, .findings, .omission, .end, .driver, .token:
            // An event that this program can't read leaves the screen without it.
            if let item { waiting.append(item) } else { isTraced = false }
            guard !waitsForScreens else { break }
            _ = state.update(.tick(event.moment))
            read(until: .max)
        case .screen(let screen):
            _ = state.update(.tick(event.moment))
            _ = state.update(.speed(screen.speed ?? state.settings.speed))
            read(until: screen.seen)
        case .key(let key): press(key)
        case .size(let size): _ = state.update(.resized(width: size.width, height: size.height))
        case .note(let note):
            guard note.kind == .caption else { break }
            _ = state.update(.caption(note.text, while: note.while ?? ""))
        case .message(let message): handle(message)
        case .clock(let clock): if !waitsForScreens { _ = state.update(.speed(clock.speed)) }
        case .fault: break
        }
    }

    private mutating func read(until count: Int) {
        let number = min(max(0, count &- seen), waiting.count)
        // It combines unread events as it did for the recorded screen.
        let mailbox = FeedMailbox {}
        for item in waiting.prefix(number) {
            seen += 1
            if case .token(let event, let inspection) = item { verdicts.add(inspection, of: event, number: seen) }
            if let event = item.received { mailbox.post(event) }
        }
        waiting.removeFirst(number)
        verdicts.read(upTo: seen)
        for item in mailbox.dequeueAll() {
            _ = state.update(Message(item))
            guard case .token(let event) = item, let trip = event.context.journey, let verdict = verdicts[event] else {
                continue
            }
            _ = state.update(.inspected(trip, verdict))
        }
    }

    private mutating func press(_ recorded: RecordedKey) {
        if let key = recorded.key.flatMap(Key.init(named:)) {
            _ = state.update(.key(key))
        } else if let text = recorded.paste {
            _ = state.update(.paste(text))
        } else if let x = recorded.x, let y = recorded.y,
            let action = Pointer.Action.allCases.first(where: { "\($0)" == recorded.mouse })
        {
            _ = state.update(.pointer(Pointer(action, x: x, y: y)))
        }
    }

    private mutating func handle(_ message: RecordedMessage) {
        switch message.kind {
        case .complaint: _ = state.update(.complaint(message.text))
        case .saved: _ = state.update(.saved(message.text))
        case .notice: _ = state.update(.notice(message.text))
        case .delivery: _ = state.update(.delivery(message.text))
        case .faults: _ = state.update(.faults(message.text.split(separator: ",").map(String.init)))
        case .town:
            // The tests read the embedded file.
            if let map = try? Basemap(geoJSON: Data(Town.demoGeoJSON)) { _ = state.update(.basemap(map)) }
        case .map, .untraced: isTraced = false
        }
    }
}
