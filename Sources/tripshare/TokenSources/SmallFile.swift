import Failures
import FleetTokens
import SystemPackage

/// The content of a small regular file, read without blocking.
struct SmallFile {
    let bytes: [UInt8]
    /// Whether other users may read or write the file, after following links.
    let isOpenToOthers: Bool

    /// Reads at most one byte more than the limit, so that the caller can detect an excess.
    ///
    /// A named pipe or a device could block the thread, so it is refused.
    ///
    /// - Throws: ``Failures/Failure/unreadableFile(reason:)``.
    init(_ path: String, limit: Int) throws(Failure) {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
        } catch let error as Errno where SystemReason.isOfOpenFiles(error.rawValue) {
            throw .unreadableFile(reason: SystemReason.text(error.rawValue))
        } catch {
            throw .unreadableFile(reason: "it does not exist or can't be read")
        }
        // The file was opened for reading, so a failed close loses no data.
        defer { try? file.close() }
        // A file whose type is unknown counts as not regular.
        guard let about = try? file.stat(), about.type == .regular else {
            throw .unreadableFile(reason: "it is not a regular file")
        }
        do {
            bytes = try Self.beginning(of: file, upTo: limit + 1)
        } catch {
            throw .unreadableFile(reason: "reading it failed")
        }
        isOpenToOthers = !about.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute])
    }

    /// Returns the first bytes of a file; repeats `read`, which may return fewer bytes than requested.
    private static func beginning(of file: FileDescriptor, upTo limit: Int) throws -> [UInt8] {
        var content = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = try unsafe content.withUnsafeMutableBytes { buffer in
                try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(content.prefix(filled))
    }
}
