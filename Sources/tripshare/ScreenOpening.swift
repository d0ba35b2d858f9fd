import Canvas
import Foundation
import TripScreen
import TripText

/// A screen that is taken before there is a trip to follow on it, so that a person sees at once that it begins.
struct ScreenOpening: Sendable {
    /// What plays on it; `nil` for nothing but a person.
    let script: ScreenScript?
    /// The streets below the map.
    let basemap: Basemap?
    /// Where it is shown.
    let stage: Stage

    /// Reads what the flags name, and takes the terminal then.
    ///
    /// Throws ``CommandFailure``, for a file as for a terminal that can't be used.
    init(_ options: FollowOptions) async throws {
        script = try options.script.map(Self.read)
        basemap = try options.basemap.map(BasemapFile.read)
        stage = try await Stage.open(options)
    }

    /// Says that keys are being made.
    func showMakingKeys(_ options: FollowOptions) async {
        let locale = LocaleNames(ProcessInfo.processInfo.environment)
        let wording = options.wording(locale, isASCII: stage.glyphs.level == .ascii)
        let (width, height) = stage.size
        await stage.present(openingView(wording, width: width, height: height, glyphs: stage.glyphs))
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
