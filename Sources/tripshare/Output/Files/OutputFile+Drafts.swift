import Foundation
import Terminal

/// Files that are whole or absent: they are written beside their path, under another name, and then put into place.
///
/// An end of the process waits for that, or removes the half-written file.
extension OutputFile {
    /// Replaces a file by renaming a new one, which gets the permissions `mode` if they are given.
    static func replace(
        _ path: String,
        with bytes: [UInt8],
        mode: mode_t? = nil,
        _ lifetime: Lifetime
    ) throws(Failure) {
        try putIntoPlace(bytes, path, lifetime, mode: mode) { draft in
            guard unsafe rename(draft, path) == 0 else { return false }
            if lifetime == .process { Leftovers.add(path) }
            return true
        }
    }

    /// Creates a file that does not exist.
    ///
    /// - Throws: `EEXIST` as ``Failure/system(_:)`` if another process has created it meanwhile.
    static func createNew(_ path: String, _ bytes: [UInt8]) throws(Failure) {
        try putIntoPlace(bytes, path, .lasting) { draft in
            if unsafe link(draft, path) == 0 {
                unsafe unlink(draft)
                return true
            }
            // Some file systems have no links. There, a file that is created now would be replaced.
            guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
            return unsafe rename(draft, path) == 0
        }
    }

    /// Writes a new file beside a path and performs what puts it into place, which returns `false` with `errno` set on failure.
    private static func putIntoPlace(
        _ bytes: [UInt8],
        _ path: String,
        _ lifetime: Lifetime,
        mode: mode_t? = nil,
        _ move: (_ draft: String) -> Bool
    ) throws(Failure) {
        let draft = path + ".\(UUID().uuidString)"
        try UninterruptedWrite.perform { () throws(Failure) in
            let file = try open(draft, O_CREAT | O_EXCL)
            Leftovers.add(draft)
            defer {
                close(file)
                Leftovers.forget(draft)
            }
            do throws(Failure) {
                try write(bytes, to: file)
                // Others may read the new content only if they may read the old one. The umask must not apply.
                if let mode, fchmod(file, mode) != 0 { throw .system(errno) }
                if lifetime == .lasting { try synchronize(file) }
                guard move(draft) else { throw .system(errno) }
            } catch {
                unsafe unlink(draft)
                throw error
            }
        }
    }

    /// Waits until the content is on the disk: otherwise a power failure could leave an empty file at the path.
    private static func synchronize(_ file: Int32) throws(Failure) {
        while fsync(file) != 0 {
            // Some file systems have no such call.
            if [EINVAL, ENOTSUP, ENOSYS].contains(errno) { return }
            guard errno == EINTR else { throw .system(errno) }
        }
    }
}
