import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// A large screen shows more, not more blank.
@Suite("Large screens", .ends(within: .quickTest))
struct LargeScreenTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { _ = state.update(.key(.character(key))) }
    }

    /// The share of the rows that are blank between their frames.
    private func blankRows(_ canvas: Canvas) -> Double {
        let blank = (0..<canvas.height).count { y in
            (0..<canvas.width).allSatisfy { x in
                let text = canvas[x, y]?.text ?? " "
                return text == " " || text == "│"
            }
        }
        return Double(blank) / Double(canvas.height)
    }

    // MARK: Trip

    @Test func `the view of a trip has the latest calls and the findings`() throws {
        let state = try ViewPictureTests.Scene.findings.screen(200, 60)
        var shown = state
        press("1", &shown)
        let text = view(shown).text
        #expect(text.contains("─ Calls ─") && text.contains("GetTrip") && text.contains("✓ 200"))
        #expect(text.contains("─ Findings ─") && text.contains("1 error"))
        #expect(text.contains("Map") && text.contains("─ Events ─") && text.contains("─ Polling ─"))
    }

    @Test func `without findings it says that there are none`() throws {
        #expect(view(try Ride().screen(at: 60, width: 200, height: 60)).text.contains("No findings so far"))
    }

    @Test(arguments: [(160, 56), (200, 60), (300, 80), (159, 56), (200, 50), (120, 40)], [5, 7, 13])
    func `the panels cover the view, without a gap or an overlap`(_ size: (Int, Int), _ steps: Int) {
        let layout = ScreenLayout(Rect(x: 0, y: 0, width: size.0, height: size.1), steps: steps)
        let panels = [
            layout.map, layout.arrival, layout.timeline, layout.token, layout.polling, layout.events, layout.calls,
            layout.findings,
        ]
        let body = Rect(
            x: layout.body.x,
            y: layout.body.y + 1,
            width: layout.body.width,
            height: layout.body.height - 1
        )
        for y in body.y..<body.maxY {
            for x in stride(from: body.x, to: body.maxX, by: 3) {
                #expect(panels.count { $0.contains(x: x, y: y) } == 1, "\(x) \(y)")
            }
        }
        #expect(panels.allSatisfy { $0.isEmpty || $0.height >= 4 })
    }

    @Test func `a click on calls or findings opens their view`() throws {
        var state = try Ride().screen(at: 60, width: 200, height: 60)
        let layout = state.panelLayout
        _ = state.update(.pointer(Pointer(.press, x: layout.findings.x + 2, y: layout.findings.y + 1)))
        #expect(state.view == .findings)
        press("1", &state)
        _ = state.update(.pointer(Pointer(.press, x: layout.calls.x + 2, y: layout.calls.y + 1)))
        #expect(state.view == .network)
    }

    // MARK: Token

    @Test(arguments: [(120, 40), (200, 60)])
    func `the view of the token counts the polls that used each token`(_ size: (Int, Int)) throws {
        // Polls at 0, 5, … 55 s have the first token, those at 60 and 65 s the second.
        var state = try Ride().screen(at: 65, width: size.0, height: size.1)
        let history = try #require(state.trip?.tokenHistory)
        #expect(history.polls(with: 1) == 12 && history.polls(with: 2) == 2 && history.polls(with: 3) == nil)
        press("3", &state)
        let text = view(state).text
        #expect(text.contains("used by 2 polls"), "\(text)")
        #expect(text.contains("Polls"))
    }

    @Test func `a large screen lists the polls that used a token`() throws {
        var state = try Ride().screen(at: 65, width: 200, height: 60)
        press("3", &state)
        let text = view(state).text
        let list = try #require(text.components(separatedBy: "─ Used by ─").last)
        #expect(text.contains("─ Used by ─") && text.contains("Fetches") && text.contains("Claims"))
        #expect(list.matches(of: /GetTrip/).count == 14)
    }

    @Test func `after polls that were not seen, the number of uses is a minimum`() throws {
        var state = try Ride().screen(at: 65, width: 120, height: 40)
        let omission = EventOmission(successes: 3)
        let id = try Ride().id()
        _ = state.update(.feed(.omitted(id, omission)))
        press("3", &state)
        #expect(view(state).text.contains("used by at least 2 polls"))
    }

    // MARK: Arrival

    @Test(arguments: Language.allCases)
    func `the large arrival fills the screen`(_ language: Language) throws {
        var state = try Ride().screen(at: 60, width: 200, height: 60, localizer: Localizer(language))
        press("a", &state)
        let canvas = view(state)
        let blocks = (0..<canvas.height).count { y in
            (0..<canvas.width).contains { "█▀▄".contains(canvas[$0, y]?.text ?? " ") }
        }
        #expect(blocks >= 15, "\(canvas.text)")
        #expect(blankRows(canvas) < 0.4, "\(canvas.text)")
    }

    @Test func `it has place, countdown, clock time and lines`() throws {
        var state = try Ride().screen(at: 60, width: 200, height: 60)
        press("a", &state)
        #expect(view(state).text.contains("Timeline") && view(state).text.contains("Position"))
        try ScreenFile(name: "arrival-large-200x60").expect(view(state))
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `it has a large countdown on smaller screens`(_ size: (Int, Int)) throws {
        var state = try Ride().screen(at: 60, width: size.0, height: size.1)
        press("a", &state)
        #expect(view(state).text.contains("█"))
        try ScreenFile(name: "arrival-large-\(size.0)x\(size.1)").expect(view(state))
    }

    @Test func `it has the stops before yours in large letters`() throws {
        var state = try ShipmentScreenTests.Scene.onTour.screen(200, 60)
        let rows = view(state).text
        press("a", &state)
        let large = view(state)
        #expect(rows.contains("3 before yours") && large.text.contains("3 before yours"))
        let bands = (0..<large.height).map { y in
            (0..<large.width).contains { "█▀▄".contains(large[$0, y]?.text ?? " ") }
        }
        // Place and countdown, clock time, stops: three bands with a gap between them.
        let starts = bands.indices.count { bands[$0] && ($0 == 0 || !bands[$0 - 1]) }
        #expect(starts >= 3, "\(large.text)")
    }

    @Test func `an ASCII screen has the lines only`() throws {
        var state = try Ride().screen(at: 60, width: 120, height: 40, glyphs: GlyphSet(.ascii))
        press("a", &state)
        #expect(view(state).text.contains("Timeline") && view(state).text.contains("Pickup"))
    }

    // MARK: Presenter

    @Test(arguments: Language.allCases)
    func `who talks to whom is drawn as blocks for viewers at a distance`(_ language: Language) throws {
        let localizer = Localizer(language)
        var state = try Ride().screen(at: 60, width: 200, height: 60, localizer: localizer)
        press("PW", &state)
        let canvas = view(state)
        for name in [localizer(.talkApp), "Fleet Engine", localizer(.talkDriver)] {
            #expect(canvas.text.contains(name), "\(canvas.text)")
        }
        let blocks = (30..<canvas.height).count { y in
            (0..<canvas.width).count { canvas[$0, y]?.role == .badge } > 40
        }
        #expect(blocks == TalkStrip.largeHeight, "\(canvas.text)")
    }
}
