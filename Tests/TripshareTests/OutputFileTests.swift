// The system's record of a file is a part of it on Linux.
import CoreFoundation
import Foundation
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Files that are written", .ends(within: .minutes(2)))
struct OutputFileTests {
    private static func kind(_ path: String) -> mode_t? {
        var info = stat()
        return unsafe lstat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }

    private static func mode(_ path: String) -> mode_t? {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? info.st_mode & 0o777 : nil
    }

    /// Makes a character device with the numbers of a known one; `false` where this user must not.
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

    @Test func `a new file has the mode that was asked for, an existing one keeps its own`() async throws {
        try await Program.withFolder { folder in
            let path = folder.appendingPathComponent("a").path
            try OutputFile.write("one".utf8, to: path, mode: 0o600)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
            #expect(Self.mode(path) == 0o600)
            #expect(unsafe chmod(path, 0o640) == 0)
            try OutputFile.write("two".utf8, to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
            #expect(Self.mode(path) == 0o640)
            #expect(try Self.names(folder) == ["a"])
        }
    }

    @Test func `a link to a file or to nothing is replaced, and what it led to stays`() async throws {
        try await Program.withFolder { folder in
            let old = folder.appendingPathComponent("old").path
            try OutputFile.write("old".utf8, to: old)
            for target in ["old", "missing"] {
                let link = folder.appendingPathComponent("link").path
                try? FileManager.default.removeItem(atPath: link)
                #expect(unsafe symlink(target, link) == 0)
                try OutputFile.write("new".utf8, to: link)
                #expect(Self.kind(link) == S_IFREG)
                #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
            }
        }
    }

    @Test func `a device is written and stays a device, also behind a link`() async throws {
        try await Program.withFolder { folder in
            let (null, full, link) = ("null", "full", "link")
            let paths = [null, full, link].map { folder.appendingPathComponent($0).path }
            guard Self.makeDevice(paths[0], minor: 3), Self.makeDevice(paths[1], minor: 7) else { return }
            #expect(unsafe symlink(null, paths[2]) == 0)
            // A file system may be mounted without devices.
            guard Self.opens(paths[0]) else { return }
            try OutputFile.write("text".utf8, to: paths[0])
            try OutputFile.write("text".utf8, to: paths[2])
            #expect(throws: OutputFile.Failure.system(ENOSPC)) { try OutputFile.write("text".utf8, to: paths[1]) }
            #expect(Self.kind(paths[0]) == S_IFCHR && Self.kind(paths[1]) == S_IFCHR)
            #expect(Self.kind(paths[2]) == S_IFLNK)
            #expect(try Self.names(folder) == [null, full, link])
        }
    }

    @Test func `a pipe without a reader is refused at once, one with a reader gets the text`() async throws {
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
            // More than a pipe holds, and no reader that takes it.
            let long = [UInt8](repeating: 65, count: 1 << 20)
            #expect(throws: OutputFile.Failure.pipeFull) { try OutputFile.write(long, to: path) }
            #expect(Self.kind(path) == S_IFIFO)
        }
    }

    @Test func `a folder, a missing folder and a socket are refused with the reason`() async throws {
        try await Program.withFolder { folder in
            #expect(throws: OutputFile.Failure.folder) { try OutputFile.write("text".utf8, to: folder.path) }
            let missing = folder.appendingPathComponent("no/such").path
            #expect(throws: OutputFile.Failure.system(ENOENT)) { try OutputFile.write("text".utf8, to: missing) }
            let socket = folder.appendingPathComponent("socket").path
            #expect(unsafe mknod(socket, S_IFSOCK | 0o600, 0) == 0)
            #expect(throws: OutputFile.Failure.unsupportedKind) { try OutputFile.write("text".utf8, to: socket) }
            #expect(OutputFile.Failure.system(ENOENT).reason == "No such file or directory")
        }
    }

    @Test func `a step that saves the screen in a pipe without a reader ends with the reason`() async throws {
        try await Program.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            for step in ["dump", "svg"] {
                let script = folder.appendingPathComponent("script")
                try Data("\(step) \(pipe)\nkey q".utf8).write(to: script)
                let run = try await Program.run(["demo", "--script", script.path])
                #expect(run.status == 1)
                #expect(run.errors.contains("it is a pipe that no program reads"), "\(run.errors)")
            }
            #expect(Self.kind(pipe) == S_IFIFO)
        }
    }
}
