import Canvas
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// Every drawn text is either complete or ends in a visible ellipsis.
@Suite("Text that does not fit", .ends(within: .quickTest))
struct CutTextTests {
    private static let sizes = [(80, 24), (120, 40), (200, 60), (60, 16)]

    /// Checks every text on a screen.
    private static func check(_ state: State, _ name: String) {
        let canvas = view(state, recordsTexts: true)
        let ellipsis = state.settings.glyphs.ellipsis
        for text in canvas.drawnTexts ?? [] where text.wanted.contains(where: { !$0.isWhitespace }) {
            // Made for a failure only: a whole screen for each text would take most of the time of these tests.
            func comment() -> Comment {
                "\(name): “\(text.wanted)” at \(text.place.x), \(text.place.y)\n\(canvas.text)"
            }
            if text.isCut { #expect(text.drawn.hasSuffix(ellipsis), comment()) }
            // A single letter or sign may be covered by another one, such as a marker by the vehicle.
            guard text.drawn.count(where: \.isLetter) > 1 else { continue }
            let shown = (0..<text.columns).compactMap { canvas[text.place.x + $0, text.place.y]?.text }.joined()
            // A marker may cover the blank at the end of a text.
            let blanks = text.drawn.reversed().prefix { $0 == " " }.count
            #expect(shown.hasPrefix(text.drawn.dropLast(blanks)), "overwritten in \(comment())")
        }
    }

    /// Presses keys one after another.
    private static func pressed(_ keys: String, _ state: State) -> State {
        var state = state
        for key in keys { _ = state.update(.key(.character(key))) }
        return state
    }

    @Test(arguments: Language.allCases, sizes)
    func `text is truncated with an ellipsis in the view of a trip`(_ language: Language, _ size: (Int, Int)) throws {
        for scene in PictureTests.Scene.allCases where scene != .help && scene != .whatFailed {
            let state = try scene.screen(size.0, size.1, .braille, localizer: Localizer(language))
            for keys in scene == .enrouteToDropoff ? ["", "a", "b", "P", "zz"] : ["", "P"] {
                Self.check(Self.pressed(keys, state), "\(scene) \(keys) in \(language) at \(size)")
            }
        }
    }

    @Test(arguments: Language.allCases, sizes)
    func `text is truncated with an ellipsis in every other view`(_ language: Language, _ size: (Int, Int)) throws {
        for scene in ViewPictureTests.Scene.allCases where scene != .helpInspector {
            let state = try scene.screen(size.0, size.1, localizer: Localizer(language))
            Self.check(state, "\(scene) in \(language) at \(size)")
        }
    }

    @Test(arguments: Language.allCases)
    func `every view has its tab at 80 columns`(_ language: Language) throws {
        let text = try view(PictureTests.Scene.enrouteToPickup.screen(80, 24, .braille, localizer: Localizer(language)))
            .text
        let tabs = try #require(text.split(separator: "\n").dropFirst().first)
        for kind in ViewKind.allCases { #expect(tabs.contains(" \(kind.number) "), "\(tabs)") }
    }

    @Test func `the check detects an overwritten text`() {
        var canvas = Canvas(width: 20, height: 1, recordsTexts: true)
        canvas.put("abcdefgh", x: 0, y: 0, maxWidth: 4)
        canvas.put("xy", x: 2, y: 0)
        #expect(canvas.drawnTexts?.map(\.drawn) == ["abc…", "xy"])
        #expect(canvas.drawnTexts?.map(\.isCut) == [true, false])
        #expect(canvas.text == "abxy")
    }

    @Test(arguments: Language.allCases, [(80, 24), (120, 40), (200, 60)])
    func `shows the number of hidden steps of a long trip, and all of them with the key a`(
        _ language: Language,
        _ size: (Int, Int)
    ) throws {
        var ride = Ride()
        ride.stops = (0..<12).map { Ride.toDropoff.position(at: 100 + 150 * Double($0))?.coordinate ?? Ride.dropoff }
        ride.status[3].status = .enrouteToIntermediateDestination
        let localizer = Localizer(language)
        var state = try ride.screen(at: 95, width: size.0, height: size.1, localizer: localizer)
        if size.0 < 110 {
            let strip = try #require(view(state).text.split(separator: "\n").dropFirst(3).first)
            #expect(strip.hasPrefix(" …") && strip.contains(/…\d+$/), "\(strip)")
        }
        var seen = ""
        _ = state.update(.key(.character("a")))
        for _ in 0..<10 {
            seen += view(state).text
            _ = state.update(.key(.pageDown))
        }
        // A trip with twelve stops: every stop appears with its number as an arrival and as two steps.
        for stop in 1...12 { #expect(seen.contains("\(stop)"), "\(stop)") }
        #expect(seen.matches(of: /○/).count > 20)
    }
}
