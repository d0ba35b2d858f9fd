package import FleetTokens
package import TripModel

/// The receipts of all trips of a session; without side effects.
package struct ReceiptBook: Sendable {
    private var receipts: [JourneyID: TripReceipt] = [:]

    /// Creates a book without receipts.
    package init() {}

    /// Takes an event of a trip.
    package mutating func handle(_ event: FeedEvent) {
        receipts[event.trip, default: TripReceipt(event.trip)].handle(event)
    }

    /// Takes an event of a token; those of vehicles have no receipt.
    package mutating func handle(_ event: TokenEvent) {
        guard let trip = event.context.journey else { return }
        switch event.kind {
        // They come after the end of a trip, whose receipt must not begin again.
        case .evicted, .closed: return
        default: break
        }
        receipts[trip, default: TripReceipt(trip)].handle(event)
    }

    /// Removes the receipt of a trip; returns it if the trip is complete or canceled.
    package mutating func finished(_ trip: JourneyID) -> TripReceipt? {
        guard let receipt = receipts.removeValue(forKey: trip), receipt.hasEnded else { return nil }
        return receipt
    }
}
