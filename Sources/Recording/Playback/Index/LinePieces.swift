import Foundation

/// Splits the bytes of a recording into lines, in pieces of a few megabytes.
struct LinePieces {
    /// Several complete lines.
    struct Piece {
        /// The bytes of the lines and of what follows them.
        let bytes: [UInt8]
        /// The offset of the first byte in the recording.
        let offset: Int
        /// The ranges of the lines in ``bytes``, without their line feeds.
        var lines: [Range<Int>] = []
    }

    private static let size = RecordingLine.longest + 1
    private let bytes: RecordingBytes
    private var position: Int
    /// Whether the rest of a line that is too long is skipped.
    private var isSkipping = false

    /// Begins at the first line.
    init(_ bytes: RecordingBytes) {
        self.bytes = bytes
        position = 0
    }

    /// Returns the next piece; `nil` at the end.
    ///
    /// A line of more than ``RecordingLine/longest`` bytes is left out.
    mutating func next() -> Piece? {
        while position < bytes.count {
            let end = min(position + Self.size, bytes.count)
            var piece = Piece(bytes: bytes.bytes(position..<end), offset: position)
            // A file that was cut off meanwhile ends early.
            guard !piece.bytes.isEmpty else { return nil }
            var start = 0
            while let feed = ByteSearch.first(UInt8(ascii: "\n"), in: piece.bytes, from: start) {
                if !isSkipping { piece.lines.append(start..<feed) }
                isSkipping = false
                start = feed + 1
            }
            let isLast = position + piece.bytes.count >= bytes.count || piece.bytes.count < end - position
            if isLast {
                if !isSkipping, start < piece.bytes.count { piece.lines.append(start..<piece.bytes.count) }
                position = bytes.count
            } else if start == 0 {
                isSkipping = true
                position += piece.bytes.count
            } else {
                position += start
            }
            if !piece.lines.isEmpty { return piece }
        }
        return nil
    }
}

/// Searches in bytes with `memchr`, because a loop over hundreds of megabytes takes seconds without optimization.
enum ByteSearch {
    /// A text to search for, and the byte of it that is the rarest.
    struct Needle {
        let bytes: [UInt8]
        let pivot: Int

        /// Creates a needle; `rare` is a character of the text.
        init(_ text: String, rare: Character) {
            bytes = Array(text.utf8)
            pivot = rare.asciiValue.flatMap(bytes.firstIndex(of:)) ?? 0
        }
    }

    /// Returns the first index of a byte from an index on.
    static func first(_ byte: UInt8, in bytes: [UInt8], from start: Int, to end: Int = .max) -> Int? {
        let end = min(end, bytes.count)
        guard start >= 0, start < end else { return nil }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), end - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// Returns the first index of a needle within a range.
    static func first(_ needle: Needle, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        var from = range.lowerBound + needle.pivot
        let end = range.upperBound - (needle.bytes.count - needle.pivot - 1)
        while let hit = first(needle.bytes[needle.pivot], in: bytes, from: from, to: end) {
            let start = hit - needle.pivot
            if bytes[start..<(start + needle.bytes.count)].elementsEqual(needle.bytes) { return start }
            from = hit + 1
        }
        return nil
    }
}
