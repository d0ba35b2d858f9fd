/// The width of text in terminal columns.
package enum TextWidth {
    /// Returns the width of one scalar: 0 for combining marks and invisible characters, 2 for wide ones, else 1.
    ///
    /// `nil` means that the scalar cannot be drawn: a control character or one that is unknown in Unicode 14.
    package static func of(_ scalar: Unicode.Scalar) -> Int? {
        let value = scalar.value
        if value < 0x7F { return value >= 0x20 ? 1 : nil }
        if value < 0xA0 { return nil }
        if value < 0x300 { return contains(value, in: WidthTable.zero) ? 0 : 1 }
        if value == 0x2028 || value == 0x2029 { return nil }
        if contains(value, in: WidthTable.wide) { return 2 }
        if contains(value, in: WidthTable.zero) { return 0 }
        guard let age = scalar.properties.age, age.major <= 14 else { return nil }
        return scalar.properties.isNoncharacterCodePoint ? nil : 1
    }

    /// Returns the width of `text` on a canvas, after sanitizing by ``Printable``.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return Printable.clusters(text).reduce(0) { $0 + $1.width }
    }

    /// Searches a table of ranges by bisection.
    private static func contains(_ value: UInt32, in table: [UInt32]) -> Bool {
        var low = 0
        var high = table.count / 2
        while low < high {
            let middle = (low + high) / 2
            if value < table[2 * middle] {
                high = middle
            } else if value > table[2 * middle + 1] {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }
}
