import Canvas
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Presenter", .ends(within: .quickTest))
struct PresenterTests {
    @Test(arguments: [(80, 24), (120, 40)])
    func `shows the scenario's caption sanitized and truncated to two lines`(_ size: (Int, Int)) throws {
        var state = try Ride().screen(at: 35, width: size.0, height: size.1)
        #expect(state.update(.key(.character("P"))).isEmpty)
        let words = "Soon nothing moves for three minutes, and the time of arrival slides with every report."
        #expect(state.update(.caption(words)).isEmpty)
        try ScreenFile(name: "presenter-caption-\(size.0)x\(size.1)").expect(view(state))
        #expect(state.update(.caption("\u{1B}[2J" + String(repeating: "long words ", count: 40))).isEmpty)
        #expect(!view(state).text.contains("\u{1B}") && view(state).text.contains("…"))
    }

    private func screen(
        _ scene: PictureTests.Scene,
        _ width: Int,
        _ height: Int,
        _ level: GlyphSet.Level
    ) throws -> State {
        var state = try scene.screen(width, height, level)
        #expect(state.update(.key(.character("P"))).isEmpty)
        return state
    }

    @Test(arguments: [(PictureTests.Scene.enrouteToPickup, 80, 24), (.enrouteToDropoff, 120, 40)])
    func `matches the expected screen`(_ scene: PictureTests.Scene, _ width: Int, _ height: Int) throws {
        let name = "presenter-\(scene.rawValue)-\(width)x\(height)"
        try ScreenFile(name: name).expect(view(screen(scene, width, height, .braille)))
    }

    @Test func `matches the expected screen in ASCII`() throws {
        let canvas = try view(screen(.enrouteToPickup, 80, 24, .ascii))
        #expect(canvas.text.unicodeScalars.allSatisfy { $0.isASCII })
        try ScreenFile(name: "presenter-enrouteToPickup-80x24-ascii").expect(canvas)
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `failed polls are no report of an arrival, not a delay`(_ size: (Int, Int)) throws {
        var ride = Ride()
        ride.failsFrom = 50
        // The driver has been at the pickup since 62 s.
        var state = try ride.screen(at: 100, width: size.0, height: size.1)
        #expect(view(state).text.contains("Pickup no news"))
        #expect(!view(state).text.contains("overdue"))
        #expect(state.update(.key(.character("P"))).isEmpty)
        let text = view(state).text
        #expect(text.contains("No news for") && text.contains("the pickup was expected at 17:0"))
        #expect(!text.contains(" late;"))
    }

    @Test func `Escape leaves it, from another view first to the trip`() throws {
        var state = try screen(.enrouteToDropoff, 120, 40, .braille)
        _ = state.update(.key(.character("3")))
        #expect(state.view == .token && state.settings.isPresenter)
        _ = state.update(.key(.escape))
        #expect(state.view == .trip && state.settings.isPresenter)
        _ = state.update(.key(.escape))
        #expect(!state.settings.isPresenter && view(state).text.contains("P turns it on again"))
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `number keys change the view and retain the style`(_ size: (Int, Int)) throws {
        var state = try screen(.enrouteToDropoff, size.0, size.1, .braille)
        _ = state.update(.caption("The rider is on the way."))
        for number in 2...7 {
            _ = state.update(.key(.character(Character(String(number)))))
            let lines = view(state).text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].contains("Your ride") && !lines[0].contains("127.0.0.1"))
            #expect(!view(state).text.contains("1 Trip") && view(state).text.contains(state.caption))
            #expect(lines[size.1 - 1].allSatisfy { $0 == " " })
        }
        _ = state.update(.key(.character("4")))
        try ScreenFile(name: "presenter-network-\(size.0)x\(size.1)").expect(view(state))
    }

    @Test(arguments: [(80, 24, GlyphSet.Level.braille), (120, 40, .braille), (200, 60, .braille), (80, 24, .ascii)])
    func `ends with the promised arrivals against the real one`(
        _ width: Int,
        _ height: Int,
        _ level: GlyphSet.Level
    ) throws {
        let state = try screen(.complete, width, height, level)
        let suffix = level == .ascii ? "-ascii" : ""
        try ScreenFile(name: "presenter-end-\(width)x\(height)\(suffix)").expect(view(state))
        #expect(view(state).text.contains("tokens") && view(state).text.contains("failures"))
    }

    @Test(arguments: PictureTests.Scene.allCases.filter { $0 != .help && $0 != .complete })
    func `shows no IDs and nothing about polls and tokens`(_ scene: PictureTests.Scene) throws {
        for (width, height) in [(60, 16), (80, 24), (200, 60)] {
            let text = try view(screen(scene, width, height, .braille)).text
            for secret in ["trip-7f3a", "taxi-42", "127.0.0.1", "Token", "oken", "poll", "HTTP"] {
                #expect(!text.contains(secret), "\(secret) at \(width)x\(height)")
            }
        }
    }

    @Test(arguments: [(60, 15), (40, 10), (30, 6), (45, 30)])
    func `has large words and no IDs where there is no room for a map`(_ size: (Int, Int)) throws {
        let state = try screen(.enrouteToPickup, size.0, size.1, .braille)
        let text = view(state).text
        for secret in ["trip-7f3a", "taxi-42", "oken", "oll", "HTTP"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("until the pickup"))
        #expect(text.contains("█") == (size.0 >= 45))
        #expect(text.contains("On the way") == (size.0 < 60))
        try ScreenFile(name: "presenter-small-\(size.0)x\(size.1)").expect(view(state))
    }

    @Test func `a ride that is held shows it, whoever holds it`() throws {
        var state = try screen(.enrouteToDropoff, 80, 24, .braille)
        _ = state.update(.speed(1))
        #expect(!view(state).text.contains(" Paused "))
        _ = state.update(.speed(0))
        #expect(view(state).text.contains(" Paused "))
        _ = state.update(.page(TitlePage(number: "1/5", title: "A ride", about: "About", note: "")))
        // At the end of its line.
        #expect(view(state).text.contains(" Paused"))
    }

    @Test(arguments: [(80, 24), (120, 40), (60, 16)])
    func `tells how many stops come before, beside the countdown`(_ size: (Int, Int)) throws {
        var ride = Ride()
        ride.foreignStop = Coordinate(latitude: 52.5150, longitude: 13.3690)
        for level in [GlyphSet.Level.ascii, .braille] {
            var state = try ride.screen(at: 37, width: size.0, height: size.1, glyphs: GlyphSet(level))
            #expect(state.update(.key(.character("P"))).isEmpty)
            let text = view(state).text
            #expect(text.contains(/1 stop\s/) || text.contains("serves another rider"), "\(text)")
        }
    }

    @Test func `shows that it is paused`() throws {
        var state = try screen(.enrouteToDropoff, 80, 24, .braille)
        #expect(!view(state).text.contains("Paused"))
        var schedule = PollSchedule(interval: .seconds(5), next: .seconds(1110))
        schedule.isPaused = true
        #expect(try state.update(.feed(.scheduled(Ride().id(), schedule))).isEmpty)
        #expect(view(state).text.contains(" Paused "))
    }

    @Test func `an old estimate is not compared with the promise, nor is that of a trip without a position`() throws {
        var trip = try Ride().trip(at: 20)
        trip.lastLocation = nil
        trip.pickupTime = Ride.moment(600).wall
        trip.etaToFirstWaypoint = trip.pickupTime
        var report = PollReport(journey: .trip(trip.id), started: Ride.moment(20))
        report.outcome = .success(.trip(trip))
        var known = TripState(id: .trip(trip.id))
        known.merge(.trip(trip), of: report)
        var state = State(
            trips: [known.id],
            settings: State.Settings(host: "engine.example", localizer: .english, speed: 1),
            now: Ride.moment(20),
            width: 120,
            height: 40
        )
        let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1040))
        _ = state.update(.feed(.polled(report, known, schedule)))
        _ = state.update(.key(.character("P")))
        for (second, isCompared) in [(30.0, true), (120, false)] {
            _ = state.update(.tick(Ride.moment(second)))
            let text = view(state).text
            #expect(text.contains("until the pickup") && text.contains("as promised") == isCompared, "\(text)")
        }
    }

    @Test(arguments: [Key.character("3"), .character("2"), .tab, .backTab])
    func `another view retains it, and P leaves it`(_ key: Key) throws {
        var state = try screen(.enrouteToDropoff, 80, 24, .braille)
        #expect(state.update(.key(key)).isEmpty)
        #expect(state.settings.isPresenter && state.view != .trip)
        #expect(state.update(.key(.character("P"))).isEmpty)
        #expect(!state.settings.isPresenter)
    }

    @Test(arguments: [Language.korean, .simplifiedChinese, .traditionalChinese])
    func `draws Korean and Chinese words in large letters, too`(_ language: Language) throws {
        var state = try PictureTests.Scene.enrouteToPickup.screen(80, 24, .braille, localizer: Localizer(language))
        #expect(state.update(.key(.character("P"))).isEmpty)
        let canvas = view(state)
        let large = (1...8).filter { row in (0..<80).contains { "▀▄█".contains(canvas[$0, row]?.text ?? " ") } }
        #expect(large.count >= 7 && !canvas.text.contains(Localizer(language)(.bigToPickup)))
        try ScreenFile(name: "presenter-\(language.rawValue)-80x24").expect(canvas, withRoles: true)
    }
}
