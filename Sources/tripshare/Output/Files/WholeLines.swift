import Foundation
import SystemPackage
import Terminal

/// Appends lines to an open file.
///
/// A regular file ends with a whole line at all times: an end of the process waits for a line, and the part of a line that still
/// fitted on a full disk is removed again.
enum WholeLines {
    /// Writes bytes to a descriptor as `write` does; returns their number, or -1 with `errno` set.
    typealias Write = (Int32, UnsafeRawBufferPointer) -> Int

    /// Appends lines.
    ///
    /// - Parameters:
    ///   - lines: Whole lines.
    ///   - descriptor: The open file; a pipe or a device is written as it is.
    ///   - write: The system call.
    /// - Throws: The error of the system, after which the file has as many of the lines as it took.
    static func append(
        _ lines: [UInt8],
        to descriptor: Int32,
        with write: Write = { unsafe Foundation.write($0, $1.baseAddress, $1.count) }
    ) throws(Errno) {
        // A pipe or a terminal may wait for its reader.
        guard size(of: descriptor) != nil else { return try unsafe writeAll(lines[...], to: descriptor, with: write) }
        try UninterruptedWrite.perform { () throws(Errno) in
            try unsafe writeAll(lines[...], to: descriptor, with: write)
        }
    }

    private static func writeAll(
        _ lines: ArraySlice<UInt8>,
        to descriptor: Int32,
        with write: Write
    ) throws(Errno) {
        var rest = lines
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                // A write of no bytes would be repeated forever.
                let error = count == 0 ? Errno.ioError : Errno(rawValue: errno)
                removeLine(endOf: lines[..<rest.startIndex], from: descriptor)
                throw error
            }
        }
    }

    /// Removes the incomplete line at the end of what was written, unless another process has written after it.
    private static func removeLine(endOf written: ArraySlice<UInt8>, from descriptor: Int32) {
        let count = written.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard count > 0, let size = size(of: descriptor), size == end else { return }
        // If the system refuses it, the reader of the file finds the incomplete line.
        if ftruncate(descriptor, end - off_t(count)) == 0 { lseek(descriptor, end - off_t(count), SEEK_SET) }
    }

    /// The size of an open regular file; `nil` for a pipe or a device.
    private static func size(of descriptor: Int32) -> off_t? {
        // A descriptor without a status is no regular file.
        guard let about = try? FileDescriptor(rawValue: descriptor).stat(), about.type == .regular else { return nil }
        return off_t(about.size)
    }
}
