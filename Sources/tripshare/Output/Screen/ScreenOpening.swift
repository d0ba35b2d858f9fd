import Canvas
import Failures
import Foundation
import Terminal
import TripScreen
import TripText

/// The terminal and the files of a screen.
///
/// It opens before the trips are known, so that the user sees an immediate response.
struct ScreenOpening: Sendable {
    /// The script to play; `nil` without a script.
    let script: ScreenScript?
    /// The streets drawn below the map.
    let basemap: Basemap?
    /// The terminal; `nil` for a script that runs without one.
    let screen: Screen?
    /// The initial columns and rows.
    let size: (width: Int, height: Int)
    /// The characters used for drawing.
    let glyphs: GlyphSet
    /// The initial theme.
    let theme: Theme.Name
    /// Whether the theme follows the background of the terminal.
    var followsBackground: Bool { screen?.capabilities.features.contains(.background) == true }

    /// Reads the files named by flags, then opens the terminal.
    ///
    /// `typedAhead` was typed before this program started. Throws a ``CommandFailure`` for an unusable file or terminal.
    init(_ output: OutputConfiguration, typedAhead: [UInt8] = []) async throws {
        let options = output.options
        script = try options.script.map(Self.read)
        basemap = try options.basemap.map(BasemapFile.read)
        try output.basemapFolder.map(BasemapFolder.check)
        if script != nil, !ProcessContext.current.isTerminal(STDOUT_FILENO) {
            screen = nil
            size = (80, 24)
            glyphs = GlyphSet(options.ascii ? .ascii : .braille)
            theme = options.theme ?? .dark
        } else {
            let screen = try Self.open(
                options,
                output.features,
                readsControllingTerminal: output.readsControllingTerminal,
                typedAhead: typedAhead
            )
            self.screen = screen
            size = await screen.size
            glyphs = screen.capabilities.glyphs
            // Without colors, all themes have the same appearance as this theme, and the map distinguishes its lines by patterns.
            theme = screen.capabilities.depth == .mono ? .mono : screen.capabilities.theme
        }
    }

    /// Opens the terminal for a screen without a script and a map.
    ///
    /// Throws a ``CommandFailure`` with this advice for an unusable terminal.
    init(_ terminal: TerminalOptions, advice: Text) async throws {
        (script, basemap) = (nil, nil)
        let screen = try Self.open(terminal, advice: advice)
        self.screen = screen
        size = await screen.size
        (glyphs, theme) = (screen.capabilities.glyphs, screen.capabilities.theme)
    }

    /// Shows that keys are being generated.
    func showMakingKeys(_ output: OutputConfiguration) async {
        let localizer = output.localizer(isASCII: glyphs.level == .ascii)
        await screen?.present(openingView(localizer, width: size.width, height: size.height, glyphs: glyphs))
    }

    /// Shows a page.
    func show(_ page: TitlePage) async {
        await screen?.present(pageView(page, width: size.width, height: size.height, glyphs: glyphs))
    }

    /// Restores the terminal.
    func close() async { await screen?.close() }

    private static func read(_ path: String) throws -> ScreenScript {
        let advice = Text.adviceScript
        let text = try InputFile.text(path, what: .nounScript, advice: advice)
        do {
            return try ScreenScript(text)
        } catch {
            throw CommandFailure(.badInput) {
                $0(
                    .failureScript(
                        line: "\(error.line)",
                        file: excerpt(path: path),
                        reason: $0(error.reason),
                        advice: $0(advice)
                    )
                )
            }
        }
    }

    private static func open(
        _ options: DisplayOptions,
        _ features: TerminalFeatures,
        readsControllingTerminal: Bool,
        typedAhead: [UInt8]
    ) throws -> Screen {
        var terminal = TerminalOptions(
            color: options.color.terminalColor,
            ascii: options.ascii,
            mouse: options.mouse,
            theme: options.theme,
            environment: ProcessContext.current.environment
        )
        terminal.readsControllingTerminal = readsControllingTerminal
        terminal.typedAhead = typedAhead
        terminal.features = features
        return try open(terminal, advice: .adviceOutput)
    }

    private static func open(_ terminal: TerminalOptions, advice: Text) throws -> Screen {
        do {
            return try Screen.open(terminal)
        } catch {
            throw CommandFailure(.unavailable) { text(of: error, instead: $0(advice), $0) }
        }
    }

    private static func text(of error: TerminalError, instead: String, _ localizer: Localizer) -> String {
        switch error {
        case .notATerminal: localizer(.terminalNone(advice: instead))
        case .unnamed: localizer(.terminalUnnamed(advice: instead))
        case .unknown(let name): localizer(.terminalUnknown(name: excerpt(name), advice: instead))
        case .tooSimple(let name): localizer(.terminalTooSimple(name: excerpt(name), advice: instead))
        case .inBackground: localizer(.terminalInBackground(advice: instead))
        case .system, .openedTwice: localizer(.terminalRefused(advice: instead))
        }
    }
}
