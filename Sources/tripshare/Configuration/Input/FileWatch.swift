import Dispatch
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Detects changes of a file: written, replaced by a rename or a link, created or deleted.
///
/// It watches the folder, because a watch on a file ends when the file is replaced. The system notifies it; there is no timer.
enum FileWatch {
    /// Returns a stream of changes, with successive changes combined; `nil` if the file cannot be watched.
    ///
    /// On Linux, a missing or deleted folder is watched for, too; on Darwin it is not. If a folder further up, or a link to the
    /// folder, is replaced while the original folder continues to exist, this is not detected.
    static func changes(of path: String) -> AsyncStream<Void>? { changes(of: path, growth: false) }

    /// Returns a stream of changes that includes each write to a file that stays open.
    ///
    /// Where the system does not notify of writes, as on Darwin and behind a link, each second counts as a change.
    static func growth(of path: String) -> AsyncStream<Void> {
        // Of a file that is no link, there is no destination.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        if !isLink, WatchedFolder.notifiesOfWrites, let changes = changes(of: path, growth: true) { return changes }
        return AsyncStream {
            // An error means that the task was cancelled.
            (try? await Task.sleep(for: .seconds(1))) != nil ? () : nil
        }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    private static func changes(of path: String, growth: Bool) -> AsyncStream<Void>? {
        guard let folder = WatchedFolder(above(absolute(path)), growth: growth) else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = Watch(path, folder: folder)
        watch.source.setEventHandler {
            // Other files in the folder may change often, so only changes at this path count.
            if watch.hasChanged() { continuation.yield() }
        }
        let descriptor = folder.descriptor
        watch.source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in watch.source.cancel() }
        watch.source.activate()
        return stream
    }

    /// Returns a path up to its last slash without resolving `..`, which only the system can do correctly behind links.
    fileprivate static func above(_ path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
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
            source = folder.source(queue: DispatchQueue(label: "file watch"))
            identity = FileIdentity(path)
        }

        func hasChanged() -> Bool {
            folder.takeEvents()
            let now = FileIdentity(path)
            defer { identity = now }
            return now != identity
        }
    }
}

#if canImport(Darwin)
/// A folder watched by the system.
private struct WatchedFolder {
    let descriptor: CInt

    /// Whether a write to a file in the folder is a change of it.
    static let notifiesOfWrites = false

    init?(_ folder: String, growth: Bool) {
        descriptor = unsafe open(folder, O_EVTONLY)
        guard descriptor >= 0 else { return nil }
    }

    func source(queue: DispatchQueue) -> any DispatchSourceProtocol {
        DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor,
            eventMask: [.write, .extend, .attrib, .rename, .delete],
            queue: queue
        )
    }

    func takeEvents() {}
}
#else
/// A folder watched by the system; while it does not exist, its nearest existing ancestor.
private struct WatchedFolder {
    let descriptor: CInt
    private let folder: String
    private let events: UInt32
    /// The inotify watch descriptor of the watched folder.
    private var number: CInt?

    /// Whether a write to a file in the folder is a change of it.
    static let notifiesOfWrites = true

    /// Watches a folder; with `growth`, each write to a file in it is an event.
    init?(_ folder: String, growth: Bool) {
        self.folder = folder
        events =
            UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB)
            | UInt32(IN_DELETE_SELF | IN_MOVE_SELF) | (growth ? UInt32(IN_MODIFY) : 0)
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        watch()
        guard number != nil else {
            close(descriptor)
            return nil
        }
    }

    func source(queue: DispatchQueue) -> any DispatchSourceProtocol {
        DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Drains the pending events, so that new ones are signaled; their content does not matter.
    mutating func takeEvents() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        watch()
    }

    /// Watches the current folder; inotify returns the same descriptor for a folder that is already watched.
    private mutating func watch() {
        var missing: String?
        var place = folder
        while true {
            if let next = add(place) {
                if let number, number != next { _ = inotify_rm_watch(descriptor, number) }
                number = next
                guard let gap = missing else { return }
                // The folder may have been created before the watch of its parent started.
                guard FileManager.default.fileExists(atPath: gap) else { return }
                (missing, place) = (nil, folder)
            } else {
                // A folder that exists but is not accessible is not missing: the watch of its parent reports a change.
                let isGap = errno == ENOENT || errno == ENOTDIR
                guard place != "/" else { return }
                (missing, place) = (isGap ? place : nil, FileWatch.above(place))
            }
        }
    }

    private func add(_ place: String) -> CInt? {
        let number = unsafe inotify_add_watch(descriptor, place, events)
        return number < 0 ? nil : number
    }
}
#endif

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
