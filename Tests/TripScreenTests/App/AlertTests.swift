import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Bell", .ends(within: .quickTest))
struct AlertTests {
    /// The texts of all rings during a ride.
    ///
    /// Polls before `start` are skipped.
    private func rings(_ ride: Ride, from start: Double = 0, until end: Double, rings: Bool = true) throws -> [String] {
        let settings = State.Settings(host: "engine.example", rings: rings)
        var state = State(trips: [try ride.id()], settings: settings, now: Ride.moment(start), width: 80, height: 24)
        var texts: [String] = []
        for message in try ride.messages(until: end) {
            if case .feed(.polled(let report, _, _)) = message, report.started.steady < Ride.moment(start).steady {
                continue
            }
            for case .ring(let text) in state.update(message) { texts.append(text) }
        }
        return texts
    }

    @Test func `rings at the pickup and at the drop-off`() throws {
        let texts = try rings(Ride(), until: 200)
        #expect(texts.count == 2)
        #expect(texts.first == "trip-7f3a: Driver is at the pickup")
        #expect(texts.last?.hasPrefix("trip-7f3a: ") == true)
    }

    @Test func `rings for a cancellation`() throws {
        var ride = Ride()
        ride.status = [(0, .new), (12, .enrouteToPickup), (30, .canceled)]
        #expect(try rings(ride, until: 60).count == 1)
    }

    @Test func `rings once when tracking is lost by a silent driver or by failing polls`() throws {
        var ride = Ride()
        ride.silentFrom = 80
        #expect(try rings(ride, from: 78, until: 165).count == 1)
        ride = Ride()
        ride.failsFrom = 80
        #expect(try rings(ride, from: 78, until: 165).count == 1)
    }

    @Test func `does not ring for the initial state or when rings are off`() throws {
        #expect(try rings(Ride(), from: 173, until: 200).isEmpty)
        #expect(try rings(Ride(), until: 200, rings: false).isEmpty)
    }

    @Test func `sanitizes its text`() throws {
        var ride = Ride()
        ride.name = "trip\u{202E}x"
        #expect(try rings(ride, until: 70) == ["trip\\u{202E}x: Driver is at the pickup"])
    }
}
