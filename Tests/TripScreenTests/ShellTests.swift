import Canvas
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("Views and how one moves between them", .ends(within: .minutes(10)))
struct ShellTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test func `number keys show each view, Tab goes round`() throws {
        var state = try Ride().screen(at: 30)
        for kind in ViewKind.allCases {
            press("\(kind.number)", &state)
            #expect(state.view == kind)
            #expect(view(state).text.contains(" \(kind.number) \(kind.name)"))
        }
        #expect(state.update(.key(.tab)).isEmpty)
        #expect(state.view == .trip)
        #expect(state.update(.key(.backTab)).isEmpty)
        #expect(state.view == ViewKind.allCases.last)
    }

    @Test func `Enter drills into a trip, Escape climbs back, the breadcrumb tells where one is`() throws {
        var state = try Fleet.screen(width: 100, height: 30)
        press("2jj", &state)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.view == .trip)
        #expect(state.trip?.id.rawValue == Fleet.names[2])
        press("4", &state)
        #expect(view(state).text.contains("Trips › \(Fleet.names[2]) (3 of 5) › Network"))
        #expect(state.update(.key(.escape)).isEmpty)
        #expect(state.view == .trip)
        #expect(state.update(.key(.escape)).isEmpty)
        #expect(state.view == .trips)
    }

    @Test func `orders the trips by each column and back`() throws {
        var state = try Fleet.screen(width: 120, height: 30)
        press("2ss", &state)
        #expect(state.list.order == .status)
        press("sss", &state)
        #expect(state.list.order == .errors)
        #expect(state.listed.first == 4)
        press("S", &state)
        #expect(state.listed.last == 4)
    }

    @Test func `a filter narrows the trips while it is typed and chooses one of them`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        press("2/night", &state)
        #expect(state.listed.count == 1)
        #expect(state.trip?.id.rawValue == "night-shuttle")
        #expect(view(state).cursor != nil)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.prompt == nil && state.listed.count == 1)
        #expect(state.update(.key(.escape)).isEmpty)
        #expect(state.listed.count == 5)
    }

    @Test func `letters that are typed into a filter are no commands`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        press("2/qrt", &state)
        #expect(state.prompt?.line.text == "qrt")
        #expect(state.update(.key(.control("u"))).isEmpty)
        #expect(state.update(.key(.backspace)).isEmpty)
        #expect(state.prompt == nil)
    }

    @Test func `the log is filtered by text and by trip`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        press("7/night", &state)
        #expect(!state.log.shown.isEmpty && state.log.shown.count < state.log.entries.count)
        press("zzz", &state)
        #expect(view(state).text.contains("No event holds this text"))
    }

    @Test func `the network view counts what came and how often it failed`() throws {
        var ride = Ride()
        ride.failsFrom = 100
        let history = try #require(ride.screen(at: 115).trip).history
        #expect(history.statuses == [200: 20])
        #expect(history.faults.values.map(\.count) == [4])
        #expect(history.percentile(0.95) == .milliseconds(22))
    }

    @Test func `the token view never shows more of a token than its claims`() throws {
        for scene in [ViewPictureTests.Scene.token, .tokenFailing] {
            #expect(try !view(scene.screen(200, 60)).text.contains("eyJ"))
        }
    }
}
