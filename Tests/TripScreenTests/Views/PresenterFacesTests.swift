import Canvas
import Testing
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Faces of the presenter view", .ends(within: .quickTest))
struct PresenterFacesTests {
    private static let statuses: [JourneyStatus] = [
        .trip(.new), .trip(.enrouteToPickup), .trip(.arrivedAtPickup), .trip(.enrouteToIntermediateDestination),
        .trip(.arrivedAtIntermediateDestination), .trip(.enrouteToDropoff), .trip(.complete), .trip(.canceled),
        .shipment(.open), .shipment(.succeeded), .shipment(.failed), .shipment(.closed),
    ]

    private static func layout(
        _ words: String,
        _ watch: String,
        _ width: Int,
        _ height: Int,
        hasTalk: Bool = false,
        _ level: GlyphSet.Level = .braille
    ) -> PresenterLayout {
        PresenterLayout(
            words: words,
            countdown: watch,
            caption: String(repeating: "The rider is on the way. ", count: 20),
            hasTalk: hasTalk,
            in: Rect(x: 0, y: 0, width: width, height: height),
            glyphs: GlyphSet(level)
        )
    }

    @Test(arguments: Language.allCases)
    func `every status is in large letters, with room for map and sentences`(_ language: Language) throws {
        let localizer = Localizer(language)
        for status in Self.statuses {
            let words = localizer(PresenterView.phrase(status))
            for (width, height) in [(80, 24), (100, 30), (120, 40), (200, 60)] {
                for (watch, hasTalk) in [("0:31", false), ("12:34", true), ("1:02:03", false), ("", true)] {
                    let layout = Self.layout(words, watch, width, height, hasTalk: hasTalk)
                    let name = "\(words) \(watch) at \(width)x\(height)"
                    let face = try #require(layout.wordsFace, "\(name)")
                    let columns = try #require(face.width(of: words))
                    #expect(face.rowsAbove(words) >= 4 && layout.words.x + columns <= width, "\(name)")
                    #expect(face.rowsAbove(words) + layout.wordsBelow <= layout.words.height, "\(name)")
                    if !hasTalk { #expect(layout.map.height >= 6, "\(name)") }
                    #expect(layout.captionLines.count == 2 && layout.caption.maxY == height, "\(name)")
                    guard !watch.isEmpty else { continue }
                    let digits = try #require(layout.countdownFace, "\(name)")
                    #expect(digits.rowsAbove("0") >= 3 && layout.countdown.maxX <= width, "\(name)")
                    if layout.isStacked { #expect(layout.details.width >= 22 && layout.details.height >= 3, "\(name)") }
                }
            }
        }
    }

    @Test(arguments: ["On the way", "To drop-off", "Unterwegs", "Zum Ziel"])
    func `the words of a ride and the minutes have five rows at 80x24`(_ words: String) throws {
        let layout = Self.layout(words, "0:31", 80, 24)
        #expect(try #require(layout.wordsFace).rowsAbove(words) >= 5)
        #expect(try #require(layout.countdownFace).rowsAbove("0") >= 5)
    }

    @Test func `the size does not depend on a digit of the countdown`() {
        let sizes = ["10:00", "9:59", "0:05"].map { watch in
            let layout = Self.layout("On the way", watch, 80, 24)
            return [layout.wordsFace?.size, layout.countdownFace?.size]
        }
        #expect(Set(sizes).count == 1)
    }

    @Test func `a terminal without braille has half blocks or a background, and ASCII no large letters`() {
        #expect(Self.layout("On the way", "0:31", 80, 24, .blocks).wordsFace != nil)
        #expect(Self.layout("正在前往途经点", "0:31", 80, 24, .blocks).wordsFace == nil)
        #expect(Self.layout("On the way", "0:31", 80, 24, .ascii).wordsFace == nil)
    }

    @Test(arguments: Language.allCases)
    func `the small letters have every character of the large words`(_ language: Language) throws {
        let localizer = Localizer(language)
        let fine = try #require(BigFace.fine)
        let words = Self.statuses.map { localizer(PresenterView.phrase($0)) } + [localizer(.recapTitle)]
        for words in words { #expect(fine.width(of: words) != nil, "\(words)") }
    }
}
