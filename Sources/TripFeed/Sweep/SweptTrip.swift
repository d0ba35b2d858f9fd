import Failures
import Runtime
import TripModel

/// The data of a ``ProjectFeed`` about one trip.
struct SweptTrip: Sendable {
    private var trip: PolledTrip
    private var details = TripDetails()

    /// Creates a trip without an answer.
    init(_ id: JourneyID, provider: ProviderID, absent: Set<TripField>, limits: FindingLimits, trailLength: Int) {
        let detector = FindingDetector(journey: id, provider: provider, absent: absent, limits: limits)
        trip = PolledTrip(id, detector, trailLength: trailLength)
    }

    /// The merged state.
    var state: TripState { trip.state }

    /// Merges a trip that a search has listed; the report is that of its page, see ``SearchReport/ofTrips``.
    mutating func merge(_ found: Trip, of page: SearchReport) -> PollReport {
        var report = PollReport(journey: .trip(found.id), started: page.started)
        report.isByServer = true
        report.finished = page.finished
        report.call = page.call
        report.call?.subject = report.journey.name
        (report.serverDate, report.cacheAge, report.cache) = (page.serverDate, page.cacheAge, page.cache)
        report.outcome = .success(.trip(found))
        let trip = details.completed(found, known: state.journey?.trip, at: page.finished.steady)
        self.trip.merge(.trip(trip), of: report)
        return report
    }

    /// Merges the answer to GetTrip, and returns its findings.
    mutating func merge(_ report: inout PollReport, token: ExaminedToken, interval: Duration) -> [Finding] {
        trip.record(&report)
        if report.failure == nil { details.receive(at: report.finished.steady) }
        return trip.findings(of: &report, token: token, interval: interval)
    }
}
