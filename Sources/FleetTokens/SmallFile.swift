import CoreFoundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

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
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableFile(reason: "it is not there or may not be read") }
        defer { close(descriptor) }
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableFile(reason: "it is no regular file")
        }
        var content = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled <= limit {
            let count = unsafe content.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress?.advanced(by: filled), limit + 1 - filled, off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadableFile(reason: "reading it failed") }
            guard count > 0 else { break }
            filled += count
        }
        bytes = Array(content.prefix(filled))
        isOpenToOthers = about.st_mode & 0o077 != 0
    }
}
