import Canvas
import Testing
import TripFeed
import TripScreen
import TripTestSupport
import TripText

@Suite("Screens in every language", .ends(within: .quickTest))
struct LanguagePictureTests {
    private static let sizes = [(80, 24), (120, 40)]

    @Test(arguments: Language.allCases.filter { $0 != .english }, sizes)
    func `matches the expected screen`(_ language: Language, _ size: (width: Int, height: Int)) throws {
        let scene = PictureTests.Scene.enrouteToDropoff
        let state = try scene.screen(size.width, size.height, .braille, localizer: Localizer(language))
        try ScreenFile(name: "language-\(language.rawValue)-\(size.width)x\(size.height)").expect(view(state))
    }

    @Test func `writes German in ASCII`() throws {
        let state = try PictureTests.Scene.overdue.screen(80, 24, .ascii, localizer: Localizer(.german, isASCII: true))
        let canvas = view(state)
        #expect(canvas.text.unicodeScalars.allSatisfy { $0.isASCII })
        try ScreenFile(name: "language-de-80x24-ascii").expect(canvas)
    }

    @Test func `uses English in ASCII mode and its own language again afterwards`() throws {
        var state = try PictureTests.Scene.enrouteToDropoff.screen(80, 24, .braille, localizer: Localizer(.korean))
        func type(_ line: String) {
            for key in line.map(Key.character) + [.enter] { _ = state.update(.key(key)) }
        }
        type(":glyphs ascii")
        var schedule = PollSchedule(interval: .seconds(9), next: .seconds(1110))
        _ = state.update(.feed(.scheduled(try Ride().id(), schedule)))
        #expect(view(state).text.contains("Polling every 9 s now"))
        #expect(view(state).text.contains("Arrival"))
        type(":glyphs braille")
        schedule.interval = .seconds(8)
        _ = state.update(.feed(.scheduled(try Ride().id(), schedule)))
        #expect(view(state).text.contains("이제 8초마다 조회함"))
    }

    @Test func `shows distances and speeds in miles and times with 12 hours`() throws {
        let localizer = Localizer(.english, units: .imperial)
        let zone = Zone(offset: -6 * 3600, name: "CST", hasTwelveHours: true)
        let state = try Ride().screen(at: 105, width: 120, height: 40, localizer: localizer, zone: zone)
        try ScreenFile(name: "language-en-US-120x40").expect(view(state))
    }
}
