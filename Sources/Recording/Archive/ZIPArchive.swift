/// Reads the directory of a ZIP archive, as APPNOTE.TXT of PKWARE describes it.
///
/// Written by hand, because only the position of one file is needed, and no package of the program reads archives.
enum ZIPArchive {
    /// A file of an archive.
    struct File {
        /// The bytes as they are in the archive.
        var data: ArraySlice<UInt8>
        /// Whether the bytes are not compressed; otherwise they are deflated.
        var isStored: Bool
        /// The number of unpacked bytes.
        var size: Int
        /// The CRC-32 of the unpacked bytes.
        var checksum: UInt32
    }

    /// The first bytes of an archive with a file.
    static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    private static let directoryEnd: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    private static let directoryEntry: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
    /// The lengths of the parts of fixed size, in bytes.
    private static let (fileHeader, entryHeader, endHeader) = (30, 46, 22)
    /// The maximum length of the comment after the directory.
    private static let longestComment = 65_535
    /// The maximum number of entries that are examined.
    private static let mostEntries = 1000

    /// Returns the only file of an archive; `nil` if it has more or none, if it is damaged, encrypted or packed by another method.
    ///
    /// Folders, and the files in which macOS stores attributes, do not count.
    static func onlyFile(of bytes: [UInt8]) -> File? {
        guard let end = end(of: bytes), let first = long(bytes, end + 16), let count = short(bytes, end + 10),
            count <= mostEntries
        else { return nil }
        var entry = first
        var found: File?
        for _ in 0..<count {
            guard starts(bytes, entry, with: directoryEntry), let name = short(bytes, entry + 28),
                let extra = short(bytes, entry + 30), let comment = short(bytes, entry + 32),
                entry + entryHeader + name <= bytes.count
            else { return nil }
            let path = bytes[(entry + entryHeader)..<(entry + entryHeader + name)]
            if path.last != UInt8(ascii: "/"), !MacAttributes.isOne(path) {
                guard found == nil, let file = file(of: bytes, entry: entry) else { return nil }
                found = file
            }
            entry += entryHeader + name + extra + comment
        }
        return found
    }

    /// Returns the file of an entry of the directory.
    private static func file(of bytes: [UInt8], entry: Int) -> File? {
        guard let flags = short(bytes, entry + 8), flags & 1 == 0, let method = short(bytes, entry + 10),
            method == 0 || method == 8, let checksum = long(bytes, entry + 16), let packed = long(bytes, entry + 20),
            let size = long(bytes, entry + 24), let start = long(bytes, entry + 42),
            starts(bytes, start, with: signature), let name = short(bytes, start + 26),
            let extra = short(bytes, start + 28)
        else { return nil }
        let data = start + fileHeader + name + extra
        guard data + packed <= bytes.count else { return nil }
        return File(
            data: bytes[data..<(data + packed)],
            isStored: method == 0,
            size: size,
            checksum: UInt32(checksum)
        )
    }

    /// Returns where the end of the directory begins; it is followed by a comment at most.
    private static func end(of bytes: [UInt8]) -> Int? {
        let last = bytes.count - endHeader
        guard last >= 0 else { return nil }
        return (max(0, last - longestComment)...last).last { starts(bytes, $0, with: directoryEnd) }
    }

    private static func starts(_ bytes: [UInt8], _ index: Int, with signature: [UInt8]) -> Bool {
        index + signature.count <= bytes.count && bytes[index...].starts(with: signature)
    }

    /// Reads a number of two bytes, the least significant first.
    private static func short(_ bytes: [UInt8], _ index: Int) -> Int? {
        guard index + 2 <= bytes.count else { return nil }
        return Int(bytes[index]) | Int(bytes[index + 1]) << 8
    }

    /// Reads a number of four bytes, the least significant first.
    private static func long(_ bytes: [UInt8], _ index: Int) -> Int? {
        guard let low = short(bytes, index), let high = short(bytes, index + 2) else { return nil }
        return low | high << 16
    }
}
