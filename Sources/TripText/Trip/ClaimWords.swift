import Failures
import FleetTokens
package import Foundation
import Runtime
package import TripFeed
package import TripModel

/// Words what may be said about a journey, with the evidence: claims, status, position and its age.
package struct ClaimWords {
    /// What the answers have shown of a journey, with the events.
    package struct Facts: Sendable {
        /// The status since the answer that has shown it first.
        package let status: Fact<JourneyStatus>?
        /// The last position of the vehicle.
        package let position: Fact<VehicleLocation>?
        /// Why the position is old, since the poll that has shown it; `nil` if it is not.
        package let age: Fact<PositionAge.Reason>?
        /// The last failed poll; `nil` if the last one was answered.
        package let failure: EventStamp?
        /// The last answer; `nil` before the first.
        package let answer: EventStamp?
        /// The first complete poll; `nil` before.
        package let firstPoll: EventStamp?

        /// Takes what is shown of a journey's facts.
        package init(_ facts: JourneyFacts) {
            (status, position, age) = (facts.status, facts.position, facts.staleness)
            (failure, answer, firstPoll) = (facts.failure?.stamp, facts.answer?.stamp, facts.firstPoll)
        }
    }

    private let facts: Facts
    private let zone: Zone
    private let localizer: Localizer
    private let basis: (EventStamp, Statement.Basis.Meaning) -> Statement.Basis

    /// Creates the words for facts.
    ///
    /// - Parameters:
    ///   - facts: What the answers have shown.
    ///   - zone: The zone of clock times.
    ///   - localizer: The language.
    ///   - basis: Returns the evidence of an event.
    package init(
        _ facts: Facts,
        _ zone: Zone,
        _ localizer: Localizer,
        _ basis: @escaping (EventStamp, Statement.Basis.Meaning) -> Statement.Basis
    ) {
        (self.facts, self.zone, self.localizer, self.basis) = (facts, zone, localizer, basis)
    }

    /// Returns the sentences: the claims, then status, position and why the position is old.
    ///
    /// - Parameters:
    ///   - claims: What may be said.
    ///   - time: The present by the clock of the service.
    ///   - age: The age of the position; `nil` without a position.
    /// - Returns: The sentences.
    package func statements(_ claims: Claims, at time: Date, _ age: PositionAge?) -> [Statement] {
        claims.all.map { claim in
            Statement(
                .arrival,
                claim.arrival?.title(localizer) ?? localizer(.claimReport),
                sentence(claim),
                [asOf(claim, at: time), strength(claim), end(of: claim)],
                [facts.answer].compactMap(\.self).filter { claim.evidence.contains($0.number) }.map { basis($0, .time) }
            )
        }
            + [facts.status.map(statement(of:)), facts.position.flatMap(statement(of:)), statement(of: age)]
            .compactMap(\.self)
    }

    private func statement(of status: Fact<JourneyStatus>) -> Statement {
        Statement(.status, localizer(.columnStatus), status.value.name, [], [basis(status.stamp, .beginning)])
    }

    private func statement(of position: Fact<VehicleLocation>) -> Statement? {
        guard let coordinate = position.value.coordinate else { return nil }
        return Statement(
            .position,
            localizer(.position),
            localizer.position(coordinate),
            [position.measured.map { localizer(.claimMeasured(time: zone.clock($0))) }],
            [basis(position.stamp, .receipt)]
        )
    }

    private func statement(of age: PositionAge?) -> Statement? {
        guard let age, let reason = age.explanation(localizer) else { return nil }
        let old = age.received ?? age.measured ?? .zero
        // The reason may differ from the reason at the last poll, because time has passed.
        let seen = facts.age.flatMap { $0.value == age.reason ? basis($0.stamp, .beginning) : nil }
        return Statement(
            .positionAge,
            localizer(.position),
            localizer(.positionIsOld(age: localizer.age(old), reason: reason)),
            [],
            [seen, facts.position.map { basis($0.stamp, .receipt) }].compactMap(\.self)
        )
    }

    private func sentence(_ claim: Claim) -> String {
        switch claim.kind {
        case .expected(_, let expected, let left): joined([localizer.countdown(left), zone.clock(expected)])
        case .overdue(_, let expected, let late):
            joined([localizer(.countdownOverdue(duration: localizer.watch(late))), zone.clock(expected)])
        case .notShown(_, let expected): localizer(.notKnown) + localizer(.expectedAt(time: zone.clock(expected)))
        case .noReport(let silence, let missed):
            joined(
                [localizer(.countdownNoReport(duration: localizer.watch(silence)))]
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
        case .expected, .overdue, .notShown, .noReport, .atStop:
            claim.until.map { localizer(.claimUntil(time: zone.clock($0))) } ?? localizer(.claimUntilAnswer)
        }
    }

    private func joined(_ parts: [String]) -> String { parts.joined(separator: localizer(.listComma)) }
}
