import Foundation
import Testing

/// Waits for a JSON file that is put into its place by a rename, without looking again and again.
enum FileArrival {
    /// The object in the file, once it is there.
    static func wait(for file: URL) async throws -> [String: Any] {
        let folder = file.deletingLastPathComponent().path
        let arrivals = try DirectoryEvents(folder: folder)
        while !FileManager.default.fileExists(atPath: file.path) { try await arrivals.next() }
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return try #require(object as? [String: Any])
    }

    /// The text of a file that is put into its place by a rename, once it is there.
    static func text(of file: URL) async throws -> String {
        let arrivals = try DirectoryEvents(folder: file.deletingLastPathComponent().path)
        while !FileManager.default.fileExists(atPath: file.path) { try await arrivals.next() }
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Waits until a file that is being written has some words in it.
    static func wait(for words: String, in file: URL) async throws {
        let changes = try DirectoryEvents(folder: file.deletingLastPathComponent().path, alsoWrites: true)
        while try !String(contentsOf: file, encoding: .utf8).contains(words) { try await changes.next() }
    }
}

/// The kernel's news of a folder.
private final class DirectoryEvents: Sendable {
    private let descriptor: Int32

    init(folder: String, alsoWrites: Bool = false) throws {
        let kinds = UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | (alsoWrites ? UInt32(IN_MODIFY) : 0)
        descriptor = inotify_init1(0)
        guard descriptor >= 0,
            unsafe inotify_add_watch(descriptor, folder, kinds) >= 0
        else {
            throw POSIXError(.EIO)
        }
    }

    deinit { close(descriptor) }

    /// Waits until something was put into the folder.
    func next() async throws {
        let descriptor = descriptor
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var buffer = [UInt8](repeating: 0, count: 4096)
                _ = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                continuation.resume()
            }
        }
    }
}
