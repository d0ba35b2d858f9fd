import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripFeed

/// The delay of an arrival beside its times.
@Suite("Shown delays", .ends(within: .quickTest))
struct ShownDelayTests {
    /// Seconds of the promised time and of the arrival, and the difference of the times as they are shown.
    @Test(arguments: [(644.9, 658.1, 14), (644.0, 658.9, 14), (644.2, 644.9, 0), (658.1, 644.9, -14)])
    func `is the difference of the times that are shown`(_ promised: Double, _ done: Double, _ shown: Int) {
        var arrival = Arrivals.Arrival(kind: .dropoff)
        arrival.promised = Date(timeIntervalSince1970: promised)
        arrival.done = Date(timeIntervalSince1970: done)
        #expect(arrival.shownDelay == .seconds(shown))
    }
}
