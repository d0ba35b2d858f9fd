package import Failures
import FleetTokens
import FleetWire
import Foundation
package import Runtime
package import TripModel

/// A rider's view of a trip: the data that conditions are checked against.
package struct TripObservation: Sendable {
    /// The state after the last poll; `nil` before the first.
    package var state: TripState?
    /// Why the last poll failed; `nil` if it did not.
    package private(set) var failure: Failure?
    /// The number of polls so far; of a log, of the events that changed the trip.
    package private(set) var polls = 0
    /// The number of those polls whose requests an injected fault kept from being sent.
    private var unsent = 0
    /// The number of the rider's calls in a log so far.
    private var calls = 0
    /// The number of failed polls by their codes.
    private(set) var failures: [String: Int] = [:]
    /// The number of failed polls by their HTTP statuses.
    private(set) var failureStatuses: [Int: Int] = [:]
    /// The latencies of the requests that were answered.
    private(set) var latencies = LatencyRecord()
    /// The size of the last answer in bytes; `nil` without one.
    private(set) var bytes: Int?
    /// How much later the last answer estimated the drop-off than the one before, in seconds; `nil` without two estimates.
    private(set) var slip: Double?
    /// What is known about the token; `nil` if nothing is.
    private(set) var token: TokenStatus?
    /// The fields of the trip as JSON; `nil` if no condition needs them.
    private(set) var fields: JSONValue?
    /// The names of the reported findings.
    package var findings: Set<String> = []

    private let needsFields: Bool
    /// Whether the events are those of a service's log, whose requests are not ours.
    let isOfLog: Bool
    private var dropoff: Date?

    /// Creates an observation without data.
    ///
    /// - Parameters:
    ///   - needsFields: Whether a condition is about a field of the trip.
    ///   - isOfLog: Whether the events are those of a service's log, whose requests are not ours.
    package init(needsFields: Bool = false, isOfLog: Bool = false) {
        (self.needsFields, self.isOfLog) = (needsFields, isOfLog)
    }

    /// The number of requests of the rider so far: ours, or those in a log.
    ///
    /// `nil` for a log without any: it may have been kept without them, and has none of shipments.
    ///
    /// What an injected fault kept from being sent is no request.
    var requests: Int? { isOfLog ? (calls > 0 ? calls : nil) : polls - unsent }

    /// Whether the last poll failed.
    package var isFailing: Bool { failure != nil }

    /// Processes an event of the trip; returns whether the conditions may have changed.
    package mutating func handle(_ event: FeedEvent) -> Bool {
        switch event {
        case .polled(let report, let state, _): handle(report, state)
        case .found(_, let new): findings.formUnion(new.map(\.rule.id))
        case .polling, .scheduled, .omitted, .driver, .ended: return false
        }
        return true
    }

    /// Processes the status of the trip's token, which counts from the next poll on.
    mutating func handle(_ status: TokenStatus) { token = status }

    private mutating func handle(_ report: PollReport, _ state: TripState) {
        self.state = state
        polls += 1
        if report.failure?.isHeldBack == true {
            // Nothing was asked, so that it counts neither as a request nor as a failure of one.
            unsent += 1
            failure = report.failure
        } else if !isOfLog {
            bytes = report.answer?.bytes
            count(report.failure)
            if report.answer != nil, let latency = report.serviceLatency { latencies.add(latency.seconds) }
        }
        guard report.failure == nil else { return }
        let estimate = state.journey?.dropoffTime
        slip = estimate.flatMap { new in dropoff.map { new.timeIntervalSince($0) } }
        dropoff = estimate ?? dropoff
        // Bytes of our own encoder are JSON.
        if needsFields { fields = state.journey?.trip.flatMap { JSONValue(TripCoding.encode($0)) } }
    }

    /// Processes a call of the rider in a log; `error` is the answer of the service if it refused it.
    mutating func handleCall(refused error: ServiceAnswer?) {
        calls += 1
        count(error.map { .service($0, retryAfter: nil) })
    }

    private mutating func count(_ failure: Failure?) {
        self.failure = failure
        guard let failure else { return }
        failures[failure.nameInJSON, default: 0] += 1
        if let status = failure.httpStatus { failureStatuses[status, default: 0] += 1 }
    }

    /// Returns the conditions that do not hold now, each with the observed value.
    package func unmet(_ wanted: ExpectedConditions, at now: Moment) -> [UnmetCondition] {
        guard state != nil || calls > 0 else { return [.unknownTrip] }
        var unmet: [UnmetCondition] = []
        let status = state?.journey?.status
        if !wanted.statuses.isEmpty, status.map(wanted.statuses.contains) != true {
            unmet.append(.status(status, expected: wanted.statuses))
        }
        if let goal = wanted.reached, state?.hasReached(goal) != true {
            unmet.append(.notReached(status, expected: goal))
        }
        if !wanted.order.isEmpty {
            let seen = state?.order(of: wanted.order) ?? []
            if seen != wanted.order { unmet.append(.order(seen, expected: wanted.order)) }
        }
        if let finding = wanted.finding, !findings.contains(finding) { unmet.append(.finding(finding)) }
        if let isFailing = wanted.isFailing {
            if !has(.calls) {
                unmet.append(.noCalls)
            } else if self.isFailing != isFailing {
                unmet.append(.failing(expected: isFailing))
            }
        }
        for check in wanted.checks where !holds(check, at: now) {
            let isOfCalls = check.source == .calls
            unmet.append(isOfCalls && !has(.calls) ? .noCalls : .check(check, value(of: check, at: now)))
        }
        return unmet
    }

    /// Returns whether something was seen of what a condition is about: only then its absence means anything.
    func has(_ source: MeasureForm.Source) -> Bool {
        switch source {
        case .answer: state?.journey != nil
        case .calls: isOfLog ? calls > 0 : state != nil
        case .latency: latencies.last != nil
        case .size: bytes != nil
        case .token: token != nil
        }
    }

    /// Returns whether a comparison is true for what was seen.
    private func holds(_ check: MeasureCheck, at now: Moment) -> Bool {
        has(check.source) && check.holds(for: value(of: check, at: now))
    }

    /// Returns the value that a comparison is about; `nil` if it is unknown.
    package func value(of check: MeasureCheck, at now: Moment) -> MeasuredValue? {
        guard has(check.source) else { return nil }
        return Measure.values[check.measure]?(self, check.argument, now)
    }

    /// Returns whether enough was seen to know that an occasion has not come.
    func isKnown(_ occasion: Occasion) -> Bool {
        switch occasion {
        case .status: has(.answer)
        case .check(let check): has(check.source)
        }
    }

    /// Returns whether an occasion has come.
    func hasCome(_ occasion: Occasion, at now: Moment) -> Bool {
        switch occasion {
        case .status(let status): state?.hasReached(status) == true
        case .check(let check): holds(check, at: now)
        }
    }
}

extension TripState {
    /// Returns whether the trip has or had a status; polls may miss short statuses.
    package func hasReached(_ status: TripStatus) -> Bool {
        statuses.contains { $0.status.hasReached(status) }
    }

    /// Returns those of some statuses that were seen, in the order in which they first appeared.
    func order(of wanted: [TripStatus]) -> [TripStatus] {
        var seen: [TripStatus] = []
        for change in statuses where wanted.contains(change.status) && !seen.contains(change.status) {
            seen.append(change.status)
        }
        return seen
    }

    /// The delay of the drop-off compared with its first estimate, in seconds; `nil` if one of them is unknown.
    package var dropoffDelay: Double? {
        Self.delay(of: milestones.finalArrival?.known ?? journey?.dropoffTime, dropoffEstimates)
    }

    /// The delay of the arrival at the pickup compared with its first estimate, in seconds; `nil` if one is unknown.
    var pickupDelay: Double? {
        Self.delay(of: milestones.pickupArrival?.known ?? journey?.pickupTime, pickupEstimates)
    }

    private static func delay(of time: Date?, _ estimates: SharedArray<Arrival>) -> Double? {
        guard let promised = estimates.first?.time, let time else { return nil }
        return time.timeIntervalSince(promised)
    }
}
