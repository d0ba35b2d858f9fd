import Runtime

/// Texts that open something when they are clicked.
extension Canvas {
    /// Columns of a row that are a link.
    package struct Link: Sendable, Equatable {
        package var place: Place
        /// The number of columns.
        package var columns: Int
        /// The address, in printable ASCII.
        package var address: String
    }

    /// The maximum length of an address in bytes; terminals refuse longer ones.
    static let maximumAddressBytes = 2000

    /// Makes a text of a row a link, if the row contains all of it.
    ///
    /// An address with other than printable ASCII characters, or a very long one, makes no link.
    package mutating func link(_ text: String, row: Int, to address: String) {
        guard !address.isEmpty, address.utf8.count <= Self.maximumAddressBytes,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let columns = columns(of: text, row: row)
        else { return }
        let place = Place(x: columns.lowerBound, y: row)
        links.append(Link(place: place, columns: columns.count, address: address))
    }

    /// Returns the columns of the first occurrence of a text in a row; `nil` if there is none.
    private func columns(of text: String, row: Int) -> Range<Int>? {
        guard (0..<height).contains(row) else { return nil }
        let wanted = glyphs.drawable(text, limit: width).flatMap { cluster in
            [cluster.text] + Array(repeating: "", count: max(0, cluster.width - 1))
        }
        guard !wanted.isEmpty, wanted.count <= width else { return nil }
        let cells = cells[(row * width)..<((row + 1) * width)]
        for x in 0...(width - wanted.count) {
            let part = cells[(cells.startIndex + x)...].prefix(wanted.count)
            if zip(part, wanted).allSatisfy({ $0.text == $1 }) { return x..<(x + wanted.count) }
        }
        return nil
    }
}
