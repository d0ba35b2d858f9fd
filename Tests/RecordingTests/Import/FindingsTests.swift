import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// The findings about two real trips at a poll interval of five seconds.
///
/// By the log, the first trip was rerouted twice and the second one had no anomaly. At its pickup the vehicle waited, so
/// that the predicted arrival moved on with the clock.
@Suite(
    "Findings of two real trips",
    .enabled(if: Shared.isThere, Shared.why),
    .ends(within: .quickTest)
)
struct FindingsTests {
    private func findings(of index: Int, phase: Double = 0) throws -> [Finding] {
        let timeline = try BayArea.trips.get().timelines[index]
        let start = try #require(timeline.snapshots.first).time.addingTimeInterval(phase)
        let end = try #require(timeline.snapshots.last).time.addingTimeInterval(10)
        var state = TripState(id: timeline.id)
        var detector = FindingDetector(journey: timeline.id, provider: try BayArea.trips.get().provider)
        var found: [Finding] = []
        for second in stride(from: 0, through: end.timeIntervalSince(start), by: 5) {
            let now = Moment(wall: start.addingTimeInterval(second), steady: .seconds(second))
            guard let snapshot = timeline.snapshot(at: now.wall) else { continue }
            var report = PollReport(journey: timeline.id, started: now)
            report.outcome = .success(snapshot.journey)
            state.merge(snapshot.journey, serverDate: nil, at: now)
            found += detector.examine(report, state: state, interval: .seconds(5))
        }
        return found
    }

    /// The findings do not depend on the phase of the polls: two detours in the first trip and none in the second.
    @Test(arguments: 0..<5)
    func `reports the two detours and nothing else above info`(phase: Int) throws {
        let start = try #require(BayArea.trips.get().timelines[0].snapshots.first).time
        let first = try findings(of: 0, phase: Double(phase)).filter { $0.severity > .info }
        #expect(first.map(\.rule) == ["rerouted", "rerouted"])
        let seconds = first.map { $0.time.timeIntervalSince(start) }
        // The log has them at 826 and 1188 s; a poll sees them up to five seconds later.
        #expect(zip(seconds, [826.0, 1188]).allSatisfy { (0..<7).contains($0 - $1) })
        #expect(try findings(of: 1, phase: Double(phase)).filter { $0.severity > .info }.isEmpty)
    }

    @Test func `reports as information that the arrival slides while the vehicle is stationary`() throws {
        #expect(try findings(of: 1).contains { $0.rule == "arrivalSlides" && $0.severity == .info })
    }
}
