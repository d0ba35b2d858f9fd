import Canvas
import Testing
import TripScreen
import TripTestSupport
import TripText

@Suite("Pictures of the presenter's console", .ends(within: .quickTest))
struct ConsoleViewTests {
    @Test(arguments: [(80, 24), (120, 40), (50, 20)])
    func `matches the expected screen`(_ size: (Int, Int)) throws {
        let state = ConsoleScene.joined(size.0, size.1)
        try ScreenFile(name: "console-\(size.0)x\(size.1)").expect(consoleView(state), withRoles: size.0 == 80)
    }

    @Test func `matches the expected screen in ASCII, with the list of scenarios`() throws {
        var state = ConsoleScene.joined(80, 24, .english, .ascii)
        _ = state.update(.key(.character("s")))
        let canvas = consoleView(state)
        #expect(canvas.text.unicodeScalars.allSatisfy { $0.isASCII })
        try ScreenFile(name: "console-scenarios-80x24-ascii").expect(canvas)
    }

    @Test func `shows that the demo starts again, and that the ride is paused`() throws {
        var (state, report) = (ConsoleScene.joined(), ConsoleScene.report)
        report.ride.isPaused = true
        report.nextCaption = nil
        _ = state.update(.report(report))
        #expect(consoleView(state).text.contains("Paused"))
        #expect(consoleView(state).text.contains("then the chapter ‘A traffic jam’"))
        report.chapter?.next = nil
        _ = state.update(.report(report))
        #expect(consoleView(state).text.contains("no further caption is known"))
        _ = state.update(.noAnswer)
        #expect(consoleView(state).text.contains("The demo is starting again"))
        #expect(consoleView(ConsoleScene.joining()).text.contains("Joining the demo"))
    }

    @Test func `a demo that starts again leaves the title of its chapter`() {
        var state = ConsoleScene.joined()
        _ = state.update(.noAnswer)
        let lines = consoleView(state).text.split(separator: "\n")
        #expect(lines[0].contains("2/5  A token's life · token-trouble"))
        #expect(lines[1].contains("The demo is starting again") && !lines[1].contains("on the way"))
    }

    @Test func `counts in real time, and down to the next caption in the ride's time`() {
        let text = consoleView(ConsoleScene.joined()).text
        #expect(text.contains("Since the start 12:41") && text.contains("This chapter 1:01"))
        #expect(text.contains("in 0:34  The endpoint is back."))
    }

    @Test func `a long next caption has the row that the current one leaves free`() {
        var (state, report) = (ConsoleScene.joined(), ConsoleScene.report)
        let long = "Now the first recipient sees the van, its route, and the number of stops before theirs."
        (report.caption, report.nextCaption) = ("The van is loaded.", PresenterReport.NextCaption(long, due: nil))
        _ = state.update(.report(report))
        let canvas = consoleView(state, recordsTexts: true)
        #expect(canvas.text.contains("stops before theirs.") && canvas.text.contains("The van is loaded."))
        #expect(canvas.drawnTexts?.filter(\.isCut).map(\.wanted) == [])
        report.caption = ConsoleScene.report.caption
        _ = state.update(.report(report))
        #expect(!consoleView(state).text.contains("stops before theirs."), "both rows are in use")
    }

    @Test(arguments: Language.allCases)
    func `has room for its texts in every language`(_ language: Language) throws {
        var state = ConsoleScene.joined(80, 24, Localizer(language))
        let canvas = consoleView(state, recordsTexts: true)
        #expect(canvas.drawnTexts?.filter(\.isCut).map(\.wanted) == [])
        #expect(canvas.text.contains(Localizer(language)(.consoleLeave)), "all buttons are visible")
        if language == .german || language == .korean {
            try ScreenFile(name: "console-\(language.rawValue)-80x24").expect(canvas)
        }
        _ = state.update(.key(.character("s")))
        let list = consoleView(state, recordsTexts: true)
        #expect(list.drawnTexts?.filter(\.isCut).map(\.wanted) == [])
    }

    @Test func `draws at every size`() {
        for (width, height) in [(0, 0), (1, 1), (10, 3), (30, 6), (60, 10), (70, 16), (200, 60), (1000, 1000)] {
            var state = ConsoleScene.joined(width, height)
            _ = consoleView(state)
            for key in [Key.down, .character("s"), .end, .pageUp] { _ = state.update(.key(key)) }
            _ = state.update(.pointer(Pointer(.press, x: width - 1, y: height - 1)))
            #expect(consoleView(state).width == width)
        }
    }
}
