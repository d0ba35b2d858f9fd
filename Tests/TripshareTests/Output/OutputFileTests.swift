import Foundation
import Testing
import TripTestSupport
import TripText

@testable import tripshare

@Suite("Output files", .ends(within: .longTest))
struct OutputFileTests {
    /// The kind of a file, also of a link itself; a pipe is of an unknown one.
    private static func kind(_ path: String) -> FileAttributeType? { attributes(path)?[.type] as? FileAttributeType }

    private static func mode(_ path: String) -> Int? { attributes(path)?[.posixPermissions] as? Int }

    private static func attributes(_ path: String) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: path)
    }

    /// Creates a character device with the numbers of a known one; `false` if the user lacks the permission.
    private static func makeDevice(_ path: String, minor: UInt32) -> Bool {
        unsafe mknod(path, S_IFCHR | 0o666, dev_t(1 << 8 | minor)) == 0
    }

    private static func opens(_ path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY)
        defer { close(file) }
        return file >= 0
    }

    private static func names(_ folder: URL) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test func `only the owner can read a new file, and an existing one retains its mode`() async throws {
        try await Program.withFolder { folder in
            let path = folder.appendingPathComponent("a").path
            try OutputFile.write("one".utf8, to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
            #expect(Self.mode(path) == 0o600)
            #expect(unsafe chmod(path, 0o640) == 0)
            try OutputFile.write("two".utf8, to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
            #expect(Self.mode(path) == 0o640)
            #expect(try Self.names(folder) == ["a"])
        }
    }

    @Test func `a file is created whole or not at all, and never over another one`() async throws {
        try await Program.withFolder { folder in
            let path = folder.appendingPathComponent("a").path
            try OutputFile.create(path, Array("one".utf8))
            #expect(Self.mode(path) == 0o600)
            #expect(throws: OutputFile.Failure.system(EEXIST)) { try OutputFile.create(path, Array("two".utf8)) }
            // As if the file had appeared after the check.
            #expect(throws: OutputFile.Failure.system(EEXIST)) { try OutputFile.createNew(path, Array("two".utf8)) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
            #expect(try Self.names(folder) == ["a"])
            let missing = folder.appendingPathComponent("no/such").path
            #expect(throws: OutputFile.Failure.system(ENOENT)) { try OutputFile.create(missing, []) }
        }
    }

    @Test func `a link is replaced, and its target is not changed`() async throws {
        try await Program.withFolder { folder in
            let old = folder.appendingPathComponent("old").path
            try OutputFile.write("old".utf8, to: old)
            for target in ["old", "missing"] {
                let link = folder.appendingPathComponent("link").path
                try? FileManager.default.removeItem(atPath: link)
                #expect(unsafe symlink(target, link) == 0)
                try OutputFile.write("new".utf8, to: link)
                #expect(Self.kind(link) == .typeRegular)
                #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
            }
        }
    }

    @Test func `writes to a device, also through a link, and does not replace it`() async throws {
        try await Program.withFolder { folder in
            let (null, full, link) = ("null", "full", "link")
            let paths = [null, full, link].map { folder.appendingPathComponent($0).path }
            guard Self.makeDevice(paths[0], minor: 3), Self.makeDevice(paths[1], minor: 7) else { return }
            #expect(unsafe symlink(null, paths[2]) == 0)
            // The file system may be mounted without devices.
            guard Self.opens(paths[0]) else { return }
            try OutputFile.write("text".utf8, to: paths[0])
            try OutputFile.write("text".utf8, to: paths[2])
            #expect(throws: OutputFile.Failure.system(ENOSPC)) { try OutputFile.write("text".utf8, to: paths[1]) }
            #expect(Self.kind(paths[0]) == .typeCharacterSpecial && Self.kind(paths[1]) == .typeCharacterSpecial)
            #expect(Self.kind(paths[2]) == .typeSymbolicLink)
            #expect(try Self.names(folder) == [null, full, link])
        }
    }

    @Test func `refuses a pipe without a reader at once, and writes to one with a reader`() async throws {
        try await Program.withFolder { folder in
            let path = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(throws: OutputFile.Failure.pipeWithoutReader) { try OutputFile.write("text".utf8, to: path) }
            let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            try OutputFile.write("text".utf8, to: path)
            var bytes = [UInt8](repeating: 0, count: 9)
            let count = unsafe read(reader, &bytes, bytes.count)
            #expect(count == 4 && Array(bytes.prefix(4)) == Array("text".utf8))
            // More than fits into the pipe, and the reader does not read.
            let long = [UInt8](repeating: 65, count: 1 << 20)
            #expect(throws: OutputFile.Failure.pipeFull) { try OutputFile.write(long, to: path) }
            #expect(Self.kind(path) == .typeUnknown)
        }
    }

    @Test func `refuses a folder, a missing folder and a socket with the reason`() async throws {
        try await Program.withFolder { folder in
            #expect(throws: OutputFile.Failure.folder) { try OutputFile.write("text".utf8, to: folder.path) }
            let missing = folder.appendingPathComponent("no/such").path
            #expect(throws: OutputFile.Failure.system(ENOENT)) { try OutputFile.write("text".utf8, to: missing) }
            let socket = folder.appendingPathComponent("socket").path
            #expect(unsafe mknod(socket, S_IFSOCK | 0o600, 0) == 0)
            #expect(throws: OutputFile.Failure.unsupportedKind) { try OutputFile.write("text".utf8, to: socket) }
            #expect(OutputFile.Failure.system(ENOENT).reason(.english) == "No such file or directory")
        }
    }

    @Test func `a script step that saves the screen to a pipe without a reader fails with the reason`() async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            for step in ["dump", "svg"] {
                let script = folder.appendingPathComponent("script")
                try Data("\(step) \(pipe)\nkey q".utf8).write(to: script)
                let run = try await Program.run(["demo", "--script", script.path])
                #expect(run.status == 74)
                #expect(run.errors.contains("it is a pipe that no program reads"), "\(run.errors)")
            }
            #expect(Self.kind(pipe) == .typeUnknown)
        }
    }
}
