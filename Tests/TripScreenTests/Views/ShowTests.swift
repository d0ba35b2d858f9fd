import Canvas
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// What an audience sees besides the ride: the question before the end, the recap, sentences that change.
@Suite("Show", .ends(within: .quickTest))
struct ShowTests {
    private func stage(at second: Double = 35, _ language: Language = .english, _ width: Int = 80) throws -> State {
        let height = width == 80 ? 24 : 40
        var ride = Ride()
        // Without a traffic jam, which has a caption of its own.
        ride.hasTraffic = false
        var state = try ride.screen(at: second, width: width, height: height, localizer: Localizer(language))
        _ = state.update(.key(.character("P")))
        return state
    }

    private static let last = TitlePage(number: "", title: "Seen", about: "Your turn.", note: "over", isLast: true)

    @Test(arguments: [(Key.character("q"), true), (.character("y"), true), (.character("x"), false), (.escape, false)])
    func `q asks before it ends a show`(_ answer: Key, _ ends: Bool) throws {
        var state = try stage()
        #expect(state.update(.key(.character("q"))) == [])
        #expect(view(state).text.contains("Really end the show?"))
        #expect(state.update(.key(answer)) == (ends ? [.quit] : []))
        #expect(state.asked == nil && state.settings.isPresenter)
    }

    @Test func `q asks over the page of a chapter, which stays`() throws {
        var state = try stage()
        _ = state.update(.page(TitlePage(number: "1/5", title: "A ride", about: "About a ride.", note: "note")))
        #expect(state.update(.key(.character("q"))) == [])
        let text = view(state).text
        #expect(text.contains("Really end the show?") && text.contains("About a ride."))
        #expect(state.update(.key(.character("n"))) == [] && state.titlePage != nil)
        #expect(!view(state).text.contains("Really end the show?"))
    }

    @Test func `Ctrl-C, and q on the last page, end it at once`() throws {
        var state = try stage()
        #expect(state.update(.key(.control("c"))) == [.quit])
        _ = state.update(.page(Self.last))
        #expect(state.update(.key(.character("q"))) == [.quit])
    }

    @Test(arguments: Language.allCases)
    func `the last page tells what was shown, uncut, and stays until a key`(_ language: Language) throws {
        for width in [80, 120] {
            var state = try stage(at: 100, language, width)
            _ = state.update(.page(Self.last))
            let canvas = view(state, recordsTexts: true)
            #expect(canvas.drawnTexts?.filter(\.isCut).map(\.wanted) == [])
            let recap = try #require(state.titlePage?.recap)
            let words = { (text: String) in text.filter { !$0.isWhitespace } }
            #expect(recap.count == 5 && recap.allSatisfy { words(canvas.text).contains(words($0)) }, "\(canvas.text)")
            #expect(!canvas.text.contains("…"))
            _ = state.update(.tick(Ride.moment(500)))
            #expect(state.titlePage?.recap == recap)
            _ = state.update(.key(.character(" ")))
            #expect(state.titlePage == nil)
        }
    }

    @Test func `the recap counts the polls and keys of the last chapter`() throws {
        var state = try stage(at: 100)
        _ = state.update(.page(Self.last))
        let trip = try #require(state.trip)
        let text = try #require(state.titlePage?.recap.first { $0.contains("In the last chapter") })
        #expect(text.contains("to ask \(trip.history.polls) times"), "\(text)")
        #expect(trip.history.polls > 5)
    }

    @Test func `the last page says which notices are not delivered yet, the page of a chapter does not`() throws {
        var state = try stage()
        let words = "12 notices wait for the receiver hook."
        _ = state.update(.delivery(words))
        _ = state.update(.page(TitlePage(number: "1/5", title: "A ride", about: "About a ride.", note: "note")))
        #expect(!view(state).text.contains(words))
        _ = state.update(.page(Self.last))
        let rows = view(state).rows
        #expect(rows[22].contains(words) && rows[23].contains("over"), "\(rows)")
        _ = state.update(.delivery(""))
        #expect(!view(state).text.contains(words))
    }

    @Test(arguments: Language.allCases, [1.0, 6])
    func `no sentence is shown for 30 s, and there is always one`(_ language: Language, _ speed: Double) throws {
        var state = try stage(at: 20, language)
        state.settings.speed = speed
        _ = state.update(.caption("The taxi is on its way."))
        let texts = (0..<240).map { second in
            _ = state.update(.tick(Ride.moment(20 + Double(second) * speed / 4)))
            return state.audienceCaption
        }
        #expect(texts.first == "The taxi is on its way." && !texts.contains(""))
        var (longest, run) = (0, 0)
        for (text, before) in zip(texts.dropFirst(), texts) {
            run = text == before ? run + 1 : 0
            longest = max(longest, run)
        }
        // Quarters of a second of real time.
        #expect(longest < 4 * 30, "\(Set(texts))")
        #expect(state.update(.caption("The rider gets in.")).isEmpty)
        #expect(state.audienceCaption == "The rider gets in.")
    }

    @Test func `a long silence takes turns with what else may be said`() throws {
        var ride = Ride()
        (ride.silentFrom, ride.hasTraffic) = (100, false)
        let texts = try [135.0, 145, 155].map { second in
            var state = try ride.screen(at: second, width: 120, height: 40)
            _ = state.update(.caption(""))
            #expect(state.caption.hasPrefix("The vehicle reports nothing"))
            return state.audienceCaption
        }
        #expect(texts[0].hasPrefix("The vehicle reports nothing") && texts[2].hasPrefix("The vehicle reports nothing"))
        #expect(texts[1] == "The drop-off is expected at 17:02:51.")
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `in a fast ride a silence is shown when it is longer than the intervals explain`(_ size: (Int, Int)) throws {
        var state = try Ride().screen(at: 55, width: size.0, height: size.1)
        _ = state.update(.key(.character("P")))
        _ = state.update(.caption("The taxi is on its way."))
        // The pickup is expected at 68 s, and the vehicle has reported at 55 s: 5 s until a poll, 10 s until a report.
        func text(at second: Double, speed: Double) -> String {
            _ = state.update(.speed(speed))
            _ = state.update(.tick(Ride.moment(second)))
            return view(state).text
        }
        let explained = text(at: 69.5, speed: 6)
        #expect(
            !explained.contains("No news for") && explained.contains("Pickup, expected at 17:01:08"),
            "\(explained)"
        )
        #expect(!explained.contains("until the pickup") && !explained.contains("as promised"))
        #expect(text(at: 69.6, speed: 1).contains("No news for"))
        #expect(text(at: 70.5, speed: 6).contains("No news for"))
    }

    @Test func `a ride that has a driver does not wait for one in large words`() throws {
        for (scene, words) in [(PictureTests.Scene.new, "Waiting"), (.assigned, "Assigned")] {
            #expect(PresenterView.words(of: try scene.screen(80, 24, .braille)) == [words])
        }
    }

    @Test func `a session without captions stays without`() throws {
        var state = try stage()
        _ = state.update(.tick(Ride.moment(60)))
        #expect(state.audienceCaption.isEmpty)
    }
}
