import Failures
import Foundation
import Runtime
import TripModel

/// What the polls of one trip have shown: its state, its findings, and the causes of its failures.
struct PolledTrip: Sendable {
    private(set) var state: TripState
    private var chain = FailureChain()
    private var detector: FindingDetector
    /// The details that a search does not return.
    private var details = TripDetails()

    init(_ id: JourneyID, _ detector: FindingDetector, trailLength: Int) {
        state = TripState(id: id, trailLength: trailLength)
        self.detector = detector
    }

    /// Merges an answer; a failure gets its cause.
    mutating func record(_ report: inout PollReport) {
        switch report.outcome {
        case .success(let journey):
            merge(journey, of: report)
            details.receive(at: report.finished.steady)
        case .failure(let symptom): report.outcome = .failure(chain.linked(symptom, at: report.finished.wall))
        }
    }

    /// Merges a trip that a search has listed; the report belongs to the page, see ``SearchReport/ofTrips``.
    mutating func merge(_ found: Trip, of page: SearchReport) -> PollReport {
        var report = PollReport(journey: .trip(found.id), started: page.started)
        report.isByServer = true
        report.finished = page.finished
        report.call = page.call
        report.call?.subject = report.journey.name
        (report.serverDate, report.cacheAge, report.cache) = (page.serverDate, page.cacheAge, page.cache)
        report.outcome = .success(.trip(found))
        merge(.trip(details.completed(found, known: state.journey?.trip, at: page.finished.steady)), of: report)
        return report
    }

    private mutating func merge(_ journey: Journey, of report: PollReport) {
        state.merge(journey, of: report)
        chain.answered(at: report.finished.wall, token: report.call?.token)
    }

    /// Returns the findings of a recorded poll; the report gets what they depend on.
    mutating func findings(of report: inout PollReport, token: ExaminedToken, interval: Duration) -> [Finding] {
        report.examined = PollReport.Examined(token: token, interval: interval)
        return detector.examine(report, state: state, token: token, interval: interval)
    }
}

extension PolledTrip? {
    /// Returns whether the vehicle has moved since the last answer; before the first one, whether it is on its way.
    func hasMoved(to answer: Journey) -> Bool {
        guard answer.status != .trip(.new), let place = answer.lastLocation?.coordinate else { return false }
        guard let known = self?.state.journey else { return true }
        return known.lastLocation?.coordinate != place
    }
}
