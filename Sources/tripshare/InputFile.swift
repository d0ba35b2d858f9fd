import Foundation

/// Small files that a person names.
enum InputFile {
    /// The largest file that is read, in bytes.
    private static let maximumBytes = 1 << 20

    /// The text of a file; `what` it should be and the `advice` go into the message of a ``CommandFailure``.
    static func text(_ path: String, what: String, advice: String) throws(CommandFailure) -> String {
        let data = try data(path, limit: maximumBytes, what: what, advice: advice)
        guard let text = String(data: data, encoding: .utf8) else { throw notOne(path, what, advice) }
        return text
    }

    /// The bytes of a file, at most `limit`; see ``text(_:what:advice:)``.
    static func data(_ path: String, limit: Int, what: String, advice: String) throws(CommandFailure) -> Data {
        try refuseFolder(path, what: what, advice: advice)
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(.notFound, "There is no \(what) \(shown(path)), or it can't be read.\n\(advice)")
        }
        guard let data = bytes(file, limit: limit) else { throw notOne(path, what, advice) }
        return data
    }

    /// Throws where a folder is named; to open one works on some systems and says nothing of the cause on others.
    static func refuseFolder(_ path: String, what: String, advice: String) throws(CommandFailure) {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return
        }
        throw CommandFailure(.badInput, "\(shown(path)) is a folder, and no \(what).\n\(advice)")
    }

    private static func notOne(_ path: String, _ what: String, _ advice: String) -> CommandFailure {
        CommandFailure(.badInput, "\(shown(path)) is no \(what).\n\(advice)")
    }

    /// All bytes of a file; `nil` where there are more than `limit` or reading fails.
    static func bytes(_ file: FileHandle, limit: Int) -> Data? {
        var data = Data()
        do {
            while let more = try file.read(upToCount: limit + 1 - data.count), !more.isEmpty {
                data += more
                guard data.count <= limit else { return nil }
            }
        } catch {
            return nil
        }
        return data
    }

    /// Warns of a file with a secret that others can read, with the power that it gives them.
    static func warnIfOpen(_ path: String, what: String, power: String) {
        // Of a file whose rights can't be told, or that is not there, whoever reads it says what has to be said.
        let rights = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        guard let mode = rights?[.posixPermissions] as? Int, mode & 0o044 != 0 else { return }
        Printing.error("Others can read the \(what) \(shown(path)), and \(power): chmod 600 \(pasteable(path))")
    }
}
