package import Foundation
import Runtime
package import TripModel

/// The predictions of one arrival and the actual arrival, all by the service's clock.
package struct PromiseRecord: Sendable, Equatable {
    /// Since when the predictions have been close to the actual arrival.
    package enum Accuracy: Sendable, Equatable {
        /// There is no arrival, an outage hid its time, or no prediction was seen.
        case notKnown
        /// The last prediction was not close.
        case never
        /// From this prediction on, all were close.
        case since(Date)
    }

    /// The maximum difference of a close prediction, in seconds.
    package static let closeness = 60.0
    /// The times before the arrival at which errors are measured, in minutes.
    package static let minutes = [15, 10, 5, 1]
    /// The maximum number of stored predictions, which bounds the memory of a trip without an end.
    static let maximumCount = 2000

    /// When the vehicle arrived, or the latest possible time of the arrival; `nil` if it has not arrived, or if the arrival was not seen.
    package var actual: Date? { arrival?.known }
    /// Whether ``actual`` is only the latest possible time, because an outage hid the arrival.
    package var isLatest: Bool { arrival?.isLatest ?? false }
    /// The arrival and how it is known; `nil` if it was neither reported nor observed.
    var arrival: TripMilestones.Milestone?
    /// The changes of the prediction, oldest first.
    private var promises: SharedArray<Arrival> = []
    /// Whether the first stored prediction is the first that there was.
    private var hasFirst = false
    /// Whether an answer without a prediction was seen.
    private var hasSeenNone = false
    /// Whether predictions between the first and the second stored one were dropped.
    private var hasGap = false

    /// Creates a record without predictions.
    package init() {}

    /// Returns the number of bytes of the predictions besides those that it shares with another record.
    func unsharedBytes(with other: PromiseRecord?) -> Int { promises.unsharedBytes(with: other?.promises) }

    /// Takes the predictions that were received since the last call.
    mutating func record(_ estimates: SharedArray<Arrival>) {
        if estimates.isEmpty { hasSeenNone = true }
        let last = promises.last?.receivedAt
        let new = estimates.suffix(while: { estimate in last.map { estimate.receivedAt > $0 } ?? true })
        guard !new.isEmpty else { return }
        if promises.isEmpty { hasFirst = hasSeenNone }
        promises += new
        if promises.count > Self.maximumCount {
            promises.removeSubrange(1...(Self.maximumCount / 4))
            hasGap = true
        }
    }

    /// The first prediction that there was; `nil` if it was not seen, as when following began later.
    package var first: Arrival? { hasFirst ? promises.first : nil }

    /// The delay compared with the first prediction, in seconds; negative if the vehicle came earlier, `nil` if unknown.
    package var delay: Double? { first.flatMap { prediction in arrival?.exact?.timeIntervalSince(prediction.time) } }

    /// Returns the error of the prediction that was valid some minutes before the arrival, in seconds.
    ///
    /// Positive if the vehicle came later than predicted; `nil` if there was no prediction then, if it was not seen, or if the
    /// time of the arrival is not known.
    package func error(minutesBefore minutes: Int) -> Double? {
        guard let actual = arrival?.exact else { return nil }
        let time = actual.addingTimeInterval(-60 * Double(minutes))
        guard let index = promises.lastIndex(where: { $0.receivedAt <= time }), !(hasGap && index == 0) else {
            return nil
        }
        return actual.timeIntervalSince(promises[index].time)
    }

    /// Since when the predictions were within ``closeness`` of the arrival.
    package var accuracy: Accuracy {
        guard let arrival, let actual, let last = promises.last else { return .notKnown }
        if arrival.mayBeEarlier {
            return last.time.timeIntervalSince(actual) > Self.closeness ? .never : .notKnown
        }
        let close = promises.suffix(while: { abs($0.time.timeIntervalSince(actual)) <= Self.closeness })
        return close.first.map { .since($0.receivedAt) } ?? .never
    }
}

extension SharedArray {
    /// Returns the longest suffix whose elements all fit.
    fileprivate func suffix(while fits: (Element) -> Bool) -> SubSequence {
        self[(lastIndex { !fits($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
