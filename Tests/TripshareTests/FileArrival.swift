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
}

/// The kernel's news of a folder.
private final class DirectoryEvents: Sendable {
    private let descriptor: Int32

    init(folder: String) throws {
        descriptor = inotify_init1(0)
        guard descriptor >= 0,
            unsafe inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO) | UInt32(IN_CREATE)) >= 0
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
