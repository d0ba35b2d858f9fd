import Failures
import Foundation
import TripText

/// The file of a page: written whole or not at all, and never over another file.
enum RidePageFile {
    /// Throws a ``CommandFailure`` if the page can't be written to this path.
    static func check(_ path: String) throws(CommandFailure) {
        do throws(OutputFile.Failure) {
            try checkIsFree(path)
        } catch {
            throw CommandFailure(.outputFailed, text(of: error, path))
        }
    }

    /// Writes a page; returns the text of the failure, `nil` if it was written.
    static func write(_ page: RidePage, to path: String) -> Text? {
        do throws(OutputFile.Failure) {
            try OutputFile.create(path, page.bytes)
            return nil
        } catch {
            return text(of: error, path)
        }
    }

    private static func checkIsFree(_ path: String) throws(OutputFile.Failure) {
        switch try OutputFile.target(path) {
        case .absent, .stream: return
        case .regular: throw .system(EEXIST)
        case .other(let isFolder): throw isFolder ? .folder : .unsupportedKind
        }
    }

    private static func text(of failure: OutputFile.Failure, _ path: String) -> Text {
        guard failure != .system(EEXIST) else { return .exportTaken(file: excerpt(path: path)) }
        return .exportNotWritten(file: excerpt(path: path), reason: failure.reason(.ofProcess))
    }
}
