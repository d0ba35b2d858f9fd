import Failures
import Foundation
import SystemPackage
import Terminal
import TripText

/// Writes the program's output files: screen dumps, pictures, reports, exports, ready files and the trip history.
///
/// The files show where people drive, so that only the owner may read a new file. The mode of an existing file is preserved. A
/// regular file is put into place as a whole (`OutputFile+Drafts.swift`), so that readers never see a partial file. Devices and
/// pipes are written in place. A pipe never blocks the program for longer than ``pipeTimeout``. Other kinds of files are refused.
enum OutputFile {
    /// The reason why a file was not written.
    enum Failure: Error, Equatable {
        /// The path is a folder.
        case folder
        /// The path is a socket, a block device or another kind that cannot hold text.
        case unsupportedKind
        /// No process reads from the named pipe.
        case pipeWithoutReader
        /// The reader of the pipe, or the terminal, accepted no more bytes for ``OutputFile/pipeTimeout`` seconds.
        case pipeFull
        /// The path is not a regular file, but the content is secret.
        case notRegular
        /// A system call failed with this error number.
        case system(Int32)

        /// The reason as part of a sentence: "it is a folder".
        func reason(_ localizer: Localizer) -> String {
            switch self {
            case .folder: localizer(.fileIsFolder)
            case .unsupportedKind: localizer(.fileUnsupportedKind)
            case .pipeWithoutReader: localizer(.filePipeWithoutReader)
            case .pipeFull: localizer(.filePipeFull)
            case .notRegular: localizer(.fileNotRegular)
            case .system(let number): SystemReason.text(number)
            }
        }
    }

    /// The kind of file at a path, after following symbolic links.
    enum Target: Equatable {
        /// No file.
        case absent
        case regular(mode: mode_t)
        /// A pipe, a terminal or another character device.
        case stream
        /// A folder, a socket or a block device.
        case other(isFolder: Bool)
    }

    /// How long a file is needed.
    enum Lifetime {
        /// Until it is removed. The content is on the disk before the file is put into place.
        case lasting
        /// Until the program writes it again, as it does often.
        case rewritten
        /// As long as this process. It is removed by ``OutputFile/remove(_:)``, or at the latest when the process ends.
        case process
    }

    /// The maximum time to wait for a reader, in seconds of real time.
    static let pipeTimeout = 2.0
    /// The permissions of every new file before the umask.
    static let newMode = FilePermissions(rawValue: 0o600)
    /// The maximum number of symbolic links that are followed, the same as in Linux.
    private static let maximumLinks = 40

    /// Writes a file.
    ///
    /// A symbolic link to a regular file, or to no file, is replaced by the file. A link to a device or a pipe is preserved, and its
    /// target is written.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - path: The path of the file.
    ///   - lifetime: How long it is needed.
    /// - Throws: ``Failure`` if not all bytes were written.
    static func write(
        _ bytes: some Sequence<UInt8>,
        to path: String,
        _ lifetime: Lifetime = .lasting
    ) throws(Failure) {
        let bytes = Array(bytes)
        switch try target(path) {
        case .other(let isFolder): throw isFolder ? .folder : .unsupportedKind
        case .stream: try writeInPlace(bytes, path)
        case .regular where try isDescriptor(path): try writeInPlace(bytes, path)
        case .regular(let mode): try replace(path, with: bytes, mode: mode, lifetime)
        case .absent: try replace(path, with: bytes, lifetime)
        }
    }

    /// Creates a file; a pipe or a device is written as it is.
    ///
    /// - Throws: `EEXIST` as ``Failure/system(_:)`` if it exists.
    static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) {
        switch try target(path) {
        case .absent: try createNew(path, bytes)
        case .regular: throw .system(EEXIST)
        case .stream: try writeInPlace(bytes, path)
        case .other(let isFolder): throw isFolder ? .folder : .unsupportedKind
        }
    }

    /// Writes a file with owner-only permissions, even if it replaces one that others may read.
    ///
    /// - Throws: ``Failure/notRegular`` if the path is not a regular file. Secrets must not go into devices or pipes, whose
    ///   readers are unknown.
    static func writePrivate(
        _ bytes: some Sequence<UInt8>,
        to path: String,
        _ lifetime: Lifetime = .lasting
    ) throws(Failure) {
        try checkForPrivate(path)
        try replace(path, with: Array(bytes), mode: newMode.rawValue, lifetime)
    }

    /// Removes a file.
    static func remove(_ path: String) {
        // A file that can't be removed could not have been written either, and is of no use without the process.
        unsafe unlink(path)
        Leftovers.forget(path)
    }

    /// Throws ``Failure/notRegular`` if ``writePrivate(_:to:_:)`` would.
    static func checkForPrivate(_ path: String) throws(Failure) {
        switch try target(path) {
        case .regular where try !isDescriptor(path): return
        case .absent: return
        case .regular, .stream, .other: throw .notRegular
        }
    }

    /// Returns whether a path is a regular file, after following symbolic links; only such files are reread and removed.
    static func isRegular(_ path: String) -> Bool {
        // A file whose kind is unknown is neither reread nor removed.
        guard case .regular = try? target(path) else { return false }
        return true
    }

    /// Returns whether a path is a file that is not empty, after following symbolic links; true if that is unknown.
    static func hasContent(_ path: String) -> Bool {
        do {
            return try FilePath(path).stat().size > 0
        } catch {
            return error != .noSuchFileOrDirectory
        }
    }

    /// Returns the kind of file at a path.
    static func target(_ path: String) throws(Failure) -> Target {
        let about: Stat
        do {
            about = try FilePath(path).stat()
        } catch {
            guard error == .noSuchFileOrDirectory else { throw .system(error.rawValue) }
            return .absent
        }
        switch about.type {
        case .regular: return .regular(mode: about.permissions.rawValue)
        case .fifo, .characterSpecial: return .stream
        case .directory: return .other(isFolder: true)
        default: return .other(isFolder: false)
        }
    }

    /// Returns whether a path leads to an open file of a process, as `/dev/stdout` does.
    ///
    /// Such a link must never be replaced.
    private static func isDescriptor(_ path: String) throws(Failure) -> Bool {
        var path = path
        for _ in 0..<maximumLinks {
            if StandardFiles.isOpenFile(path) { return true }
            // A path that is not a link ends the chain.
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return false }
            let folder = (path as NSString).deletingLastPathComponent
            path = next.hasPrefix("/") || folder.isEmpty ? next : folder + "/" + next
        }
        throw .system(ELOOP)
    }

    /// Opens a file for writing at its end; a new file has owner-only permissions from the start.
    static func open(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
        do {
            let options = FileDescriptor.OpenOptions(rawValue: O_APPEND | O_CLOEXEC | flags)
            return try FileDescriptor.open(FilePath(path), .writeOnly, options: options, permissions: newMode).rawValue
        } catch {
            let number = (error as? Errno)?.rawValue ?? EIO
            throw number == ENXIO ? .pipeWithoutReader : .system(number)
        }
    }

    private static func writeInPlace(_ bytes: [UInt8], _ path: String) throws(Failure) {
        let file = try open(path, O_NONBLOCK | O_NOCTTY)
        defer { close(file) }
        try write(bytes, to: file)
    }

    /// Writes bytes to an open file; waits at most ``pipeTimeout`` for the reader of a pipe.
    static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                guard unsafe poll(&wait, 1, Int32(pipeTimeout * 1000)) > 0 else { throw .pipeFull }
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }
}
