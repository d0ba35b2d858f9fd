import CProcess
import Foundation

#if os(Linux)
/// The folder of a file, watched by the system; while it does not exist, its nearest existing ancestor.
package struct WatchedFolder {
    /// Readable while an event is pending.
    package let descriptor: CInt
    private let folder: String
    private let events: UInt32
    /// The inotify watch descriptor of the watched folder.
    private var number: CInt?

    /// Watches the folder of an absolute path; with `growth`, each write to a file in it is an event.
    package init?(of path: String, growth: Bool) {
        folder = Self.above(path)
        events =
            UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB)
            | UInt32(IN_DELETE_SELF | IN_MOVE_SELF) | (growth ? UInt32(IN_MODIFY) : 0)
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        watch()
        guard number != nil else {
            close()
            return nil
        }
    }

    /// Removes the pending events, so that new ones are signaled; their content does not matter.
    package mutating func removeEvents() {
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
                (missing, place) = (isGap ? place : nil, Self.above(place))
            }
        }
    }

    private func add(_ place: String) -> CInt? {
        let number = unsafe inotify_add_watch(descriptor, place, events)
        return number < 0 ? nil : number
    }

    /// Stops watching.
    package func close() { _ = Foundation.close(descriptor) }
}
#else
/// The folder of a file, watched by the system, and the file; while the folder does not exist, its nearest existing ancestor.
package struct WatchedFolder {
    /// Readable while an event is pending.
    package let descriptor: CInt
    private let path: String
    /// The watched folder and the file, if they exist.
    private var watched: [CInt] = []

    /// Watches the folder of an absolute path, and the file; each write to the file is an event.
    package init?(of path: String, growth: Bool) {
        self.path = path
        descriptor = platform_file_events()
        guard descriptor >= 0 else { return nil }
        watch()
        guard !watched.isEmpty else {
            close()
            return nil
        }
    }

    /// Removes the pending events, so that new ones are signaled; their content does not matter.
    package mutating func removeEvents() {
        platform_take_file_events(descriptor)
        watch()
    }

    /// Watches what exists now: a file that was replaced has another identity.
    private mutating func watch() {
        let before = watched
        watched = []
        var (folder, missing) = (Self.above(path), String?.none)
        while true {
            let next = unsafe platform_watch_file(descriptor, folder)
            if next >= 0 {
                watched.append(next)
                // The folder may have been created before the watch of its parent started.
                guard let gap = missing, FileManager.default.fileExists(atPath: gap) else { break }
                (folder, missing) = (Self.above(path), nil)
            } else {
                guard folder != "/" else { break }
                (folder, missing) = (Self.above(folder), folder)
            }
        }
        // A missing file is reported by its folder.
        let file = unsafe platform_watch_file(descriptor, path)
        if file >= 0 { watched.append(file) }
        // After the new ones are watched, so that no change is missed. Closing them removes their events.
        for old in before { _ = Foundation.close(old) }
    }

    /// Stops watching.
    package func close() {
        for file in watched { _ = Foundation.close(file) }
        _ = Foundation.close(descriptor)
    }
}
#endif

extension WatchedFolder {
    /// Returns a path up to its last slash without resolving `..`, which only the system can do correctly behind links.
    fileprivate static func above(_ path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
