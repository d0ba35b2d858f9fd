import FleetTokens
import FleetWire
package import Foundation
import Runtime
package import TripFeed
package import TripModel

/// What the sentences about a journey stand on: of when each is, how sure, what ends it, and the poll that shows it.
package struct ClaimWords {
    /// What the answers have shown of a journey, with the events.
    package struct Facts: Sendable {
        /// The status since the answer that has shown it first.
        package let status: Fact<JourneyStatus>?
        /// The last position of the vehicle.
        package let position: Fact<VehicleLocation>?

        /// Takes what is shown of a journey's facts.
        package init(_ facts: JourneyFacts) { (status, position) = (facts.status, facts.position) }
    }

    /// The poll that returned the last answer.
    package struct Poll: Sendable {
        /// The method, such as `GetTrip`.
        let operation: String
        /// The HTTP or gRPC status; `nil` in a log.
        let status: AnswerStatus?
        /// When the answer came.
        let time: Date

        /// Takes what is shown of a poll.
        package init(_ report: PollReport) {
            (operation, status) = (report.operation.rawValue, report.status)
            time = report.finished.wall
        }
    }

    private let claims: Claims
    private let zone: Zone
    private let localizer: Localizer

    /// Creates the words for claims.
    package init(_ claims: Claims, _ zone: Zone, _ localizer: Localizer) {
        (self.claims, self.zone, self.localizer) = (claims, zone, localizer)
    }

    /// Returns the rows: for each claim, then for status and position, what is said, and below it the evidence.
    ///
    /// - Parameters:
    ///   - time: The present by the clock of the service.
    ///   - poll: The poll that returned the last answer; `nil` if it is unknown.
    ///   - facts: What the answers have shown; `nil` before the first.
    /// - Returns: The rows.
    package func rows(at time: Date, poll: Poll?, _ facts: Facts?) -> [FailureDetails.Row] {
        claims.all.flatMap { claim -> [FailureDetails.Row] in
            row(
                claim.arrival?.title(localizer) ?? localizer(.claimNews),
                sentence(claim),
                [asOf(claim, at: time), strength(claim), end(of: claim), evidence(claim, poll)]
            )
        } + (facts?.status.map(rows(of:)) ?? []) + (facts?.position.map(rows(of:)) ?? [])
    }

    private func rows(of status: Fact<JourneyStatus>) -> [FailureDetails.Row] {
        let since = localizer(.since(time: zone.clock(status.stamp.received.wall)))
        return row(localizer(.columnStatus), status.value.name, [joined([since, event(status.stamp.number)])])
    }

    private func rows(of position: Fact<VehicleLocation>) -> [FailureDetails.Row] {
        guard let coordinate = position.value.coordinate else { return [] }
        let received = localizer(.claimReceived(time: zone.clock(position.stamp.received.wall)))
        return row(
            localizer(.position),
            localizer.position(coordinate),
            [
                position.measured.map { localizer(.claimMeasured(time: zone.clock($0))) },
                joined([received, event(position.stamp.number)]),
            ]
        )
    }

    private func row(_ label: String, _ value: String, _ below: [String?]) -> [FailureDetails.Row] {
        [FailureDetails.Row(label: label, value: value)]
            + below.compactMap(\.self).map { FailureDetails.Row(label: "", value: $0) }
    }

    private func event(_ number: EventNumber) -> String {
        localizer(.claimEvent(number: String(number.rawValue)))
    }

    private func sentence(_ claim: Claim) -> String {
        switch claim.kind {
        case .expected(_, let expected, let left): joined([localizer.countdown(left), zone.clock(expected)])
        case .overdue(_, let expected, let late):
            joined([localizer(.countdownOverdue(duration: localizer.watch(late))), zone.clock(expected)])
        case .noNews(let silence, let missed):
            joined(
                [localizer(.countdownNoNews(duration: localizer.watch(silence)))]
                    + [missed.map { zone.clock($0.expected) }].compactMap(\.self)
            )
        case .atStop(_, let since): localizer(.since(time: zone.clock(since)))
        case .reached(let arrival, let time, _):
            localizer.happened(at: zone.clock(time), isLatest: arrival.isLatestDone)
        case .ended(let status): status.name
        }
    }

    private func asOf(_ claim: Claim, at time: Date) -> String {
        let age = Duration.seconds(max(0, time.timeIntervalSince(claim.asOf)))
        return localizer(.claimAsOf(time: zone.clock(claim.asOf), age: localizer.watch(age)))
    }

    private func strength(_ claim: Claim) -> String {
        switch claim.strength {
        case .reported: localizer(.claimReported)
        case .estimated: localizer(.claimEstimated)
        case .estimatedLongAgo: localizer(.claimEstimatedLongAgo)
        }
    }

    private func end(of claim: Claim) -> String {
        switch claim.kind {
        case .reached, .ended: localizer(.claimFinal)
        case .expected, .overdue, .noNews, .atStop:
            claim.until.map { localizer(.claimUntil(time: zone.clock($0))) } ?? localizer(.claimUntilAnswer)
        }
    }

    /// Returns `GetTrip · 200 · 17:01:40 · event 12`; `nil` if nothing is known.
    private func evidence(_ claim: Claim, _ poll: Poll?) -> String? {
        var parts: [String] = []
        if let poll {
            parts = [poll.operation] + [poll.status.map(\.label)].compactMap(\.self) + [zone.clock(poll.time)]
        }
        parts += claim.evidence.map(event)
        return parts.isEmpty ? nil : joined(parts)
    }

    private func joined(_ parts: [String]) -> String { parts.joined(separator: localizer(.listComma)) }
}
