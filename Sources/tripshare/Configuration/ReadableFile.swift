import Foundation
import SystemPackage

/// The bytes of files, read without waiting for whoever writes to them.
///
/// To open a named pipe without a writer, or to read from one that is silent, would hold the program for ever.
enum ReadableFile {
    /// Why a file's bytes are not there.
    enum Failure: Error {
        /// There is no such file, or it may not be read.
        case missing
        case folder
        /// A pipe or a device where only a file will do.
        case notRegular
        /// It is longer than the limit.
        case tooLong
        /// Nothing came from a pipe for as long as ``patience``.
        case silent
        case unreadable
    }

    /// What a path may lead to.
    enum Kinds {
        /// Regular files only, for files that the program keeps itself.
        case regular
        /// Pipes and devices, too, such as a shell's `<(command)`, for files that a person names.
        case any
    }

    /// How long a pipe may be silent.
    static let patience = Duration.seconds(5)

    /// All bytes of a file, at most `limit` of them.
    static func bytes(_ path: String, limit: Int, kinds: Kinds = .any) throws(Failure) -> Data {
        let file: FileDescriptor
        do {
            let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec, .init(rawValue: O_NOCTTY)]
            file = try FileDescriptor.open(FilePath(path), .readOnly, options: options)
        } catch {
            throw .missing
        }
        // Nothing of a file that was only read is lost when closing it fails.
        defer { try? file.close() }
        guard let about = try? file.stat() else { throw .unreadable }
        guard about.type != .directory else { throw .folder }
        let isRegular = about.type == .regular
        guard isRegular || kinds == .any else { throw .notRegular }
        return try bytes(of: file, limit: limit, isRegular: isRegular)
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
        let end = ContinuousClock.now + patience
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: end))
            let ready = unsafe poll(&request, 1, Int32(left / .milliseconds(1)) + 1)
            if ready > 0 { return }
            guard ready < 0, errno == EINTR else { throw ready == 0 ? .silent : .unreadable }
        }
    }
}
