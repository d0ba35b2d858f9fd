import SystemPackage

/// What is in a small regular file, read without waiting for anybody.
struct SmallFile {
    let bytes: [UInt8]
    /// Whether its permissions let others than the owner read or write it; those of the file that a link leads to.
    let isOpenToOthers: Bool

    /// Reads a file up to one byte more than the limit, so that the reader sees what is too long.
    ///
    /// A named pipe or a device would hold the reading thread for as long as nobody writes to it.
    ///
    /// - Throws: ``TokenSourceError/unreadableFile(reason:)``.
    init(_ path: String, limit: Int) throws(TokenSourceError) {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
        } catch {
            throw .unreadableFile(reason: "it is not there or may not be read")
        }
        // Nothing of a file that was only read is lost when closing it fails.
        defer { try? file.close() }
        // What the system can't describe is as little a regular file as a pipe is.
        guard let about = try? file.stat(), about.type == .regular else {
            throw .unreadableFile(reason: "it is no regular file")
        }
        do {
            bytes = try Self.beginning(of: file, upTo: limit + 1)
        } catch {
            throw .unreadableFile(reason: "reading it failed")
        }
        isOpenToOthers = !about.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute])
    }

    /// The first bytes of a file, or all when there are fewer; a read may bring less than was asked for.
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
