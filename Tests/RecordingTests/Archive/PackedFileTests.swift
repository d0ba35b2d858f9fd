import Foundation
import Recording
import Testing
import TripTestSupport

/// Files as Python's `zipfile` and `gzip` wrote them.
@Suite("Packed files", .ends(within: .quickTest))
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

    private static let macOS = """
        UEsDBBQAAAAIAAAAIQAAAAAAAgAAAAAAAAAFAAAAbG9ncy8DAFBLAwQUAAAACAAAACEAaSLeNgQAAAACAAAADgAAAGxvZ3MvLkRTX1N0b3JlY2\
        AEAFBLAwQUAAAACAAAACEAAAAAAAIAAAAAAAAACQAAAF9fTUFDT1NYLwMAUEsDBBQAAAAIAAAAIQCDFtyMAwAAAAEAAAAWAAAAX19NQUNPU1gv\
        bG9ncy8uX2EuanNvbqsAAFBLAwQUAAAACAAAACEACAZx9w0AAABIAAAACwAAAGxvZ3MvYS5qc29uq1ZKVLIyrOWqppAGAFBLAwQUAAAACAAAAC\
        EAFSbb+wMAAAABAAAACAAAAC5fYS5qc29uqwQAUEsBAhQDFAAAAAgAAAAhAAAAAAACAAAAAAAAAAUAAAAAAAAAAAAAAIABAAAAAGxvZ3MvUEsB\
        AhQDFAAAAAgAAAAhAGki3jYEAAAAAgAAAA4AAAAAAAAAAAAAAIABJQAAAGxvZ3MvLkRTX1N0b3JlUEsBAhQDFAAAAAgAAAAhAAAAAAACAAAAAA\
        AAAAkAAAAAAAAAAAAAAIABVQAAAF9fTUFDT1NYL1BLAQIUAxQAAAAIAAAAIQCDFtyMAwAAAAEAAAAWAAAAAAAAAAAAAACAAX4AAABfX01BQ09T\
        WC9sb2dzLy5fYS5qc29uUEsBAhQDFAAAAAgAAAAhAAgGcfcNAAAASAAAAAsAAAAAAAAAAAAAAIABtQAAAGxvZ3MvYS5qc29uUEsBAhQDFAAAAA\
        gAAAAhABUm2/sDAAAAAQAAAAgAAAAAAAAAAAAAAIAB6wAAAC5fYS5qc29uUEsFBgAAAAAGAAYAWQEAABQBAAAAAA==
        """
    private static let gnuTar = """
        H4sIAAAAAAACA+3WMQrCMBiG4cyeIvQANbFpCs7eoAcoGUSQYqCpIBbvbtXJIjhIUqHvs/zdP17S1h/CWsSlRtaY5x1N74dva40VshQJnEPvOi\
        nFQrWP/fPG5cfgT7Ptr9/310pXSkjF/tFdBJbs1f+ubured/u/6b/YFPSfwpUE6D/q6/+9f62n/39VVRr6T2HIXLbVt9Wvl5IAAAAAAAAAAACA\
        +d0BvPnBQwAoAAA=
        """
    private static let paxTar = """
        H4sIAAAAAAACA+3TPwrCMBSA8cw9RekB0rxYWhBER0evELAoIq30DxTE23gTL6ZWUFA6Sezg98vwQpYMj0/HOl6sXLfM3TqvlBfmYWgam7zu/b\
        sYK6LCTv1AWzeuun2v/pOkJjy4Zjvbl5s6vpw/TzESvavLIlDwql/7/MnLJu9Rp0ky2L/IW/8Ta7NMhYb+vTtGLprKKfh2UhIAAAAAAAAAAAAA\
        AMA4rjdU6SYAKAAA
        """
    private static let twoInTar = """
        H4sIAAAAAAACA+3TMQrCQAAEwKt9xZEHyB0EBX9zKS0iGK3Ev3toIaRJIQkJzjS7bL9lfx4ufZhVqg5t+85qnCnnb//sx1SnmMIC7sOtXGMMf+\
        rRlOaUn7tfM7BJ3Vr/n/3f/wEAAAAAAAAAmPICLFIn9wAoAAA=
        """

    private static func bytes(_ base64: String) throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: base64))) }

    @Test(arguments: [deflated, stored, streamed, gzip, macOS])
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

    @Test(arguments: [gnuTar, paxTar])
    func `unpacks the only file of a tar archive, compressed or not`(_ base64: String) throws {
        let packed = try Self.bytes(base64)
        #expect(try PackedFile.unpacked(packed, limit: 1 << 20) == Self.text)
        var archive = TarArchive(time: Date(timeIntervalSince1970: 0))
        archive.add("a.json", Self.text)
        #expect(PackedFile.isOne(archive.finished))
        #expect(try PackedFile.unpacked(archive.finished, limit: 1 << 20) == Self.text)
        for index in 0..<512 {
            var damaged = archive.finished
            damaged[index] ^= 0x10
            let content = try? PackedFile.unpacked(damaged, limit: 1 << 20)
            #expect(content == nil || content == damaged || content == Self.text, "byte \(index)")
        }
    }

    @Test func `refuses a tar archive that has not one file`() throws {
        let packed = try Self.bytes(Self.twoInTar)
        #expect(throws: RecordingError.otherKind(.tar)) { try PackedFile.unpacked(packed, limit: 1 << 20) }
    }

    @Test func `a packed log is read like the log`() throws {
        let log = [UInt8](try Data(contentsOf: SampleRide.file))
        let packed = GzipFile.compressed(log)
        #expect(try RecordedSession(bytes: packed).provider == RecordedSession(bytes: log).provider)
    }
}
