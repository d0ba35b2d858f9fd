import FleetEmulator
import Foundation
import TripFeed
import TripModel
import TripText

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
    /// The first trip that has not reached its expected status in time.
    private(set) var overdue: TripID?
    private let first: TripID?
    private var begin: Duration
    /// The permitted delay of updates in seconds; 0 checks everything.
    private let lateness: Double
    private var seen: [TripID: TripObservation] = [:]
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

    /// Records that the scenario starts only now.
    mutating func start(at now: Moment) { begin = now.steady }

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
        if seen[event.trip, default: TripObservation()].take(event) { judge(at: now) }
        if case .ended(let trip, .reached(let status)) = event { end(trip, status, at: now) }
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
            violate(current, unmet, at: time, "is no longer true")
            shown = nil
        }
    }

    private mutating func judgeExpectations(at time: Double) {
        var pending: [Scenario.Expectation] = []
        for expectation in expectations {
            let state = seen[expectation.trip]?.state
            let isReached = state?.hasReached(expectation.status) == true
            // It may take three polls until the change is visible.
            guard time > expectation.within + 15 + lateness else {
                if !isReached { pending.append(expectation) }
                continue
            }
            let (trip, status) = (shownID(expectation.trip), expectation.status.name)
            let last = state?.statuses.last?.status.name ?? "unknown"
            let limit = Self.number(expectation.within)
            let text =
                isReached
                ? "Trip \(trip) was \(status) later than after \(limit) s"
                : "Trip \(trip) is \(last) and should have been \(status) after \(limit) s"
            violations.append(Violation(time: time, text: text))
            if !isReached { overdue = overdue ?? expectation.trip }
        }
        expectations = pending
    }

    private mutating func end(_ trip: TripID, _ status: TripStatus, at now: Moment) {
        for expectation in expectations
        where expectation.trip == trip && !status.hasReached(expectation.status) {
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

    /// Returns the conditions that do not hold now, each with the observed value.
    private func unmet(_ wanted: SceneCaption.Expectation, at now: Moment) -> [String] {
        let trip = wanted.conditions.trip ?? first
        let observation = trip.flatMap { seen[$0] } ?? TripObservation()
        return observation.unmet(wanted.conditions, at: now).map { Localizer.english.text(of: $0) }
    }
}
