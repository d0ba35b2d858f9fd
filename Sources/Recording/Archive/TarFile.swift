package import Foundation

/// Reads the headers of a tar archive: the format `ustar` of POSIX.1, and the entries that GNU tar and pax add.
///
/// Written by hand, because only the position of one file is needed, and no package of the program reads archives.
enum TarFile {
    private static let block = 512
    /// The maximum number of entries that are examined.
    private static let mostEntries = 1000

    /// Returns whether a file begins with a header of `ustar` (POSIX and GNU).
    static func isOne(_ bytes: [UInt8]) -> Bool {
        bytes.count >= block && bytes[257..<262].elementsEqual("ustar".utf8) && checksumHolds(bytes, 0)
    }

    /// Returns the content of the only regular file; `nil` if there are more or none, or if the archive is damaged.
    ///
    /// Folders, links, extended headers and the files in which macOS stores attributes do not count.
    static func onlyFile(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var (position, entries) = (0, 0)
        var found: ArraySlice<UInt8>?
        while position + block <= bytes.count, bytes[position] != 0 {
            entries += 1
            guard entries <= mostEntries, checksumHolds(bytes, position),
                let size = octal(bytes[(position + 124)..<(position + 136)]), size <= bytes.count - position - block
            else { return nil }
            let content = (position + block)..<(position + block + size)
            let kind = bytes[position + 156]
            let name = bytes[position..<(position + 100)].prefix { $0 != 0 }
            if kind == UInt8(ascii: "0") || kind == 0, !MacAttributes.isOne(name) {
                guard found == nil else { return nil }
                found = bytes[content]
            }
            position = content.upperBound + (block - size % block) % block
        }
        return found
    }

    /// Whether the sum of a header's bytes equals the checksum in it; the checksum's own field counts as blanks.
    private static func checksumHolds(_ bytes: [UInt8], _ start: Int) -> Bool {
        let field = (start + 148)..<(start + 156)
        let sum = (start..<(start + block)).reduce(0) { $0 + (field.contains($1) ? 0x20 : Int(bytes[$1])) }
        return octal(bytes[field]) == sum
    }

    /// Reads an octal number that ends with a blank or NUL; GNU's base 256 is for files of more than 8 GiB.
    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x37 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }
}

/// The files that macOS adds to folders and archives.
enum MacAttributes {
    /// Returns whether a path in an archive is one of them: `__MACOSX/…`, `.DS_Store`, `._NAME`.
    static func isOne(_ path: ArraySlice<UInt8>) -> Bool {
        let names = path.split(separator: UInt8(ascii: "/"))
        guard let last = names.last else { return true }
        return names.contains { $0.elementsEqual("__MACOSX".utf8) } || last.elementsEqual(".DS_Store".utf8)
            || last.starts(with: "._".utf8)
    }
}

/// Writes a tar archive of regular files in the format `ustar` of POSIX.1.
///
/// Written by hand, because a header has ten fields and no package of the program writes one.
package struct TarArchive {
    private static let block = 512
    /// The maximum length of a name in bytes; longer ones need a prefix field that this writer does not use.
    package static let longestName = 100

    private var bytes: [UInt8] = []
    /// The time of all files, in whole seconds since 1970.
    private let time: Int

    /// Creates an empty archive whose files have this time.
    package init(time: Date) {
        self.time = max(0, Int(time.timeIntervalSince1970))
    }

    /// Adds a file; its name is a relative path of at most ``longestName`` bytes.
    package mutating func add(_ name: String, _ content: [UInt8]) {
        precondition(name.utf8.count <= Self.longestName)
        bytes += Self.header(name, size: content.count, time: time) + content + Self.padding(content.count)
    }

    /// The archive: all files, and the two empty blocks that end it.
    package var finished: [UInt8] { bytes + [UInt8](repeating: 0, count: 2 * Self.block) }

    private static func padding(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (block - count % block) % block)
    }

    private static func header(_ name: String, size: Int, time: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
        }
        put(name, at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(time, digits: 11), at: 136)
        // The checksum counts its own field as blanks.
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6), at: 148)
        header[154] = 0
        return header
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
