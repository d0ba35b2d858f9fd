import Foundation
import SystemPackage

/// A file to which another program appends, read as `tail -F` reads it.
///
/// A file that is replaced is read to its end before the new one is read from its beginning. A file that becomes shorter is
/// read from its beginning again.
struct GrowingFile {
    private let path: String
    private let identify: (String) -> Identity?
    private var file: FileDescriptor?
    private var identity: Identity?
    private var offset: Int64 = 0
    /// Whether the last byte did not end a line.
    private var isInLine = false

    /// Identifies a file independently of its name.
    struct Identity: Equatable {
        fileprivate var device: UInt64
        fileprivate var number: UInt64
    }

    /// Creates a reader at the beginning of a file, which is opened by the first read.
    ///
    /// `identify` returns the identity of the file that a path names now; `nil` if there is none.
    init(_ path: String, identify: @escaping (String) -> Identity? = { Identity(path: $0) }) {
        self.path = path
        self.identify = identify
    }

    /// Returns the next bytes, at most `count`; empty at the present end.
    ///
    /// A line feed separates the unfinished last line of a file from the beginning of the next one.
    mutating func next(_ count: Int) -> [UInt8] {
        if file == nil { open() }
        while let file {
            if let bytes = advance(file, count) { return bytes }
            // An open file has a size; without one, nothing has changed.
            if let size = try? file.stat().size, size < offset {
                offset = 0
            } else {
                // Between the removal of a file and the creation of the next one, there is none.
                guard let now = identify(path), now != identity else { return [] }
                // The last lines may have come between the read above and the replacement.
                if let bytes = advance(file, count) { return bytes }
                close()
                open()
            }
            guard isInLine else { continue }
            isInLine = false
            return [UInt8(ascii: "\n")]
        }
        return []
    }

    /// Reads the next bytes; `nil` at the present end.
    private mutating func advance(_ file: FileDescriptor, _ count: Int) -> [UInt8]? {
        let bytes = Self.read(file, count, at: offset)
        guard let last = bytes.last else { return nil }
        offset += Int64(bytes.count)
        isInLine = last != UInt8(ascii: "\n")
        return bytes
    }

    private mutating func open() {
        let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec, .init(rawValue: O_NOCTTY)]
        // The next change of the folder is another occasion for a file that is not there or not readable.
        guard let new = try? FileDescriptor.open(FilePath(path), .readOnly, options: options) else { return }
        (file, offset) = (new, 0)
        identity = (try? new.stat()).map(Identity.init)
    }

    /// Closes the file.
    mutating func close() {
        // It was opened for reading, so a failed close loses no data.
        try? file?.close()
        file = nil
    }

    private static func read(_ file: FileDescriptor, _ count: Int, at offset: Int64) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: count)
        // A read error counts as the present end: the next change of the file is another occasion.
        let read = unsafe piece.withUnsafeMutableBytes {
            unsafe (try? file.read(fromAbsoluteOffset: offset, into: $0)) ?? 0
        }
        return Array(piece.prefix(read))
    }
}

extension GrowingFile.Identity {
    /// Identifies the file that a path names, following links; `nil` if there is none.
    init?(path: String) {
        guard let stat = try? FilePath(path).stat() else { return nil }
        self.init(stat)
    }

    fileprivate init(_ stat: Stat) {
        (device, number) = (UInt64(truncatingIfNeeded: stat.deviceID.rawValue), UInt64(stat.inode.rawValue))
    }
}
