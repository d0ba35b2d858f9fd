import Canvas
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("Views and navigation", .ends(within: .quickTest))
struct ShellTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test func `number keys show each view, and Tab goes round`() throws {
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

    @Test func `Enter opens a trip, Escape goes back, and the breadcrumb shows the position`() throws {
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

    @Test func `sorts the trips by each column and back`() throws {
        var state = try Fleet.screen(width: 120, height: 30)
        press("2ss", &state)
        #expect(state.panels.trips.list.order == .status)
        press("sss", &state)
        #expect(state.panels.trips.list.order == .errors)
        #expect(state.listed.first == 4)
        press("S", &state)
        #expect(state.listed.last == 4)
    }

    @Test func `a filter narrows the table while it is typed and selects one of the trips`() throws {
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

    @Test func `letters typed into a filter are not commands`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        press("2/qrt", &state)
        #expect(state.prompt?.line.text == "qrt")
        #expect(state.update(.key(.control("u"))).isEmpty)
        #expect(state.update(.key(.backspace)).isEmpty)
        #expect(state.prompt == nil)
    }

    @Test func `filters the log by text and by trip`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        press("7/night", &state)
        #expect(
            !state.panels.log.shown(of: state.log).isEmpty
                && state.panels.log.shown(of: state.log).count < state.log.entries.count
        )
        press("zzz", &state)
        #expect(view(state).text.contains("No event contains this text"))
    }

    @Test func `the Network view counts answers and failures`() throws {
        var ride = Ride()
        ride.failsFrom = 100
        let history = try #require(ride.screen(at: 115).trip).history
        #expect(history.statuses == [.http(200): 20])
        #expect(history.faults.values.map(\.count) == [4])
        #expect(history.percentile(0.95) == .milliseconds(22))
    }

    @Test func `the Token view shows only the claims of a token`() throws {
        for scene in [ViewPictureTests.Scene.token, .tokenFailing] {
            #expect(try !view(scene.screen(200, 60)).text.contains("eyJ"))
        }
    }
}
