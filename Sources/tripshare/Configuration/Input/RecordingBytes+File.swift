import Foundation
import Recording
import SystemPackage

extension RecordingBytes {
    /// Opens a regular file whose bytes are read when they are needed; `nil` for anything else.
    static func file(_ path: String) -> RecordingBytes? {
        guard let file = OpenFile(path) else { return nil }
        return RecordingBytes(count: file.size) { file.bytes($0) }
    }

    /// A file that is open as long as it is used.
    private final class OpenFile: Sendable {
        let size: Int
        private let file: FileDescriptor

        init?(_ path: String) {
            guard let (file, size) = ReadableFile.openRegular(path) else { return nil }
            self.file = file
            self.size = Int(size)
        }

        // The file was opened for reading, so a failed close loses no data.
        deinit { try? file.close() }

        /// Returns the bytes of a range, or fewer if the file has become shorter or cannot be read.
        func bytes(_ range: Range<Int>) -> [UInt8] {
            unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
                unsafe read(range, into: UnsafeMutableRawBufferPointer(buffer), &count)
            }
        }

        private func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer, _ count: inout Int) {
            while count < range.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let offset = Int64(range.lowerBound + count)
                // An error ends the bytes like the end of the file.
                guard let read = unsafe try? file.read(fromAbsoluteOffset: offset, into: rest), read > 0 else { return }
                count += read
            }
        }
    }
}
