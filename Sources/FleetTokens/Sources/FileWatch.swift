import Dispatch
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Tells when a file becomes another one: written, replaced by a rename, put behind another link, made or deleted.
///
/// The folder is watched and not the file, since a file that is replaced is watched no more. The system wakes us; there
/// is no timer.
package enum FileWatch {
    /// An element for each change from now on, several changes in a row counting as one; `nil` where nothing can be watched.
    ///
    /// A folder that is deleted is waited for, and so is one that is not there yet; on Darwin neither is. That one further
    /// up, or a link to the folder, is replaced while the folder lives on elsewhere is not seen.
    package static func changes(of path: String) -> AsyncStream<Void>? {
        let absolute = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        guard let folder = WatchedFolder(above(absolute)) else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = Watch(path, folder: folder)
        watch.source.setEventHandler {
            // The folder may be a busy one: only what this path leads to counts.
            if watch.isNews() { continuation.yield() }
        }
        let descriptor = folder.descriptor
        watch.source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in watch.source.cancel() }
        watch.source.activate()
        return stream
    }

    /// What a path says up to its last slash, taken by the letter: behind a link `..` is elsewhere, which only the system knows.
    fileprivate static func above(_ path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// The source, which Dispatch lets every thread cancel, and what was seen last, which only its own queue touches.
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

        func isNews() -> Bool {
            folder.takeEvents()
            let now = FileIdentity(path)
            defer { identity = now }
            return now != identity
        }
    }
}

#if canImport(Darwin)
/// A folder of which the system tells what happens in it.
private struct WatchedFolder {
    let descriptor: CInt

    init?(_ folder: String) {
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
/// A folder of which the system tells what happens in it; while it is not there, the nearest one above it.
private struct WatchedFolder {
    let descriptor: CInt
    private let folder: String
    /// The system's number of the folder that is watched.
    private var number: CInt?

    init?(_ folder: String) {
        self.folder = folder
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

    /// Takes the events out, and sees to it that there are more: which they are does not matter.
    mutating func takeEvents() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        watch()
    }

    /// Watches the folder that counts now; of one that is watched already the system gives the same number again.
    private mutating func watch() {
        var missing: String?
        var place = folder
        while true {
            if let next = add(place) {
                if let number, number != next { _ = inotify_rm_watch(descriptor, number) }
                number = next
                guard let gap = missing else { return }
                // It may have been made before the one above it was watched.
                guard FileManager.default.fileExists(atPath: gap) else { return }
                (missing, place) = (nil, folder)
            } else {
                // One that is there and may not be looked at is no gap: the one above it tells when that changes.
                let isGap = errno == ENOENT || errno == ENOTDIR
                guard place != "/" else { return }
                (missing, place) = (isGap ? place : nil, FileWatch.above(place))
            }
        }
    }

    private func add(_ place: String) -> CInt? {
        let inside = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        let events = UInt32(inside | IN_DELETE_SELF | IN_MOVE_SELF)
        let number = unsafe inotify_add_watch(descriptor, place, events)
        return number < 0 ? nil : number
    }
}
#endif

/// What tells one content of a path from another without reading it.
private struct FileIdentity: Equatable {
    let file: Int?
    let size: Int?
    let modified: Date?

    /// Looks at what a path leads to, links followed; `nil` where it leads to nothing.
    init?(_ path: String) {
        guard let target = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(target) }
        // A file that is gone is no error here: that it is gone is what the watch tells.
        let attributes = try? FileManager.default.attributesOfItem(atPath: unsafe String(cString: target))
        guard let attributes else { return nil }
        file = attributes[.systemFileNumber] as? Int
        size = attributes[.size] as? Int
        modified = attributes[.modificationDate] as? Date
    }
}
