import Foundation
import Recording
import Testing
import TripTestSupport

/// Files as Python's `zipfile` and `gzip` wrote them.
@Suite("Packed files", .ends(within: .minutes(1)))
struct PackedFileTests {
    /// Nine lines of JSON.
    private static let text = Array(String(repeating: "{\"a\":1}\n", count: 9).utf8)

    /// A folder, the file, and a file in which macOS keeps attributes; the comment begins as a signature does.
    private static let deflated = """
        UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAbG9ncy9QSwMEFAAAAAgAAAAhAAgGcfcNAAAASAAAAAsAAABsb2dzL2EuanNvbqtWSlSyMqzl\
        qqaQBgBQSwMEFAAAAAgAAAAhAIMW3IwDAAAAAQAAABYAAABfX01BQ09TWC9sb2dzLy5fYS5qc29uqwAAUEsBAhQDFAAAAAAAAAAhAAAAAAAAAAAA\
        AAAAAAUAAAAAAAAAAAAAAIABAAAAAGxvZ3MvUEsBAhQDFAAAAAgAAAAhAAgGcfcNAAAASAAAAAsAAAAAAAAAAAAAAIABIwAAAGxvZ3MvYS5qc29u\
        UEsBAhQDFAAAAAgAAAAhAIMW3IwDAAAAAQAAABYAAAAAAAAAAAAAAIABWQAAAF9fTUFDT1NYL2xvZ3MvLl9hLmpzb25QSwUGAAAAAAMAAwCwAAAA\
        kAAAAAIAUEs=
        """
    private static let stored = """
        UEsDBBQAAAAAAAAAIQAIBnH3SAAAAEgAAAAGAAAAYS5qc29ueyJhIjoxfQp7ImEiOjF9CnsiYSI6MX0KeyJhIjoxfQp7ImEiOjF9CnsiYSI6MX0K\
        eyJhIjoxfQp7ImEiOjF9CnsiYSI6MX0KUEsBAhQDFAAAAAAAAAAhAAgGcfdIAAAASAAAAAYAAAAAAAAAAAAAAIABAAAAAGEuanNvblBLBQYAAAAA\
        AQABADQAAABsAAAAAAA=
        """
    /// Written to a pipe: the sizes are after the file and in the directory only.
    private static let streamed = """
        UEsDBBQACAAIAAAAIQAAAAAAAAAAAAAAAAAGAAAAYS5qc29uq1ZKVLIyrOWqppAGAFBLBwgIBnH3DQAAAEgAAABQSwECFAMUAAgACAAAACEACAZx\
        9w0AAABIAAAABgAAAAAAAAAAAAAAgAEAAAAAYS5qc29uUEsFBgAAAAABAAEANAAAAEEAAAAAAA==
        """
    private static let gzip = "H4sIAAAAAAACA6tWSlSyMqzlqqaQBgAIBnH3SAAAAA=="
    private static let twoFiles = """
        UEsDBBQAAAAIAAAAIQAIBnH3DQAAAEgAAAAGAAAAYS5qc29uq1ZKVLIyrOWqppAGAFBLAwQUAAAACAAAACEACAZx9w0AAABIAAAABgAAAGIuanNv\
        bqtWSlSyMqzlqqaQBgBQSwECFAMUAAAACAAAACEACAZx9w0AAABIAAAABgAAAAAAAAAAAAAAgAEAAAAAYS5qc29uUEsBAhQDFAAAAAgAAAAhAAgG\
        cfcNAAAASAAAAAYAAAAAAAAAAAAAAIABMQAAAGIuanNvblBLBQYAAAAAAgACAGgAAABiAAAAAAA=
        """
    private static let folderOnly = """
        UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAACAAAAYS9QSwECFAMUAAAAAAAAACEAAAAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAgAEAAAAAYS9QSwUG\
        AAAAAAEAAQAwAAAAIAAAAAAA
        """
    private static let bzip2 = """
        UEsDBC4AAAAMAAAAIQAIBnH3OAAAAEgAAAAGAAAAYS5qc29uQlpoOTFBWSZTWQ9K00cAAB9ZgAAQEAAgECAAAAogACCpQzUIYCw2FhYahsLD4u5I\
        pwoSAelaaOBQSwECLgMuAAAADAAAACEACAZx9zgAAABIAAAABgAAAAAAAAAAAAAAgAEAAAAAYS5qc29uUEsFBgAAAAABAAEANAAAAFwAAAAAAA==
        """

    private static func bytes(_ base64: String) throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: base64))) }

    @Test(arguments: [deflated, stored, streamed, gzip])
    func `unpacks the only file`(_ base64: String) throws {
        let packed = try Self.bytes(base64)
        #expect(PackedFile.isOne(packed))
        #expect(try PackedFile.unpacked(packed, limit: 72) == Self.text)
        #expect(throws: RecordingError.tooLarge(limit: 71)) { try PackedFile.unpacked(packed, limit: 71) }
    }

    @Test func `returns other files as they are`() throws {
        for bytes in [Self.text, [], Array("PK".utf8), [0x1F]] {
            #expect(!PackedFile.isOne(bytes))
            #expect(try PackedFile.unpacked(bytes, limit: 0) == bytes)
        }
    }

    @Test(arguments: [twoFiles, folderOnly, bzip2])
    func `refuses an archive that has not one file, or is packed otherwise`(_ base64: String) throws {
        let packed = try Self.bytes(base64)
        #expect(throws: RecordingError.otherKind(.zip)) { try PackedFile.unpacked(packed, limit: 1000) }
    }

    @Test(arguments: [deflated, stored, streamed, gzip])
    func `refuses what is cut off, and never returns another content`(_ base64: String) throws {
        let packed = try Self.bytes(base64)
        for count in 4..<(packed.count - 2) {
            #expect(throws: RecordingError.self) { try PackedFile.unpacked(Array(packed[..<count]), limit: 1000) }
        }
        for index in packed.indices.dropFirst(4) {
            var damaged = packed
            damaged[index] ^= 0x10
            // Names, times and the like have no effect on the content.
            let content = try? PackedFile.unpacked(damaged, limit: 1000)
            #expect(content == nil || content == Self.text, "byte \(index)")
        }
    }

    @Test func `a packed log is read like the log`() throws {
        let log = [UInt8](try Data(contentsOf: SampleRide.file))
        let packed = GzipFile.compressed(log)
        #expect(try RecordedSession(bytes: packed).provider == RecordedSession(bytes: log).provider)
    }
}
