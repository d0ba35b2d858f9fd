import Foundation
import Runtime
import SystemPackage

/// Reads files without blocking on a writer.
///
/// Opening a named pipe without a writer, or reading from an idle one, would otherwise block forever.
enum ReadableFile {
    /// The reason why a file could not be read.
    enum Failure: Error {
        /// The file does not exist or is not readable.
        case missing
        case folder
        /// The path is a pipe or a device, but a regular file is required.
        case notRegular
        /// The file exceeds the limit.
        case tooLong
        /// The pipe delivered nothing for ``timeout``.
        case timedOut
        /// The process or the system has too many open files.
        case tooManyOpenFiles
        case unreadable
    }

    /// The accepted kinds of files.
    enum Kinds {
        /// Regular files only; for files that the program manages itself.
        case regular
        /// Also pipes and devices, such as a shell's `<(command)`; for files that the user names.
        case any
    }

    /// The maximum time without data from a pipe.
    static let timeout = Duration.seconds(5)

    private static let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec, .init(rawValue: O_NOCTTY)]

    /// Opens a regular file and returns its size in bytes too; `nil` for anything else and for a file that cannot be opened.
    ///
    /// A pipe is not even opened: its writer would take that for its reader and be ended by the close.
    static func openRegular(_ path: String) -> (file: FileDescriptor, size: Int64)? {
        // The caller reads other files and reports what is wrong with them.
        guard type(path) == .regular,
            let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: options)
        else { return nil }
        guard let about = try? file.stat(), about.type == .regular else {
            // The file was opened for reading, so a failed close loses no data.
            try? file.close()
            return nil
        }
        return (file, about.size)
    }

    /// Reads a whole file of at most `limit` bytes.
    static func bytes(_ path: String, limit: Int, kinds: Kinds = .any) throws(Failure) -> Data {
        if kinds == .regular, let type = type(path) {
            guard type != .directory else { throw .folder }
            guard type == .regular else { throw .notRegular }
        }
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(FilePath(path), .readOnly, options: options)
        } catch Errno.tooManyOpenFiles, Errno.tooManyOpenFilesInSystem {
            throw .tooManyOpenFiles
        } catch {
            throw .missing
        }
        // The file was opened for reading, so a failed close loses no data.
        defer { try? file.close() }
        // The failure of `stat` on an open file needs no further explanation.
        guard let about = try? file.stat() else { throw .unreadable }
        guard about.type != .directory else { throw .folder }
        let isRegular = about.type == .regular
        guard isRegular || kinds == .any else { throw .notRegular }
        return try bytes(of: file, limit: limit, isRegular: isRegular)
    }

    /// Returns the kind of a file without opening it, following links; `nil` if there is none.
    private static func type(_ path: String) -> FileType? {
        // Opening the file reports the reason.
        (try? FilePath(path).stat())?.type
    }

    private static func bytes(of file: FileDescriptor, limit: Int, isRegular: Bool) throws(Failure) -> Data {
        var data = Data()
        var piece = [UInt8](repeating: 0, count: min(limit + 1, 1 << 16))
        while true {
            if !isRegular { try awaitInput(of: file) }
            let count: Int
            do {
                count = try unsafe piece.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            } catch Errno.wouldBlock {
                continue
            } catch {
                throw .unreadable
            }
            guard count > 0 else { return data }
            data += piece[..<count]
            guard data.count <= limit else { throw .tooLong }
        }
    }

    private static func awaitInput(of file: FileDescriptor) throws(Failure) {
        var request = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        let end = ContinuousClock.now + timeout
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: end))
            let ready = unsafe poll(&request, 1, Int32(left / .milliseconds(1)) + 1)
            if ready > 0 { return }
            guard ready < 0, errno == EINTR else { throw ready == 0 ? .timedOut : .unreadable }
        }
    }
}
