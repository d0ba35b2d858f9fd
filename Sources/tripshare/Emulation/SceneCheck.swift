import FleetEmulator
import Foundation
import TripFeed
import TripModel

/// Compares what a rider's client sees of a scenario with the scenario's captions and expectations.
///
/// Conditions are evaluated on polls alone, as the screen is. At high speed on a busy machine, polls and drivers may be late.
/// The permitted lateness avoids false violations, but may leave a condition unchecked.
struct SceneCheck {
    /// A condition that did not hold.
    struct Violation: Equatable {
        /// Seconds since the start of the scenario.
        var time: Double
        /// What was expected and what was observed, as a sentence without a full stop.
        var text: String
    }

    private struct Seen {
        var state: TripState?
        var isFailing = false
        var findings: Set<String> = []
    }

    private struct Shown {
        var text: String
        var expectation: SceneCaption.Expectation
        var since: Double
        var isMet = false
        /// When the condition stopped holding.
        var unmetSince: Double?
    }

    /// The maximum time between the end of a status and the caption that reflects it, in seconds.
    private static let transition = 5.0

    /// The violations in order of time.
    private(set) var violations: [Violation] = []
    private let first: TripID?
    private let begin: Duration
    /// The permitted delay of updates in seconds; 0 checks everything.
    private let lateness: Double
    private var seen: [TripID: Seen] = [:]
    private var shown: Shown?
    private var expectations: [Scenario.Expectation]

    /// Creates a check of a scenario that starts now.
    init(_ scenario: Scenario, begins: Moment, lateness: Double) {
        first = scenario.followed.first
        begin = begins.steady
        self.lateness = lateness
        // The client receives no updates about trips that it does not follow.
        expectations = scenario.expectations.filter { scenario.followed.contains($0.trip) }
    }

    /// Records that a caption is shown from `now` on.
    mutating func show(_ caption: SceneCaption, at now: Moment) {
        let time = time(now)
        if let old = shown, !old.isMet, lateness == 0 {
            violate(old, unmet(old.expectation, at: now), at: time, "was not true before the next one came")
        }
        for trip in seen.keys { seen[trip]?.findings = [] }
        shown = caption.expectation.map { Shown(text: caption.text, expectation: $0, since: time) }
    }

    /// Processes a feed event.
    mutating func take(_ event: FeedEvent, at now: Moment) {
        switch event {
        case .polled(let report, let state, _):
            seen[report.trip, default: Seen()].state = state
            seen[report.trip]?.isFailing = report.failure != nil
            judge(at: now)
        case .found(let trip, let findings):
            seen[trip, default: Seen()].findings.formUnion(findings.map(\.rule.rawValue))
            judge(at: now)
        case .ended(let trip, .reached(let status)): end(trip, status, at: now)
        case .polling, .scheduled, .omitted, .ended: break
        }
    }

    // MARK: Judgement

    private func time(_ now: Moment) -> Double { (now.steady - begin).seconds }

    private mutating func judge(at now: Moment) {
        let time = time(now)
        judgeExpectations(at: time)
        guard var current = shown else { return }
        let unmet = unmet(current.expectation, at: now)
        defer { shown = shown == nil ? nil : current }
        if unmet.isEmpty {
            current.isMet = true
            current.unmetSince = nil
        } else if !current.isMet {
            guard time > current.since + current.expectation.within + lateness else { return }
            violate(current, unmet, at: time, "is not true")
            shown = nil
        } else if current.expectation.isThroughout {
            let since = current.unmetSince ?? time
            current.unmetSince = since
            guard time - since >= Self.transition + lateness else { return }
            violate(current, unmet, at: time, "is not true any more")
            shown = nil
        }
    }

    private mutating func judgeExpectations(at time: Double) {
        var pending: [Scenario.Expectation] = []
        for expectation in expectations {
            let statuses = seen[expectation.trip]?.state?.statuses.map(\.status) ?? []
            if statuses.contains(where: { Self.isReached(expectation.status, by: $0) }) { continue }
            // It may take three polls until the change is visible.
            guard time > expectation.within + 15 + lateness else {
                pending.append(expectation)
                continue
            }
            let last = statuses.last?.name ?? "unknown"
            violations.append(
                Violation(
                    time: time,
                    text:
                        "Trip \(shownID(expectation.trip)) is \(last) and should have been \(expectation.status.name) "
                        + "after \(Self.number(expectation.within)) s"
                )
            )
        }
        expectations = pending
    }

    private mutating func end(_ trip: TripID, _ status: TripStatus, at now: Moment) {
        for expectation in expectations
        where expectation.trip == trip && !Self.isReached(expectation.status, by: status) {
            violations.append(
                Violation(
                    time: time(now),
                    text:
                        "Trip \(shownID(trip)) ended as \(status.name) and should have been \(expectation.status.name)"
                )
            )
        }
        expectations.removeAll { $0.trip == trip }
    }

    /// Returns whether a trip in `status` must have been in `wanted` before.
    ///
    /// Polls may miss short statuses.
    private static func isReached(_ wanted: TripStatus, by status: TripStatus) -> Bool {
        if status == wanted { return true }
        guard status != .canceled, wanted != .canceled, let rank = status.rank, let goal = wanted.rank else {
            return false
        }
        return rank > goal
    }

    private mutating func violate(_ shown: Shown, _ unmet: [String], at time: Double, _ words: String) {
        violations.append(
            Violation(
                time: time,
                text: "The caption \(tripshare.shown(shown.text)) \(words): \(unmet.joined(separator: "; "))"
            )
        )
    }

    private func shownID(_ trip: TripID) -> String { tripshare.shown(trip.rawValue) }

    private static func number(_ seconds: Double) -> String { String(Int(seconds.rounded())) }

    // MARK: Conditions

    /// Returns the conditions that do not hold now, each with the observed value.
    private func unmet(_ wanted: SceneCaption.Expectation, at now: Moment) -> [String] {
        guard let trip = wanted.trip ?? first, let seen = seen[trip] else { return ["nothing is known of the trip"] }
        var unmet: [String] = []
        func check(_ name: String, _ wanted: Double?, _ actual: Double?) {
            guard let wanted, actual.map({ $0 < wanted }) ?? true else { return }
            unmet.append("\(name) \(actual.map(Self.number) ?? "none"), expected at least \(Self.number(wanted)) s")
        }
        let state = seen.state
        if !wanted.statuses.isEmpty {
            let status = state?.trip?.status
            if status.map(wanted.statuses.contains) != true {
                let names = wanted.statuses.map(\.name).joined(separator: " or ")
                unmet.append("the status is \(status?.name ?? "unknown"), expected \(names)")
            }
        }
        check("overdue by", wanted.overdue, state?.overdue(at: now)?.seconds)
        check("age of the position", wanted.positionAge, state?.receivedAge(at: now)?.seconds)
        if let bounds = wanted.delay {
            let delay = state.flatMap(Self.delay)
            if delay.map(bounds.contains) != true {
                unmet.append(
                    "the drop-off is \(delay.map(Self.number) ?? "not known to be") s later than at first, expected "
                        + "\(Self.number(bounds.lowerBound)) to \(Self.number(bounds.upperBound))"
                )
            }
        }
        if let finding = wanted.finding, !seen.findings.contains(finding) { unmet.append("no finding \(finding)") }
        if let others = wanted.othersAhead, state?.foreignWaypointsAhead ?? 0 < others {
            unmet.append(
                "\(state?.foreignWaypointsAhead ?? 0) stops of others come before, expected at least \(others)"
            )
        }
        if let isFailing = wanted.isFailing, seen.isFailing != isFailing {
            unmet.append(isFailing ? "the last poll was answered" : "the last poll failed")
        }
        return unmet
    }

    private static func delay(_ state: TripState) -> Double? {
        guard let promised = state.dropoffEstimates.first?.time,
            let time = state.trip?.actualDropoff?.time ?? state.trip?.dropoffTime
        else { return nil }
        return time.timeIntervalSince(promised)
    }
}
