import Foundation
import Terminal
import TripScreen
import TripText

/// How a session shows its trips: from the flags, the settings and the locale.
struct OutputConfiguration: Sendable {
    /// The output format; the default depends on the type of standard output.
    let form: OutputForm
    /// The flags, with the settings filled in where no flag was given.
    let options: DisplayOptions
    /// The flags that have no effect without a screen.
    let optionsOfScreen: [String]
    /// The key bindings.
    let keys: [KeyBinding]
    /// What the screen uses of the terminal besides the cells.
    let features: TerminalFeatures
    /// The template of the address of a page about a trip; `nil` for none.
    let tripPage: String?
    /// The folder that is searched for a base map; `nil` without one, and if a flag names a base map.
    let basemapFolder: String?
    /// Whether keys come from the controlling terminal, because standard input has a log.
    var readsControllingTerminal = false
    private let locale = LocaleNames(ProcessContext.current.environment)

    /// Combines the inputs; flags override settings.
    init(_ flags: SessionOptions, _ display: DisplayOptions, _ settings: Settings) {
        var options = display
        options.theme = settings.resolve(\.theme, options.theme)
        options.lang = settings.resolve(\.lang, options.lang)
        options.units = settings.resolve(\.units, options.units)
        options.bell = options.bell || settings.resolve(\.bell)
        options.calm = options.calm || settings.resolve(\.calm)
        // A flag that asks for another output wins over the setting.
        let isScreenWanted = options.script != nil || (flags.output ?? .plain) != .plain
        options.accessible = options.accessible || settings.resolve(\.accessible) && !isScreenWanted
        self.options = options
        optionsOfScreen = display.ofScreen
        features = TerminalFeatures(settings)
        tripPage = settings.tripPage
        keys = settings.keys
        basemapFolder = options.basemap == nil ? settings.basemaps : nil
        form =
            options.script != nil
            ? .tui
            : options.accessible
                ? .plain
                : flags.output ?? (ProcessContext.current.isTerminal(STDOUT_FILENO) && !flags.once ? .tui : .plain)
    }

    /// Returns the wording; `isASCII` restricts it to ASCII, `nil` does so if a flag or the locale requires it.
    func localizer(isASCII: Bool? = nil) -> Localizer {
        Localizer(
            options.lang ?? locale.language,
            units: options.units ?? locale.units,
            isASCII: isASCII ?? (options.ascii || !locale.isUTF8)
        )
    }

    /// Returns the time zone of a session that starts at a time.
    func zone(at start: Date) -> Zone { Zone(.current, at: start, hasTwelveHours: locale.hasTwelveHours) }
}

extension TerminalFeatures {
    /// What the settings permit.
    init(_ settings: Settings) {
        self = .all
        if !settings.resolve(\.askBackground) { remove(.background) }
        if !settings.resolve(\.title) { remove(.title) }
        if !settings.resolve(\.links) { remove(.links) }
        switch settings.resolve(\.progress) {
        case .auto: break
        case .always: insert(.unknownProgress)
        case .never: remove(.progress)
        }
    }
}
