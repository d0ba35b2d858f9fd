import Failures
import Foundation
import Runtime
import SystemPackage
import TripText

/// The files of a store: the database, its companions, the marks of sessions, and the lock for its opening.
struct NoticeFiles: Sendable {
    /// The path of the database.
    let database: String

    /// The database of a user: in `XDG_STATE_HOME`, else in `~/.local/state`; `nil` without a home folder.
    static func path(environment: [String: String]) -> String? {
        let folder =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? HomeFolder.path(environment: environment).map { $0 + "/.local/state" }
        return folder.map { $0 + "/tripshare/notices.sqlite" }
    }

    private var folder: String { URL(filePath: database).deletingLastPathComponent().path(percentEncoded: false) }

    /// The beginning of the paths of the marks.
    private var marks: String { database + "-session-" }

    /// Whether there is no database; what cannot be looked for may be there.
    var isMissing: Bool {
        do {
            _ = try FilePath(database).stat(followTargetSymlink: false)
            return false
        } catch {
            return error == .noSuchFileOrDirectory
        }
    }

    /// The path of the mark of a session.
    func mark(of session: String) -> String { marks + session }

    /// Creates the folder and an empty database, for the owner alone; throws if others can change the file.
    func prepare() throws(NoticeStoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .disk(error.localizedDescription)
        }
        // SQLite gives its companions the permissions of the database.
        let created = unsafe open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // A descriptor of a file that exists is never closed here: that would release the locks of SQLite.
        if created >= 0 {
            close(created)
            return
        }
        guard errno == EEXIST else { throw .disk(SystemReason.text(errno)) }
        let about: Stat
        do {
            about = try FilePath(database).stat(followTargetSymlink: false)
        } catch {
            throw .disk(SystemReason.text(error.rawValue))
        }
        guard about.type == .regular, about.userID.rawValue == getuid() else {
            throw .disk(Localizer.ofProcess(.noticeStoreNotOwn))
        }
        for suffix in ["", "-wal", "-shm"] { _ = unsafe chmod(database + suffix, 0o600) }
    }

    /// Performs something while no other process opens the database or moves it aside.
    ///
    /// Throws if another process takes longer than 2 s.
    func exclusively<Result>(_ body: () throws(NoticeStoreError) -> Result) throws(NoticeStoreError) -> Result {
        let descriptor = unsafe open(database + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .disk(SystemReason.text(errno)) }
        defer { close(descriptor) }
        var attempts = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            attempts += 1
            // A process that was stopped must not stop others.
            guard attempts < 200 else { throw .disk(SystemReason.text(EWOULDBLOCK)) }
            usleep(10_000)
        }
        return try body()
    }

    /// Moves a damaged database and its companions aside; returns the new path.
    func moveAside(at now: Date) throws(NoticeStoreError) -> String {
        let stamp = Timestamp.text(now).filter { $0.isASCII && ($0.isNumber || $0 == "T") }.prefix(15)
        var target = "\(database)-damaged-\(stamp)"
        var number = 1
        while FileNumber(path: target) != nil {
            number += 1
            target = "\(database)-damaged-\(stamp)-\(number)"
        }
        guard unsafe rename(database, target) == 0 else { throw .disk(SystemReason.text(errno)) }
        // A companion that does not exist needs no move.
        for suffix in ["-wal", "-shm", "-journal"] { _ = unsafe rename(database + suffix, target + suffix) }
        return target
    }

    /// Removes the marks of sessions that are gone.
    func removeOldMarks() {
        let prefix = URL(filePath: marks).lastPathComponent
        // A mark that remains is no mistake: the next session removes it.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            _ = SessionMark.isGone("\(folder)/\(name)")
        }
    }
}
