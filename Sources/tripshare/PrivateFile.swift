import Foundation

/// Files that only their owner may read.
enum PrivateFile {
    /// Why a file was not written; a part of a sentence.
    struct Problem: Error {
        var reason: String
    }

    /// The file that a path leads to, which is a regular one or does not exist yet.
    @discardableResult
    static func target(_ path: String) throws(Problem) -> String {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // What is not there yet has no attributes.
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        if let attributes, attributes[.type] as? FileAttributeType != .typeRegular {
            throw Problem(reason: "it is no regular file, and is left as it is")
        }
        return target
    }

    /// Replaces a regular file, or makes one, by a rename; its mode is 0600 from the beginning.
    ///
    /// Anything at the path that is no regular file is left as it is.
    static func write(_ data: Data, to path: String) throws(Problem) {
        let target = try target(path)
        let temporary = "\(target).\(getpid()).new"
        // One that a killed process with this number left behind.
        unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Problem(reason: unsafe String(cString: strerror(errno))) }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: data)
            try file.close()
        } catch {
            unsafe unlink(temporary)
            throw Problem(reason: error.localizedDescription)
        }
        guard unsafe rename(temporary, target) == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            unsafe unlink(temporary)
            throw Problem(reason: reason)
        }
    }
}
