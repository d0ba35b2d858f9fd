import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Ride control keys", .ends(within: .quickTest))
struct RideControlTests {
    private func state(_ ride: RideSettings?) throws -> State {
        let settings = State.Settings(host: "engine.example", ride: ride)
        return State(trips: [try Ride().id()], settings: settings, now: Ride.moment(0), width: 100, height: 30)
    }

    /// The changes of the ride's clock that a message causes.
    private func changes(_ state: inout State, _ message: Message) -> [RideChange] {
        state.update(message).compactMap { if case .ride(let change) = $0 { change } else { nil } }
    }

    private func press(_ key: Character, _ state: inout State) -> [RideChange] {
        changes(&state, .key(.character(key)))
    }

    @Test func `keys pause, resume, step, slow down and speed up the clock`() throws {
        var state = try state(RideSettings())
        _ = state.update(.speed(1))
        #expect(press("p", &state) == [RideChange(isPaused: true)])
        _ = state.update(.speed(0))
        #expect(press("p", &state) == [RideChange(isPaused: false)])
        #expect(press(".", &state) == [RideChange(isPaused: true, step: .seconds(10))])
        #expect(press("}", &state) == [RideChange(speed: 2)])
        #expect(press("}", &state) == [RideChange(speed: 5)])
        #expect(press("{", &state) == [RideChange(speed: 2)])
        _ = state.update(.speed(0.1))
        #expect(press("{", &state).isEmpty)
    }

    @Test func `keys do nothing without control of the clock`() throws {
        var state = try state(nil)
        for key in "p.a{}" { #expect(state.update(.key(.character(key))).isEmpty) }
        let names = Palette.commands(in: state).map(\.name)
        #expect(!names.contains("restart") && !names.contains("scenario") && !names.contains("next-stage"))
    }

    @Test func `the next-stage key runs fast to the next status and restores the speed`() throws {
        var state = try state(RideSettings())
        var seen: [RideChange] = []
        for message in try Ride().messages(until: 30) { seen += changes(&state, message) }
        #expect(seen.isEmpty)
        _ = state.update(.speed(2))
        #expect(press("e", &state) == [RideChange(isPaused: false, speed: RideControl.skippingSpeed)])
        _ = state.update(.speed(RideControl.skippingSpeed))
        for message in try Ride().messages(until: 70).dropFirst(1) { seen += changes(&state, message) }
        #expect(seen == [RideChange(speed: 2)])
    }

    @Test func `the next-stage key says that the ride has ended instead of running on`() throws {
        var state = try state(RideSettings())
        for message in try Ride().messages(until: 2000) { _ = state.update(message) }
        #expect(state.trip?.state.journey?.status == .trip(.complete))
        #expect(press("e", &state).isEmpty)
        #expect(state.message == "The ride has ended: there is no next status")
    }

    @Test func `a skip slows down to what the polls can follow, and never below the speed before it`() throws {
        var state = try state(RideSettings())
        _ = state.update(.speed(2))
        let messages = try Ride().messages(until: 30)
        for message in messages { _ = state.update(message) }
        func answer(after seconds: Double) throws -> [RideChange] {
            let last = messages.last { if case .feed(.polled) = $0 { true } else { false } }
            guard case .feed(.polled(var report, let trip, let findings)) = last else {
                throw WaitFailure("no poll")
            }
            report.started = report.finished.advanced(by: .seconds(-seconds))
            return changes(&state, .feed(.polled(report, trip, findings)))
        }
        #expect(try answer(after: 60).isEmpty)
        _ = press("e", &state)
        _ = state.update(.speed(RideControl.skippingSpeed))
        #expect(try answer(after: 10).isEmpty)
        #expect(try answer(after: 40) == [RideChange(speed: 30)])
        #expect(try answer(after: 1000) == [RideChange(speed: 2)])
        #expect(try answer(after: 1000).isEmpty)
        #expect(press("e", &state) == [RideChange(speed: 2)])
    }

    @Test func `pressing the next-stage key again cancels it`() throws {
        var state = try state(RideSettings())
        _ = state.update(.speed(5))
        _ = press("e", &state)
        _ = state.update(.speed(RideControl.skippingSpeed))
        #expect(press("e", &state) == [RideChange(speed: 5)])
    }

    @Test func `skips the beginning until the vehicle has moved`() throws {
        var state = try state(RideSettings(skipsBeginning: true))
        _ = state.update(.speed(1))
        var seen: [RideChange] = []
        for message in try Ride().messages(until: 60) { seen += changes(&state, message) }
        #expect(seen == [RideChange(isPaused: false, speed: RideControl.skippingSpeed), RideChange(speed: 1)])
        #expect(state.trip?.state.journey?.status == .trip(.enrouteToPickup))
    }

    @Test func `space pauses the ride and the polls together`() throws {
        var state = try state(RideSettings())
        for message in try Ride().messages(until: 20) { _ = state.update(message) }
        let id = try Ride().id()
        #expect(state.update(.key(.character(" "))) == [.ride(RideChange(isPaused: true)), .feed(.pause, id)])
    }

    @Test func `plays and restarts scenarios from the command line`() throws {
        var state = try state(RideSettings(scenarios: ["ride", "traffic-jam"]))
        func run(_ line: String) -> [Effect] {
            _ = state.update(.key(.character(":")))
            for character in line { _ = state.update(.key(.character(character))) }
            return state.update(.key(.enter))
        }
        #expect(run("scenario traffic-jam") == [.play("traffic-jam")])
        #expect(run("restart") == [.play(nil)])
        #expect(run("scenario none").isEmpty)
        #expect(state.message == "There is no scenario ‘none’")
    }
}
