import Failures
import Foundation
import Recording
import SystemPackage
import TripModel
import TripText

/// Reads recordings and logs that the user names.
enum SessionFile {
    /// Reads a recording of this program, a Cloud Logging export or a Fleet Debugger file.
    static func read(_ path: String, advice: Text = .adviceSession) throws(CommandFailure) -> RecordedSession {
        let data = try InputFile.data(
            path,
            limit: RecordedSession.maximumBytes,
            what: .nounRecording,
            advice: advice
        )
        do throws(RecordedSession.Failure) {
            return try RecordedSession(bytes: [UInt8](data))
        } catch {
            throw CommandFailure(.badInput) {
                $0(.failureSession(file: excerpt(path: path), reason: error.sentence($0, advice: advice)))
            }
        }
    }

    /// Reads a recording of this program; a log is refused.
    static func recording(_ path: String) throws(CommandFailure) -> (RecordingReader, ProviderID) {
        let session = try read(path, advice: .adviceVerify)
        guard let reader = session.reader else {
            throw CommandFailure(.badInput) {
                $0(
                    .failureSession(
                        file: excerpt(path: path),
                        reason: "\($0(.verifyNoRecording))\n\($0(.adviceVerify))"
                    )
                )
            }
        }
        return (reader, session.provider)
    }

    /// Warns about the lines of a log that were skipped.
    static func warn(ofSkippedIn log: SkippedLines?, _ path: String) {
        guard let log else { return }
        warn(ofSkipped: log.count, from: log.first, in: path)
    }

    /// Warns about skipped lines; the number is the number of the first one.
    static func warn(ofSkipped lines: Int, from first: Int, in path: String) {
        guard lines != 1 else {
            return Printing.warning(.warningSkippedLine(line: String(first), file: excerpt(path: path)))
        }
        Printing.warning(
            .warningSkippedLines(count: String(lines), file: excerpt(path: path), line: String(first))
        )
    }

    /// Warns about lines that were left out.
    static func warn(ofSkipped lines: Int, in path: String) {
        if lines > 0 { Printing.warning(.sessionSkipped(file: excerpt(path: path), count: String(lines))) }
    }
}

extension RecordedSession.Failure {
    /// Describes what is wrong with the file and what to do.
    fileprivate func sentence(_ localizer: Localizer, advice: Text) -> String {
        switch self {
        case .recording(.notRecording): localizer(.sessionDamaged)
        case .recording(.newerVersion(let version)): localizer(.sessionNewer(version: version.name))
        case .recording(let failure): failure.sentence(localizer, advice: advice)
        case .log(let error): error.sentence(localizer, advice: advice)
        }
    }
}

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
