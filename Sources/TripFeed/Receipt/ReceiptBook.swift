package import TripModel

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
