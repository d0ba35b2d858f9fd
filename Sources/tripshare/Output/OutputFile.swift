import Foundation
import SystemPackage

/// Files that the program writes: screens, pictures, ready files and the history of trips.
///
/// A regular file is replaced by a rename, so that no reader finds half of it. Devices and pipes are written in place and
/// stay what they are; a pipe never blocks the program for longer than ``pipeTimeout``. Everything else is refused.
enum OutputFile {
    /// Why a file was not written.
    enum Failure: Error, Equatable {
        /// The path is a folder.
        case folder
        /// The path is a socket, a block device or something else that cannot hold the text.
        case unsupportedKind
        /// No program reads from the named pipe.
        case pipeWithoutReader
        /// The reader of the pipe, or the terminal, took no more bytes for ``OutputFile/pipeTimeout`` seconds.
        case pipeFull
        /// Something else than a regular file, where the text is secret.
        case notRegular
        /// The system refused it, with its error number.
        case system(Int32)

        /// The reason as part of a sentence: "it is a folder".
        var reason: String {
            switch self {
            case .folder: "it is a folder"
            case .unsupportedKind: "it is neither a file, a pipe nor a character device"
            case .pipeWithoutReader: "it is a pipe that no program reads"
            case .pipeFull: "the program that reads it takes no more"
            case .notRegular: "it is no regular file, and is left as it is"
            case .system(let number): unsafe String(cString: strerror(number))
            }
        }
    }

    /// What a path names, symbolic links followed.
    enum Target: Equatable {
        /// Nothing yet.
        case absent
        case regular(mode: mode_t)
        /// A pipe, a terminal or another character device.
        case stream
        /// A folder, a socket or a block device.
        case other(isFolder: Bool)
    }

    /// The longest wait for a reader, in seconds of real time.
    static let pipeTimeout = 2.0
    /// The most symbolic links that are followed, as in Linux.
    private static let maximumLinks = 40

    /// Writes a file.
    ///
    /// A symbolic link to a regular file, or to nothing, is replaced by the file; one to a device or a pipe stays, and the
    /// device is written.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - path: Where to write it.
    ///   - mode: The permissions of a new file before the umask; an existing file keeps its own.
    /// - Throws: ``Failure`` where nothing, or not all of it, was written.
    static func write(_ bytes: some Sequence<UInt8>, to path: String, mode: mode_t = 0o666) throws(Failure) {
        let bytes = Array(bytes)
        switch try target(path) {
        case .other(let isFolder): throw isFolder ? .folder : .unsupportedKind
        case .stream: try writeInPlace(bytes, path)
        case .regular where try isDescriptor(path): try writeInPlace(bytes, path)
        case .regular(let mode): try replace(path, with: bytes, mode: mode, keepsMode: true)
        case .absent: try replace(path, with: bytes, mode: mode, keepsMode: false)
        }
    }

    /// Writes a file that only its owner may read, also where there was one that others may read.
    ///
    /// - Throws: ``Failure/notRegular`` where the path leads to anything else than a regular file: secrets go into no device and
    ///   no pipe, whose readers are not known.
    static func writePrivate(_ bytes: some Sequence<UInt8>, to path: String) throws(Failure) {
        try checkForPrivate(path)
        try replace(path, with: Array(bytes), mode: 0o600, keepsMode: true)
    }

    /// Throws ``Failure/notRegular`` where ``writePrivate(_:to:)`` would.
    static func checkForPrivate(_ path: String) throws(Failure) {
        switch try target(path) {
        case .regular where try !isDescriptor(path): return
        case .absent: return
        case .regular, .stream, .other: throw .notRegular
        }
    }

    /// Whether a path names a regular file, symbolic links followed: only such a file is read back and removed.
    static func isRegular(_ path: String) -> Bool {
        guard case .regular = try? target(path) else { return false }
        return true
    }

    /// What a path names.
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

    /// Whether a path leads to an open file of a process, as /dev/stdout does: that link must never be replaced.
    private static func isDescriptor(_ path: String) throws(Failure) -> Bool {
        var path = path
        for _ in 0..<maximumLinks {
            if path.hasPrefix("/proc/"), path.contains("/fd/") { return true }
            // What is no link is the end of the chain.
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return false }
            let folder = (path as NSString).deletingLastPathComponent
            path = next.hasPrefix("/") || folder.isEmpty ? next : folder + "/" + next
        }
        throw .system(ELOOP)
    }

    /// Puts a new file in the place of an old one.
    private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t, keepsMode: Bool) throws(Failure) {
        let draft = path + ".\(UUID().uuidString)"
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw .system(errno) }
        do throws(Failure) {
            // The umask applies to new files only.
            if keepsMode, fchmod(file, mode) != 0 { throw .system(errno) }
            try write(bytes, to: file)
            guard unsafe rename(draft, path) == 0 else { throw .system(errno) }
            close(file)
        } catch {
            close(file)
            unsafe unlink(draft)
            throw error
        }
    }

    private static func writeInPlace(_ bytes: [UInt8], _ path: String) throws(Failure) {
        let file = unsafe open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw errno == ENXIO ? .pipeWithoutReader : .system(errno) }
        defer { close(file) }
        try write(bytes, to: file)
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
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
