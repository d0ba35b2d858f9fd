import Failures
import FleetTokens
import Foundation
import TripFeed
package import TripModel

/// Compares what this program concludes from recorded answers with what the recording holds; without side effects.
///
/// Token states, schedules and failures before an answer are inputs. The outcomes of answers, the findings and the ends are
/// conclusions.
package struct OutcomeCheck: Sendable {
    /// A conclusion that differs.
    package struct Difference: Sendable, Equatable {
        /// What differs.
        package enum Kind: String, Sendable {
            /// The outcome of a poll: `OK` or an error code.
            case outcome
            /// The findings about a poll: their rules and severities.
            case findings
            /// The end of a trip.
            case end
        }

        /// What differs.
        package var kind: Kind
        /// The journey.
        package var journey: JourneyID
        /// What the recording holds.
        package var recorded: String
        /// What this program concludes.
        package var computed: String
    }

    /// What is known about a trip.
    private struct Track: Sendable {
        var detector: FindingDetector
        var state: TripState?
        var failure: Failure?
        /// The recorded findings about the next poll.
        var findings: [Finding] = []
        /// The token after its last event.
        var token = ExaminedToken()
        /// Whether an answer is shortened, so that findings about it and later ones may differ.
        var isShortened = false
    }

    /// Whether the file lacks the beginning of the session, on which findings depend.
    private let isPartial: Bool
    private let provider: ProviderID
    private let absent: Set<TripField>
    private let limits: FindingLimits
    private var tracks: [JourneyID: Track] = [:]
    /// The number of compared polls.
    package private(set) var polls = 0

    /// Creates a check at the start of a recording.
    package init(_ header: RecordingHeader, provider: ProviderID) {
        isPartial = header.isPartial ?? false
        self.provider = provider
        absent = Set(header.configuration.absentFields.compactMap(TripField.init(rawValue:)))
        limits = header.configuration.limits
    }

    /// Compares an event with what this program makes of it; returns the differences.
    package mutating func handle(_ event: RecordedEvent, _ item: RecordingPlayer.Item?) -> [Difference] {
        switch (event.content, item) {
        case (.token, .token(let token, _)?):
            guard let trip = token.context.journey else { return [] }
            change(trip) { $0.token = ExaminedToken(token.status) }
            return []
        case (.findings(let findings), _):
            guard let trip = try? JourneyID(named: findings.trip) else { return [] }
            change(trip) { $0.findings += findings.findings(of: trip) }
            return []
        case (.poll(let poll), .feed(.polled(let report, let state, let schedule))?):
            return differences(poll, report, state, schedule)
        case (.end(let end), .feed(.ended(let trip, _))?): return differences(end, of: trip)
        default: return []
        }
    }

    private mutating func change(_ journey: JourneyID, _ body: (inout Track) -> Void) {
        var track = tracks[journey] ?? track(of: journey)
        body(&track)
        tracks[journey] = track
    }

    private func track(of journey: JourneyID) -> Track {
        Track(detector: FindingDetector(journey: journey, provider: provider, absent: absent, limits: limits))
    }

    private mutating func differences(
        _ poll: RecordedPoll,
        _ report: PollReport,
        _ state: TripState,
        _ schedule: PollSchedule
    ) -> [Difference] {
        polls += 1
        var track = tracks[report.journey] ?? track(of: report.journey)
        defer { tracks[report.journey] = track }
        var differences: [Difference] = []
        let (recorded, computed) = (poll.failure?.nameInJSON ?? "OK", report.failure?.nameInJSON ?? "OK")
        if recorded != computed {
            differences.append(
                Difference(kind: .outcome, journey: report.journey, recorded: recorded, computed: computed)
            )
        }
        track.failure = report.failure
        track.state = state
        if poll.call?.answer?.body?.isCut == true { track.isShortened = true }
        // A session does not examine what a search lists, because it lacks the waypoints and the route.
        guard report.operation != .searchTrips else { return differences }
        let examined = poll.examined(after: track.token, schedule)
        let findings = track.detector.examine(
            report,
            state: state,
            token: examined.token,
            interval: examined.interval
        )
        let known = Self.names(track.findings)
        track.findings = []
        if !isPartial, !track.isShortened, known != Self.names(findings) {
            differences.append(
                Difference(kind: .findings, journey: report.journey, recorded: known, computed: Self.names(findings))
            )
        }
        return differences
    }

    private static func names(_ findings: [Finding]) -> String {
        findings.isEmpty
            ? "–" : findings.map { "\($0.rule.id) (\($0.severity.rawValue))" }.sorted().joined(separator: ", ")
    }

    private mutating func differences(_ end: RecordedEnd, of journey: JourneyID) -> [Difference] {
        guard let track = tracks[journey] else { return [] }
        // If the trip is added again, only its token is known, as in the session.
        tracks[journey] = self.track(of: journey)
        tracks[journey]?.token = track.token
        guard !isPartial else { return [] }
        let (recorded, computed): (String?, String?) =
            switch end.kind {
            case .left: (nil, nil)
            case .reached: (end.status, track.state?.journey?.status.name)
            case .failed: (end.failure?.nameInJSON, track.failure?.nameInJSON)
            }
        guard let recorded, recorded != computed else { return [] }
        return [Difference(kind: .end, journey: journey, recorded: recorded, computed: computed ?? "–")]
    }
}
