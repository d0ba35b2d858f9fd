import Dispatch
import Foundation
import Testing
import TripTestSupport

/// Waits for what programs write into files.
///
/// A wait ends at its deadline, when the test is cancelled, or when the program has ended.
enum FileArrival {
    /// Waits for a file that a program puts into place by a rename, and returns its JSON object.
    static func wait(for file: URL, from program: RunningProgram) async throws -> [String: Any] {
        let text = try await text(of: file) { program.isOver }
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// Waits for a file that is put into place by a rename, and returns its text.
    ///
    /// Fails if the program that writes it ends before.
    static func text(of file: URL, unless isOver: () -> Bool) async throws -> String {
        try await wait(for: "the file \(file.lastPathComponent)", beside: file, unless: isOver) {
            FileManager.default.fileExists(atPath: file.path)
        }
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Waits until a file has another text, and returns it.
    static func text(of file: URL, otherThan old: String) async throws -> String {
        func isOver() -> Bool { false }
        try await wait(for: "another text in \(file.lastPathComponent)", beside: file, unless: isOver) {
            try String(contentsOf: file, encoding: .utf8) != old
        }
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Waits until a growing file contains some words.
    static func wait(for words: String, in file: URL, unless isOver: () throws -> Bool) async throws {
        try await wait(for: "\(words.debugDescription) in \(file.lastPathComponent)", beside: file, unless: isOver) {
            try String(contentsOf: file, encoding: .utf8).contains(words)
        }
    }

    /// Waits until a growing file has a number of bytes.
    static func wait(forBytes count: Int, in file: URL, unless isOver: () -> Bool) async throws {
        try await wait(for: "\(count) bytes in \(file.lastPathComponent)", beside: file, unless: isOver) {
            // The file does not exist yet at first.
            let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            return (size ?? 0) >= count
        }
    }

    private static func wait(
        for what: String,
        beside file: URL,
        unless isOver: () throws -> Bool,
        until isSo: () throws -> Bool
    ) async throws {
        let changes = Changes()
        let events = try DirectoryEvents(folder: file.deletingLastPathComponent().path, changes)
        defer { events.stop() }
        try await changes.wait(for: what) {
            // The order matters: what a program wrote before its end is visible after it.
            let isOver = try isOver()
            if try isSo() { return true }
            guard !isOver else { throw WaitFailure("the program ended before \(what)") }
            return false
        }
    }
}

#if canImport(Darwin)
/// Notifies twenty times a second, because a folder's events on Darwin do not include the growth of its files.
private final class DirectoryEvents {
    private let timer: any DispatchSourceTimer

    init(folder: String, _ changes: Changes) throws {
        timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 0.05, repeating: 0.05)
        timer.setEventHandler { changes.notify() }
        timer.resume()
    }

    func stop() { timer.cancel() }
}
#else
/// Notifies of events in a folder, and additionally twice a second, because the end of a program is not an event in the
/// folder.
private final class DirectoryEvents {
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer

    init(folder: String, _ changes: Changes) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let kinds = UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_MODIFY)
        guard descriptor >= 0, unsafe inotify_add_watch(descriptor, folder, kinds) >= 0 else { throw POSIXError(.EIO) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while unsafe buffer.withUnsafeMutableBytes({ unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
            changes.notify()
        }
        source.setCancelHandler { close(descriptor) }
        timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 0.5, repeating: 0.5)
        timer.setEventHandler { changes.notify() }
        source.resume()
        timer.resume()
    }

    func stop() {
        source.cancel()
        timer.cancel()
    }
}
#endif
