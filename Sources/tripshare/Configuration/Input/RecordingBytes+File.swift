import Foundation
import Recording
import SystemPackage

extension RecordingBytes {
    /// Opens a regular file whose bytes are read when they are needed; `nil` for anything else.
    static func file(_ path: String) -> RecordingBytes? {
        // The caller reads other files and reports what is wrong with them.
        guard let file = OpenFile(path) else { return nil }
        return RecordingBytes(count: file.size) { file.bytes($0) }
    }

    /// A file that is open as long as it is used.
    private final class OpenFile: Sendable {
        let size: Int
        private let file: FileDescriptor

        init?(_ path: String) {
            let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec, .init(rawValue: O_NOCTTY)]
            // A file that cannot be opened here is read as a whole, which reports the reason.
            guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: options) else { return nil }
            guard let about = try? file.stat(), about.type == .regular else {
                // It was opened for reading, so a failed close loses no data.
                try? file.close()
                return nil
            }
            self.file = file
            size = Int(about.size)
        }

        // See above.
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
