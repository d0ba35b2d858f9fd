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
    /// An element for each change from now on, several changes in a row counting as one; `nil` where the folder can't be
    /// watched.
    package static func changes(of path: String) -> AsyncStream<Void>? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard let descriptor = open(folder: folder) else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = Watch(path, source: source(on: descriptor, queue: DispatchQueue(label: "file watch")))
        watch.source.setEventHandler {
            drain(descriptor)
            // The folder may be a busy one: only what this path leads to counts.
            if watch.isNews() { continuation.yield() }
        }
        watch.source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in watch.source.cancel() }
        watch.source.activate()
        return stream
    }

    /// The source, which Dispatch lets every thread cancel, and what was seen last, which only its own queue touches.
    private final class Watch: @unchecked Sendable {
        let source: any DispatchSourceProtocol
        private let path: String
        private var identity: FileIdentity?

        init(_ path: String, source: any DispatchSourceProtocol) {
            self.path = path
            self.source = source
            identity = FileIdentity(path)
        }

        func isNews() -> Bool {
            let now = FileIdentity(path)
            defer { identity = now }
            return now != identity
        }
    }

    #if canImport(Darwin)
    private static func open(folder: String) -> CInt? {
        let descriptor = unsafe Darwin.open(folder, O_EVTONLY)
        return descriptor < 0 ? nil : descriptor
    }

    private static func source(on descriptor: CInt, queue: DispatchQueue) -> any DispatchSourceProtocol {
        DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor,
            eventMask: [.write, .extend, .attrib, .rename, .delete],
            queue: queue
        )
    }

    private static func drain(_ descriptor: CInt) {}
    #else
    private static func open(folder: String) -> CInt? {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB)
        guard unsafe inotify_add_watch(descriptor, folder, events) >= 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func source(on descriptor: CInt, queue: DispatchQueue) -> any DispatchSourceProtocol {
        DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Takes the events out; which they are does not matter.
    private static func drain(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
    }
    #endif
}

/// What tells one content of a path from another without reading it.
private struct FileIdentity: Equatable {
    let file: Int?
    let size: Int?
    let modified: Date?

    /// Looks at what a path leads to, links followed; `nil` where it leads to nothing.
    init?(_ path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // A file that is gone is no error here: that it is gone is what the watch tells.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
        file = attributes[.systemFileNumber] as? Int
        size = attributes[.size] as? Int
        modified = attributes[.modificationDate] as? Date
    }
}
