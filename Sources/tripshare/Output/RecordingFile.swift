import Foundation
import SystemPackage
import TripText

/// A file to which a recording is appended line by line.
///
/// A regular file is created and never overwritten. A pipe or a device is written as it is, without waiting for its reader.
struct RecordingFile {
    private let descriptor: FileDescriptor

    /// Creates a file.
    ///
    /// - Throws: `EEXIST` as ``OutputFile/Failure/system(_:)`` if it exists.
    init(_ path: String) throws(OutputFile.Failure) {
        let flags: Int32
        switch try OutputFile.target(path) {
        case .absent: flags = O_CREAT | O_EXCL
        case .regular: throw .system(EEXIST)
        case .stream: flags = O_NONBLOCK | O_NOCTTY
        case .other(let isFolder): throw isFolder ? .folder : .unsupportedKind
        }
        descriptor = FileDescriptor(rawValue: try OutputFile.open(path, flags))
    }

    /// Creates a file with this content; nothing is left of it if it can't be written completely.
    static func create(_ path: String, _ bytes: [UInt8]) throws(OutputFile.Failure) {
        let isNew = try OutputFile.target(path) == .absent
        let file = try RecordingFile(path)
        defer { file.close() }
        do throws(OutputFile.Failure) {
            try file.append(bytes)
        } catch {
            if isNew { unsafe unlink(path) }
            throw error
        }
    }

    /// Appends lines with one system call, unless the file takes only a part of them.
    func append(_ bytes: [UInt8]) throws(OutputFile.Failure) {
        do {
            try descriptor.writeAll(bytes)
        } catch let error as Errno {
            switch error {
            case .resourceTemporarilyUnavailable: throw .pipeFull
            case .brokenPipe: throw .pipeWithoutReader
            default: throw .system(error.rawValue)
            }
        } catch {
            throw .system(EIO)
        }
    }

    /// Closes the file.
    func close() {
        // All lines were written before; there is nothing left to lose.
        try? descriptor.close()
    }
}
