import Foundation
import SystemPackage

/// A file that shows whether a session lives: the session holds a lock on it until its process ends, however it ends.
final class SessionMark: Sendable {
    /// The path of the file.
    let path: String
    private let descriptor: Int32

    /// Creates the file of a session and locks it; `nil` if that is not possible.
    init?(_ path: String) {
        self.path = path
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return nil }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                return nil
            }
            // Another session may have removed the file before it was locked.
            if FileNumber(path: path) == FileNumber(descriptor: descriptor) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    deinit {
        unsafe unlink(path)
        close(descriptor)
    }

    /// Returns whether the session of a file is gone, and removes its file then.
    static func isGone(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        // A session that begins at this moment notices that its file is gone and creates another one.
        unsafe unlink(path)
        return true
    }
}

/// Which file a path or a descriptor leads to.
struct FileNumber: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path; `nil` if there is none.
    init?(path: String) {
        guard let about = try? FilePath(path).stat(followTargetSymlink: false) else { return nil }
        self.init(about)
    }

    /// An open file.
    init?(descriptor: Int32) {
        guard let about = try? FileDescriptor(rawValue: descriptor).stat() else { return nil }
        self.init(about)
    }

    private init(_ about: Stat) {
        (device, number) = (UInt64(about.deviceID.rawValue), UInt64(about.inode.rawValue))
    }
}
