import Foundation
import SystemPackage
import Terminal
import TripText

/// A file to which a recording or a log is appended line by line.
///
/// A regular file is created and never overwritten; it is removed again if no line was appended. A pipe or a device is written as
/// it is, without waiting for its reader.
struct RecordingFile {
    private let descriptor: FileDescriptor
    /// The path of a file that was created and is still empty.
    private var emptyFile: String?

    /// Creates a file.
    ///
    /// - Throws: `EEXIST` as ``OutputFile/Failure/system(_:)`` if it exists.
    init(_ path: String) throws(OutputFile.Failure) {
        switch try OutputFile.target(path) {
        case .absent:
            descriptor = try UninterruptedWrite.perform { () throws(OutputFile.Failure) in
                let file = try OutputFile.open(path, O_CREAT | O_EXCL)
                Leftovers.add(path)
                return FileDescriptor(rawValue: file)
            }
            emptyFile = path
        case .regular: throw .system(EEXIST)
        case .stream: descriptor = FileDescriptor(rawValue: try OutputFile.open(path, O_NONBLOCK | O_NOCTTY))
        case .other(let isFolder): throw isFolder ? .folder : .unsupportedKind
        }
    }

    /// Appends lines with one system call, unless the file takes only a part of them.
    mutating func append(_ lines: [UInt8]) throws(OutputFile.Failure) {
        do {
            try unsafe WholeLines.append(lines, to: descriptor.rawValue)
        } catch {
            switch error {
            case .resourceTemporarilyUnavailable: throw .pipeFull
            case .brokenPipe: throw .pipeWithoutReader
            default: throw .system(error.rawValue)
            }
        }
        if let emptyFile { Leftovers.forget(emptyFile) }
        emptyFile = nil
    }

    /// Closes the file.
    func close() {
        // All lines were written before; there is nothing left to lose.
        try? descriptor.close()
        if let emptyFile { OutputFile.remove(emptyFile) }
    }
}
