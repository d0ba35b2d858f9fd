import TripFeed

/// The receipt of the shown trip.
extension State {
    /// Shows the receipt.
    mutating func showReceipt() {
        overlay = .receipt
        receiptRow = 0
    }

    /// Scrolls the receipt down, or up with a negative number.
    mutating func scrollReceipt(by rows: Int) {
        receiptRow = max(0, min(receiptRow + rows, ReceiptPanel(of: self)?.lastRow ?? 0))
    }

    /// Processes a key while the receipt is open; returns `false` for a key that closes it and has its usual effect.
    mutating func scrollOrCloseReceipt(_ key: Key) -> Bool {
        let rows = Self.rows(key, page: page)
        if rows != 0 {
            scrollReceipt(by: rows)
            return true
        }
        overlay = nil
        return key == .escape || settings.keys.contains { $0.command == .receipt && $0.keys.contains(key) }
    }
}
