import Foundation
import SystemPackage
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Whole lines", .ends(within: .quickTest))
struct WholeLinesTests {
    private static let lines = ["one\n", "two and more\n", "the last\n"]

    /// Opens an empty file; `flags` are more flags.
    private static func withFile(_ flags: Int32, _ body: (Int32, URL) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)")
        let descriptor = unsafe open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0o600)
        try #require(descriptor >= 0)
        defer {
            close(descriptor)
            unsafe unlink(file.path)
        }
        try body(descriptor, file)
    }

    /// Appends bytes to a file; returns the failure.
    private static func append(_ text: String, to descriptor: Int32, with write: WholeLines.Write) -> Errno? {
        do throws(Errno) {
            try unsafe WholeLines.append(Array(text.utf8), to: descriptor, with: write)
            return nil
        } catch {
            return error
        }
    }

    /// Appends bytes to a file with room for a number of bytes; returns the failure.
    private static func append(_ text: String, to descriptor: Int32, room: inout Int, then error: Int32) -> Errno? {
        var left = room
        defer { room = left }
        return unsafe append(text, to: descriptor) { descriptor, bytes in
            guard left > 0 else {
                errno = error
                return -1
            }
            let count = unsafe write(descriptor, bytes.baseAddress, min(left, bytes.count))
            left -= count
            return count
        }
    }

    @Test(arguments: [ENOSPC, EDQUOT, EIO, EFBIG], [0, O_APPEND])
    func `a file on a full disk ends with a whole line, wherever the disk ends`(_ error: Int32, _ flags: Int32) throws {
        let whole = Self.lines.joined()
        for capacity in 0..<whole.utf8.count {
            try Self.withFile(flags) { descriptor, file in
                var room = capacity
                var failure: Errno?
                for line in Self.lines where failure == nil {
                    failure = Self.append(line, to: descriptor, room: &room, then: error)
                }
                #expect(failure == Errno(rawValue: error))
                let taken = whole.prefix(capacity)
                let expected = taken.lastIndex(of: "\n").map { String(taken[...$0]) } ?? ""
                #expect(try String(contentsOf: file, encoding: .utf8) == expected)
                // There is room again: the next line begins where the last one ends.
                try unsafe WholeLines.append(Array("next\n".utf8), to: descriptor)
                #expect(try String(contentsOf: file, encoding: .utf8) == expected + "next\n")
            }
        }
    }

    @Test func `of several lines at once, those that fit remain`() throws {
        try Self.withFile(0) { descriptor, file in
            var room = 10
            let failure = Self.append(Self.lines.joined(), to: descriptor, room: &room, then: ENOSPC)
            #expect(failure == .noSpace)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text == "one\n")
        }
    }

    @Test func `a line that another process has written after the incomplete one is not removed`() throws {
        try Self.withFile(O_APPEND) { descriptor, file in
            var isFirst = true
            let failure = unsafe Self.append("incomplete\n", to: descriptor) { descriptor, bytes in
                guard isFirst else {
                    let other = unsafe open(file.path, O_WRONLY | O_APPEND)
                    defer { close(other) }
                    _ = unsafe write(other, "other\n", 6)
                    errno = ENOSPC
                    return -1
                }
                isFirst = false
                return unsafe write(descriptor, bytes.baseAddress, 2)
            }
            #expect(failure == .noSpace)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text == "inother\n")
        }
    }
}
