package import Foundation

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
