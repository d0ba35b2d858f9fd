import Foundation
package import TripModel

/// The events that support the values of a receipt.
package struct ReceiptEvents: Sendable {
    /// A value of a receipt that one event has shown.
    package enum Part: Sendable, Hashable, CaseIterable {
        /// The first status, and the first status after the trip had no vehicle.
        case firstStatus, assignment
        /// The first predictions.
        case pickupPromise, dropoffPromise
        /// The arrivals, and when the rider got in.
        case pickupArrival, boarding, dropoffArrival
    }

    /// A value, and the event that showed it.
    private struct Shown: Sendable {
        let time: Date
        let stamp: EventStamp
    }

    private var parts: [Part: Shown] = [:]
    /// The last answer; `nil` before the first.
    package private(set) var lastAnswer: EventStamp?

    /// Creates the events of a receipt without answers.
    package init() {}

    /// Returns the event that showed a value; `nil` if it is not known.
    package subscript(_ part: Part) -> EventStamp? { parts[part]?.stamp }

    /// Takes a receipt after an answer.
    package mutating func handle(_ receipt: TripReceipt, _ answer: EventStamp) {
        lastAnswer = answer
        for part in Part.allCases {
            guard let time = part.time(of: receipt), parts[part]?.time != time else { continue }
            parts[part] = Shown(time: time, stamp: answer)
        }
    }
}

extension ReceiptEvents.Part {
    /// Returns the value in a receipt; `nil` if it is not known.
    fileprivate func time(of receipt: TripReceipt) -> Date? {
        switch self {
        case .firstStatus: receipt.statuses.first?.seen
        case .assignment: receipt.statuses.first { $0.status != .trip(.new) }?.seen
        case .pickupPromise: receipt.pickup.first?.time
        case .pickupArrival: receipt.pickup.arrival?.time
        case .boarding: receipt.milestones.boarding?.time
        case .dropoffPromise: receipt.dropoff.first?.time
        case .dropoffArrival: receipt.dropoff.arrival?.time
        }
    }
}

/// The receipts of all trips of a session; without side effects.
package struct ReceiptBook: Sendable {
    private var receipts: [JourneyID: TripReceipt] = [:]

    /// Creates a book without receipts.
    package init() {}

    /// Takes what an event has changed.
    package mutating func handle(_ changes: [JourneyChange], _ table: JourneyTable) {
        guard let trip = changes.first?.journey, let facts = table[trip] else { return }
        receipts[trip, default: TripReceipt(trip)].handle(changes, facts)
    }

    /// Removes the receipt of a trip; returns it if the trip is complete or canceled.
    package mutating func finished(_ id: JourneyID) -> TripReceipt? {
        guard let receipt = receipts.removeValue(forKey: id), receipt.hasEnded else { return nil }
        return receipt
    }
}
