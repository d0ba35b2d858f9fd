import Failures
import Foundation
import Runtime
import TripModel

/// What the polls of one trip have shown: its state, its findings, and the causes of its failures.
struct PolledTrip: Sendable {
    private(set) var state: TripState
    private var chain = FailureChain()
    private var detector: FindingDetector

    init(_ id: JourneyID, _ detector: FindingDetector, trailLength: Int) {
        state = TripState(id: id, trailLength: trailLength)
        self.detector = detector
    }

    /// Merges an answer; a failure gets its cause.
    mutating func record(_ report: inout PollReport) {
        switch report.outcome {
        case .success(let journey): merge(journey, of: report)
        case .failure(let symptom): report.outcome = .failure(chain.linked(symptom, at: report.finished.wall))
        }
    }

    /// Merges the trip of an answer.
    mutating func merge(_ journey: Journey, of report: PollReport) {
        state.merge(journey, of: report)
        chain.answered(at: report.finished.wall, token: report.call?.token)
    }

    /// Returns the findings of a recorded poll; the report gets what they depend on.
    mutating func findings(of report: inout PollReport, token: ExaminedToken, interval: Duration) -> [Finding] {
        report.examined = PollReport.Examined(token: token, interval: interval)
        return detector.examine(report, state: state, token: token, interval: interval)
    }
}
