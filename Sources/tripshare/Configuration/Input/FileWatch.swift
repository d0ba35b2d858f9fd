import Dispatch
import Foundation
import Terminal

/// Detects changes of a file: written, replaced by a rename or a link, created or deleted.
///
/// It watches the folder, because a watch on a file ends when the file is replaced. The system notifies it; there is no timer.
enum FileWatch {
    /// Returns a stream of changes, with successive changes combined; `nil` if the file cannot be watched.
    ///
    /// A missing or deleted folder is watched for, too. If a folder further up, or a link to the folder, is replaced while the
    /// original folder continues to exist, this is not detected.
    static func changes(of path: String) -> AsyncStream<Void>? { changes(of: path, growth: false) }

    /// Returns a stream of changes that includes each write to a file that stays open.
    ///
    /// Behind a link, where the system does not notify of writes, each second counts as a change.
    static func growth(of path: String) -> AsyncStream<Void> {
        // A file that is not a link has no destination.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        if !isLink, let changes = changes(of: path, growth: true) { return changes }
        return AsyncStream {
            // An error means that the task was cancelled.
            (try? await Task.sleep(for: .seconds(1))) != nil ? () : nil
        }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    private static func changes(of path: String, growth: Bool) -> AsyncStream<Void>? {
        guard let folder = WatchedFolder(of: absolute(path), growth: growth) else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = Watch(path, folder: folder)
        watch.source.setEventHandler {
            // Other files in the folder may change often, so only changes at this path count.
            if watch.hasChanged() { continuation.yield() }
        }
        watch.source.setCancelHandler { watch.close() }
        continuation.onTermination = { _ in watch.source.cancel() }
        watch.source.activate()
        return stream
    }

    /// The dispatch source, which any thread may cancel, and the last state, which only its queue accesses.
    private final class Watch: @unchecked Sendable {
        let source: any DispatchSourceProtocol
        private let path: String
        private var folder: WatchedFolder
        private var identity: FileIdentity?

        init(_ path: String, folder: WatchedFolder) {
            self.path = path
            self.folder = folder
            source = DispatchSource.makeReadSource(
                fileDescriptor: folder.descriptor,
                queue: DispatchQueue(label: "file watch")
            )
            identity = FileIdentity(path)
        }

        func hasChanged() -> Bool {
            folder.removeEvents()
            let now = FileIdentity(path)
            defer { identity = now }
            return now != identity
        }

        func close() { folder.close() }
    }
}

/// Identifies the content of a path without reading it.
private struct FileIdentity: Equatable {
    let file: Int?
    let size: Int?
    let modified: Date?

    /// Reads the identity of a path, following links; `nil` if there is no file.
    init?(_ path: String) {
        guard let target = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(target) }
        // A missing file is not an error here: the watch reports it.
        let attributes = try? FileManager.default.attributesOfItem(atPath: unsafe String(cString: target))
        guard let attributes else { return nil }
        file = attributes[.systemFileNumber] as? Int
        size = attributes[.size] as? Int
        modified = attributes[.modificationDate] as? Date
    }
}
