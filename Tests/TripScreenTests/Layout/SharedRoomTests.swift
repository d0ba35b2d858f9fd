import Canvas
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// How panels use the room that a screen has.
@Suite("Shared room", .ends(within: .quickTest))
struct SharedRoomTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { _ = state.update(.key(.character(key))) }
    }

    @Test(arguments: [(100, 30), (120, 40), (200, 60)], Language.allCases)
    func `no line is left out while a neighbor has an empty row`(_ size: (Int, Int), _ language: Language) throws {
        let localizer = Localizer(language)
        let state = try Ride().screen(at: 60, width: size.0, height: size.1, localizer: localizer)
        let layout = state.panelLayout
        let trip = TripView(state: state, trip: try #require(state.trip))
        #expect(layout.arrival.height - 2 >= trip.panelRows.rows.count)
        #expect(layout.token.height - 2 >= trip.tokenRows?.rows.count ?? 2)
        #expect(layout.polling.height - 2 >= trip.pollingRows(width: layout.polling.width - 4).rows.count)
    }

    @Test(arguments: 0..<200)
    func `sharing leaves the column complete`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let screen = Rect(x: 0, y: 0, width: number(60...200), height: number(16...60))
        var layout = ScreenLayout(screen, steps: number(5...13))
        let before = layout
        layout.shareRows(PanelRows(arrival: number(0...20), token: number(0...9), polling: number(0...9)))
        let panels =
            [layout.arrival] + (layout.hasTimelinePanel ? [layout.timeline] : []) + [layout.token, layout.polling]
        #expect(panels.allSatisfy { $0.height >= 2 && $0.x == before.token.x && $0.width == before.token.width })
        for (upper, lower) in zip(panels, panels.dropFirst()) { #expect(upper.maxY == lower.y) }
        #expect(panels.first?.y == before.arrival.y && panels.last?.maxY == before.polling.maxY)
        #expect(layout.map == before.map && layout.events == before.events)
    }

    @Test(arguments: [(45, 30), (40, 60), (36, 24)])
    func `a tall and narrow screen has lines, a map and events`(_ size: (Int, Int)) throws {
        let state = try Ride().screen(at: 60, width: size.0, height: size.1)
        #expect(state.mapRect.height >= 5)
        let text = view(state).text
        #expect(text.contains("Pickup") && text.contains("Map") && text.contains("Events"))
        try ScreenFile(name: "narrow-\(size.0)x\(size.1)").expect(view(state))
    }

    @Test(arguments: Language.allCases)
    func `nothing of a narrow screen leaves its frame`(_ language: Language) throws {
        for width in 36..<60 {
            let state = try Ride().screen(at: 60, width: width, height: 30, localizer: Localizer(language))
            let canvas = view(state)
            let map = state.mapRect
            for y in map.y..<map.maxY {
                #expect(canvas[map.x - 1, y]?.text == "│" && canvas[map.maxX, y]?.text == "│", "\(width)")
            }
        }
    }

    // MARK: Trips

    @Test func `the table of trips has a map of all vehicles above it`() throws {
        var state = try Fleet.screen(width: 120, height: 40)
        press("2", &state)
        let text = view(state).text
        #expect(text.contains("3 of 5 trips"))
        #expect(text.contains("airport-0815"))
        var small = try Fleet.screen(width: 80, height: 24)
        press("2", &small)
        #expect(!view(small).text.contains("╭─ Map"))
    }

    @Test func `a click selects the trip of a row below the map`() throws {
        var state = try Fleet.screen(width: 120, height: 40)
        press("2", &state)
        let rows = view(state).text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(rows.lastIndex { $0.contains("night-shuttle") })
        _ = state.update(.pointer(Pointer(.press, x: 10, y: row)))
        #expect(state.trip?.id.rawValue == "night-shuttle")
    }

    @Test func `the section of all vehicles stays while they move a little`() throws {
        func picture(_ shift: Double) throws -> MapPicture {
            let others = [(0.5, 0.3), (0.501, 0.302), (0.499, 0.301)].map { x, y in
                MapPicture.Other(place: .init(x: x + shift, y: y), heading: nil, name: "x", isOld: false)
            }
            return MapPicture(of: MapPicture(), among: others)
        }
        #expect(try picture(0).corners == picture(0.00001).corners)
        #expect(try picture(0).corners != picture(0.01).corners)
    }

    // MARK: Details

    @Test func `a wide view of findings has the details of the chosen rule`() throws {
        var state = try ViewPictureTests.Scene.findings.screen(120, 40)
        let first = view(state).text
        #expect(first.contains("offRoute") && !first.contains("arrivalJumped"))
        press("j", &state)
        #expect(view(state).text.contains("arrivalJumped"))
        press("jjjjjj", &state)
        #expect(view(state).text.contains("statusSkipped"))
        press("k", &state)
        #expect(view(state).text.contains("arrivalJumped"), "the choice ends at the last rule")
    }
}
