import ArgumentParser
import Canvas
import Failures
import FleetEmulator
import Foundation
import Runtime
import Terminal
import TransportLive
import TripModel
import TripScreen
import TripText

/// `tripshare present`: a presenter's console for a demo in another terminal.
struct PresentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Control a demo from a second terminal, unseen by the audience.",
        discussion: """
            Joins a demo that was started with --console, and shows its scenario, trip and token, the caption that the \
            audience reads and the next one, timers, and notes. Keys switch faults, change the speed, and start the next \
            chapter or another scenario. Without --demo, it joins the demo that was started last.
            """
    )

    @Option(help: ArgumentHelp("The ready file of the demo.", valueName: "file"))
    var demo: String?

    @Option(
        help: ArgumentHelp(
            "Show the notes of a text file; a line such as ‘# traffic-jam’ begins those about a scenario or a chapter.",
            valueName: "file"
        )
    )
    var notes: String?

    @Option(help: ArgumentHelp("When to use colors.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(\.lang) var lang: Language?

    @Option(\.theme) var theme: Theme.Name?

    @Flag(help: "Enable the mouse: click a button or a fault, scroll the notes with the wheel.")
    var mouse = false

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func run() async throws {
        let environment = ProcessContext.current.environment
        let settings = try profile.settings()
        let notes = try notes.map { path throws(CommandFailure) in
            PresenterNotes(try InputFile.text(path, what: .nounNotes, advice: .adviceNotes))
        }
        let access = try demo.map(DemoAccess.named) ?? DemoAccess.newest(environment: environment)
        var terminal = TerminalOptions(
            color: color.terminalColor,
            ascii: ascii,
            mouse: mouse,
            theme: settings.resolve(\.theme, theme),
            environment: environment
        )
        terminal.features = TerminalFeatures(settings)
        let opening = try await ScreenOpening(terminal, advice: .adviceConsoleTerminal)
        let outcome = try await withLiveHTTPTransport { [opening] transport in
            let clock = ScaledClock(speed: 1)
            let session = ConsoleSession(
                client: DemoClient(access, transport: transport),
                opening: opening,
                clock: clock
            )
            let outcome = await session.run(console(settings, opening, notes, at: clock.now().wall))
            await opening.close()
            return outcome
        }
        switch outcome {
        case .left(let faults):
            Printing.out(Localizer.ofProcess(.consoleDemoGoesOn))
            guard !faults.isEmpty else { break }
            let names = faults.joined(separator: Localizer.ofProcess(.listComma))
            Printing.out(Localizer.ofProcess(.consoleFaultsStay(names: names)))
        case .demoEnded: Printing.out(Localizer.ofProcess(.consoleEnded))
        case .interrupted(let signal): throw CommandFailure.signal(signal)
        }
    }

    private func console(
        _ settings: Settings,
        _ opening: ScreenOpening,
        _ notes: PresenterNotes?,
        at now: Date
    ) -> ConsoleState.Settings {
        let locale = LocaleNames(ProcessContext.current.environment)
        return ConsoleState.Settings(
            localizer: Localizer(
                settings.resolve(\.lang, lang) ?? locale.language,
                units: settings.units ?? locale.units,
                isASCII: opening.glyphs.level == .ascii
            ),
            glyphs: opening.glyphs,
            zone: Zone(.current, at: now, hasTwelveHours: locale.hasTwelveHours),
            faults: TestFault.possible(withEmulator: true).map(\.choice),
            notes: notes,
            // The files are a part of the program, and tests read them.
            scenarios: (try? Scenario.summaries()) ?? [:]
        )
    }
}
