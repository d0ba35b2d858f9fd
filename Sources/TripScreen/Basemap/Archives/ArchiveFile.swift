package import SystemPackage

/// An archive opened for reading; it is read in pieces and never mapped or loaded as a whole.
package final class ArchiveFile: Sendable {
    /// The number of bytes.
    let size: UInt64
    private let file: FileDescriptor

    /// Takes over an open file, which is closed with this object.
    package init(_ file: FileDescriptor, size: UInt64) {
        self.file = file
        self.size = size
    }

    deinit {
        // The file was opened for reading, so a failed close loses no data.
        try? file.close()
    }

    /// Reads a part; a part that is not entirely in the file is refused.
    func bytes(at offset: UInt64, count: UInt64, limit: Int) throws(BasemapProblem) -> [UInt8] {
        let (end, overflows) = offset.addingReportingOverflow(count)
        guard !overflows, end <= size, count <= UInt64(limit) else { throw .damaged }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var filled = 0
        while filled < bytes.count {
            let read: Int
            do {
                read = try unsafe bytes.withUnsafeMutableBytes { bytes in
                    try unsafe file.read(
                        fromAbsoluteOffset: Int64(offset) + Int64(filled),
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                    )
                }
            } catch {
                throw .damaged
            }
            guard read > 0 else { throw .damaged }
            filled += read
        }
        return bytes
    }
}
