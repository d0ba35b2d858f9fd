import Canvas
import Foundation
import TripScreen
import TripText

/// A console that has joined a demo.
enum ConsoleScene {
    static let began = 1_800_000_000.0

    static let faults: [FaultChoice] = [
        FaultChoice(id: "expired", title: .faultExpired, about: .faultAboutExpired),
        FaultChoice(id: "other-trip", title: .faultOtherTrip),
        FaultChoice(id: "token-down", title: .faultTokenDown), FaultChoice(id: "token-slow", title: .faultTokenSlow),
        FaultChoice(id: "401", title: .fault401), FaultChoice(id: "403", title: .fault403),
        FaultChoice(id: "429", title: .fault429), FaultChoice(id: "503", title: .fault503),
        FaultChoice(id: "latency", title: .faultLatency), FaultChoice(id: "drop-three", title: .faultDrop),
        FaultChoice(id: "cut-off", title: .faultCutOff), FaultChoice(id: "frozen", title: .faultFrozen),
        FaultChoice(id: "clock", title: .faultClock),
    ]

    static let notes = """
        Speak slowly.

        # token-trouble
        Wait until the first token is refreshed, then point at the time line of the tokens: the refresh comes before the end.
        Press h for 503, and a for a token that expires.

        # traffic-jam
        Nothing.
        """

    static let report = PresenterReport(
        scenario: "token-trouble",
        chapter: PresenterReport.Chapter(number: 2, count: 5, title: "A token's life", next: "A traffic jam"),
        trip: PresenterReport.Sentence("Driver is on the way to the pickup · Live", .plain),
        token: PresenterReport.Sentence(
            "Token 3 is good. The next one is fetched in 48 s, before it expires.",
            .good
        ),
        caption: "The token endpoint fails for a while; the app keeps the token that it has.",
        nextCaption: PresenterReport.NextCaption("The endpoint is back.", due: began + 400),
        began: began,
        chapterBegan: began + 700,
        ride: PresenterReport.RideClock(
            real: began + 760,
            virtual: began + 360,
            speed: 6,
            isPaused: false,
            firstSpeed: 6
        ),
        activeFaults: ["503"],
        scenarios: ["ride", "airport-pickup", "token-trouble", "traffic-jam"],
        problem: nil
    )

    /// Returns a console that has no report yet.
    static func joining(
        _ width: Int = 80,
        _ height: Int = 24,
        _ localizer: Localizer = .english,
        _ level: GlyphSet.Level = .braille,
        notes: String? = notes
    ) -> ConsoleState {
        ConsoleState(
            ConsoleState.Settings(
                localizer: localizer,
                glyphs: GlyphSet(level),
                faults: faults,
                notes: notes.map(PresenterNotes.init),
                scenarios: ["traffic-jam": "Traffic stops, and the arrival slips with every report."]
            ),
            now: Date(timeIntervalSince1970: began + 761),
            width: width,
            height: height
        )
    }

    /// Returns a console that shows a report.
    static func joined(
        _ width: Int = 80,
        _ height: Int = 24,
        _ localizer: Localizer = .english,
        _ level: GlyphSet.Level = .braille,
        notes: String? = notes
    ) -> ConsoleState {
        var state = joining(width, height, localizer, level, notes: notes)
        _ = state.update(.report(report))
        return state
    }
}
