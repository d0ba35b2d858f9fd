import Canvas
import Foundation
import TripScreen
import TripText

/// A screen that opens before the trips are known, so that the user sees an immediate response.
struct ScreenOpening: Sendable {
    /// The script to play; `nil` without a script.
    let script: ScreenScript?
    /// The streets drawn below the map.
    let basemap: Basemap?
    /// The output device.
    let display: Display

    /// Reads the files named by flags, then opens the terminal.
    ///
    /// Throws a ``CommandFailure`` for an unusable file or terminal.
    init(_ options: FollowOptions) async throws {
        script = try options.script.map(Self.read)
        basemap = try options.basemap.map(BasemapFile.read)
        display = try await Display.open(options)
    }

    /// Shows that keys are being generated.
    func showMakingKeys(_ options: FollowOptions) async {
        let locale = LocaleNames(ProcessInfo.processInfo.environment)
        let wording = options.wording(locale, isASCII: display.glyphs.level == .ascii)
        let (width, height) = display.size
        await display.present(openingView(wording, width: width, height: height, glyphs: display.glyphs))
    }

    private static func read(_ path: String) throws -> ScreenScript {
        let advice = "Give a file of steps, one to a line, such as: wait Driver, key Tab, dump screen.txt."
        let text = try InputFile.text(path, what: "script", advice: advice)
        do {
            return try ScreenScript(text)
        } catch {
            throw CommandFailure(
                .badInput,
                "Line \(error.line) of \(shown(path)) is no step: \(error.reason).\n\(advice)"
            )
        }
    }
}
