/// A directory of a PMTiles archive: where tiles and further directories are in the file.
struct PMTilesDirectory {
    /// Tiles of consecutive numbers with the same content, or a directory.
    struct Entry: Equatable {
        /// The first number.
        var number: UInt64
        /// The offset in the section of tiles or of directories.
        var offset: UInt64
        var length: UInt32
        /// The number of tiles; 0 for a directory.
        var runLength: UInt32
    }

    /// The maximum number of entries; archives of the whole world have about 30,000 per directory.
    static let maximumEntries = 200_000

    let entries: [Entry]

    /// Reads an uncompressed directory.
    init(_ bytes: [UInt8]) throws(BasemapProblem) {
        var reader = VarintReader(bytes: bytes)
        let announced = try reader.next()
        // Each entry has four numbers of at least one byte.
        guard announced <= Self.maximumEntries, announced <= bytes.count / 4 else { throw .damaged }
        let count = Int(announced)
        var entries = [Entry](repeating: Entry(number: 0, offset: 0, length: 0, runLength: 0), count: count)
        var number: UInt64 = 0
        for index in 0..<count {
            let (next, overflows) = number.addingReportingOverflow(try reader.next())
            guard !overflows, index == 0 || next > number else { throw .damaged }
            number = next
            entries[index].number = number
        }
        for index in 0..<count { entries[index].runLength = try reader.small() }
        for index in 0..<count {
            entries[index].length = try reader.small()
            guard entries[index].length > 0 else { throw .damaged }
        }
        for index in 0..<count {
            let value = try reader.next()
            if value > 0 {
                entries[index].offset = value - 1
            } else {
                guard index > 0 else { throw .damaged }
                let before = entries[index - 1]
                let (offset, overflows) = before.offset.addingReportingOverflow(UInt64(before.length))
                guard !overflows else { throw .damaged }
                entries[index].offset = offset
            }
        }
        self.entries = entries
    }

    /// Returns the entry that contains a number, or the directory that may contain it.
    func entry(for number: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.runLength == 0 || number - entry.number < UInt64(entry.runLength) ? entry : nil
    }
}

/// Reads numbers of seven bits per byte, the least significant first.
private struct VarintReader {
    let bytes: [UInt8]
    var index = 0

    mutating func next() throws(BasemapProblem) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard index < bytes.count else { throw .damaged }
            let byte = bytes[index]
            index += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .damaged
    }

    mutating func small() throws(BasemapProblem) -> UInt32 {
        guard let value = UInt32(exactly: try next()) else { throw .damaged }
        return value
    }
}
