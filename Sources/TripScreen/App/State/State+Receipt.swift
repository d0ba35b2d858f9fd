import TripFeed

/// The receipt of the shown trip.
extension State {
    /// Shows the receipt.
    mutating func showReceipt() {
        show(overlay: .receipt(row: 0))
    }

    /// Scrolls the receipt down, or up with a negative number.
    mutating func scrollReceipt(by rows: Int) {
        guard case .receipt(let row) = overlay else { return }
        show(overlay: .receipt(row: max(0, min(row + rows, ReceiptPanel(of: self)?.lastRow ?? 0))))
    }

    /// Processes a key while the receipt is open; returns `false` for a key that closes it and has its usual effect.
    mutating func scrollOrCloseReceipt(_ key: Key) -> Bool {
        let rows = Self.rows(key, page: page)
        if rows != 0 {
            scrollReceipt(by: rows)
            return true
        }
        show(overlay: nil)
        return key == .escape || settings.keys.contains { $0.command == .receipt && $0.keys.contains(key) }
    }
}
