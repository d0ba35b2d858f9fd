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
