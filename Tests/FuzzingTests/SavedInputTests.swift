import Foundation
import FuzzReaders
import Testing
import TripTestSupport

/// The inputs that are kept for the fuzzer: examples, and everything that a reader once failed on.
@Suite("Saved inputs of the fuzzer", .serialized, .ends(within: .longTest))
struct SavedInputTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzzing/Inputs")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: Reader.all.map(\.name))
    func `a reader ends on every stored input, and on its parts`(_ name: String) async throws {
        let reader = try #require(Reader.all.first { $0.name == name })
        let folder = Self.folder.appending(path: name)
        let inputs = try Self.names(in: folder)
        #expect(!inputs.isEmpty)
        let contents = try inputs.map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
        await Self.onThread {
            for bytes in contents {
                for part in 0...8 { reader.read(Array(bytes.prefix(bytes.count * part / 8))) }
            }
        }
    }

    /// Runs a function that blocks, as the fuzzer does, on a thread that no task needs.
    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    @Test func `every folder of inputs belongs to a reader`() throws {
        #expect(try Self.names(in: Self.folder) == Reader.all.map(\.name).sorted())
    }
}
