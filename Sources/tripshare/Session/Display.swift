import Canvas
import Foundation
import Terminal

/// The output device of a session: the terminal, or a size alone if a script runs without a terminal.
struct Display: Sendable {
    /// The events of the terminal.
    var events: AsyncStream<TerminalEvent>
    /// The initial columns and rows.
    var size: (width: Int, height: Int)
    /// The characters used for drawing.
    var glyphs: GlyphSet
    /// The initial theme.
    var theme: Theme.Name
    /// Draws a canvas.
    var present: @Sendable (Canvas) async -> Void
    /// Switches the theme.
    var use: @Sendable (Theme.Name) async -> Void
    /// Enables or disables mouse reports.
    var reportMouse: @Sendable (Bool) async -> Void
    /// Rings the bell and sends a notification outside of the screen.
    var notify: @Sendable (String) async -> Void
    /// Copies a text to the terminal's clipboard.
    var copy: @Sendable (String) async -> Void
    /// Restores the terminal.
    var close: @Sendable () async -> Void

    /// Opens the terminal; a script may run without one.
    static func open(_ options: FollowOptions) async throws -> Display {
        if options.script != nil, isatty(STDOUT_FILENO) != 1 { return .empty(options) }
        let screen = try openScreen(options)
        return Display(
            events: screen.events,
            size: await screen.size,
            glyphs: screen.capabilities.glyphs,
            theme: screen.capabilities.theme,
            present: { await screen.present($0) },
            use: { await screen.use($0) },
            reportMouse: { await screen.reportMouse($0) },
            notify: { await screen.notify($0) },
            copy: { await screen.copy($0) },
            close: { await screen.close() }
        )
    }

    /// Creates a display of 80x24 cells without a terminal.
    private static func empty(_ options: FollowOptions) -> Display {
        let (events, _) = AsyncStream.makeStream(of: TerminalEvent.self)
        return Display(
            events: events,
            size: (80, 24),
            glyphs: GlyphSet(options.ascii ? .ascii : .braille),
            theme: options.theme ?? .dark,
            present: { _ in },
            use: { _ in },
            reportMouse: { _ in },
            notify: { _ in },
            copy: { _ in },
            close: {}
        )
    }

    private static func openScreen(_ options: FollowOptions) throws -> Screen {
        let color: TerminalOptions.Color =
            switch options.color {
            case .auto: .auto
            case .always: .truecolor
            case .never: .never
            }
        do {
            return try Screen.open(
                TerminalOptions(
                    color: color,
                    ascii: options.ascii,
                    mouse: options.mouse,
                    theme: options.theme,
                    environment: ProcessInfo.processInfo.environment
                )
            )
        } catch {
            throw CommandFailure(.unavailable, words(error))
        }
    }

    private static func words(_ error: TerminalError) -> String {
        let instead = "Use --output plain for one sentence per event, or --output json."
        switch error {
        case .notATerminal:
            return "Standard input and output are not a terminal, so there is no screen to draw on.\n\(instead)"
        case .unnamed:
            return "TERM does not say what terminal this is.\nSet it, such as TERM=xterm-256color. \(instead)"
        case .unknown(let name):
            return "This machine does not know the terminal \(shown(name)) that TERM names.\n"
                + "Set another TERM, such as xterm-256color, or install ncurses-term. \(instead)"
        case .tooSimple(let name): return "The terminal \(shown(name)) can't move its cursor.\n\(instead)"
        case .system, .openedTwice:
            return "The terminal could not be opened: the system refused what it takes.\n\(instead)"
        }
    }
}
