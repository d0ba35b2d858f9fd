import Failures
import Foundation
import TripText

/// The folders in which demos announce themselves to presenters' consoles, with a ready file for each demo.
struct DemoFolder: Sendable, Equatable {
    /// The absolute path.
    let path: String

    /// Returns the folders in the order of preference: in the runtime folder, if it exists, and in the state folder.
    static func all(environment: [String: String]) -> [DemoFolder] {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let runtime = absolute("XDG_RUNTIME_DIR").flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
        let state =
            absolute("XDG_STATE_HOME") ?? HomeFolder.path(environment: environment).map { $0 + "/.local/state" }
        return [runtime, state].compactMap(\.self).map { DemoFolder(path: $0 + "/tripshare/demos") }
    }

    /// The path of the ready file of a process.
    func file(of process: pid_t) -> String { "\(path)/\(process).json" }

    /// Creates the folder if it does not exist, with owner-only permissions, and checks that no other user can use it.
    func prepare() throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Self.unusable(path, error.localizedDescription)
        }
        guard isPrivate else { throw Self.unusable(path, SystemReason.text(EPERM)) }
    }

    /// Whether the folder belongs to this user, and others have no access to it.
    var isPrivate: Bool {
        // A folder whose owner is unknown is not used.
        guard let about = try? FileManager.default.attributesOfItem(atPath: path),
            about[.type] as? FileAttributeType == .typeDirectory,
            let owner = about[.ownerAccountID] as? Int, let mode = about[.posixPermissions] as? Int
        else { return false }
        return owner == Int(getuid()) && mode & 0o077 == 0
    }

    /// Returns the ready files of the demos that are running, and removes the files of demos that have ended without removing
    /// them.
    func runningDemos() -> [DemoAccess] {
        guard isPrivate, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        return names.filter { $0.hasSuffix(".json") }.compactMap { name in
            let file = "\(path)/\(name)"
            // A file that is no ready file is not a demo.
            guard let ready = try? ReadyFile.read(file, evenIfStale: true).file else { return nil }
            guard ready.process?.isOver != true else {
                // The next program tries again.
                try? FileManager.default.removeItem(atPath: file)
                return nil
            }
            return DemoAccess(ready, path: file)
        }
    }

    private static func unusable(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .outputFailed,
            .failureConsoleFolder(folder: excerpt(path: path), reason: excerpt(reason))
        )
    }
}
