import Foundation
import Testing
import TripTestSupport

/// Each frame reaches the terminal in one write, so that no terminal shows half of a frame.
@Suite(
    "Frames",
    .enabled(if: WriteLog.isThere, "needs a C compiler"),
    .serialized,
    .terminalTurn,
    .ends(within: .longTest)
)
struct FrameTests {
    @Test(arguments: [("xterm-256color", true), ("linux", false)])
    func `each frame is one write, in a synchronized update if the terminal supports it`(
        _ name: String,
        _ isWrapped: Bool
    ) async throws {
        try await Program.withFolder { folder in
            let script = folder.appendingPathComponent("script")
            try Data("wait live\npause 2\nkey Space\nwait paused\nkey 2 3 4 5 6 7 1 ? Esc b P q".utf8).write(to: script)
            let log = try await WriteLog(in: folder)
            let demo = [Program.path, "demo", "--script", script.path]
            let environment = log.environment.merging(["TERM": name, "HOME": folder.path]) { $1 }
            try await PseudoTerminal.run(demo, width: 100, height: 30, environment: environment) { terminal in
                let ending = try await terminal.end()
                #expect(ending == .exited(0))
            }
            let writes = try log.writes()
            let frames = writes.filter(\.isWrapped)
            if isWrapped {
                #expect(frames.count >= 3)
                // The writes that open the screen, switch the mouse off, and close the screen.
                #expect(writes.count - frames.count <= 3)
            } else {
                #expect(frames.isEmpty)
            }
            // ncurses itself writes parts of about 600 bytes.
            #expect(writes.map(\.bytes).max() ?? 0 > 2000)
        }
    }
}

/// Records each write of a program to a terminal.
private struct WriteLog {
    struct Write {
        var bytes: Int
        var isWrapped: Bool
    }

    private static let compiler = "/usr/bin/cc"
    private static let source = #"""
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        // A busy terminal takes only a part of a large frame; the rest belongs to the same write.
        static int continues, begins;
        static ssize_t total;

        ssize_t write(int file, const void *bytes, size_t size) {
            ssize_t written = syscall(SYS_write, file, bytes, size);
            if (isatty(file) && written > 0) {
                char line[64];
                if (!continues) {
                    total = 0;
                    begins = size > 16 && !memcmp(bytes, "\033[?2026h", 8);
                }
                total += written;
                continues = written < (ssize_t)size;
                if (continues) return written;
                int wrapped = begins && size >= 8 && !memcmp((const char *)bytes + size - 8, "\033[?2026l", 8);
                int length = snprintf(line, sizeof line, "%zd %d\n", total, wrapped);
                int log = open(getenv("WRITE_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
                syscall(SYS_write, log, line, length);
                close(log);
            }
            return written;
        }
        """#

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: compiler) }

    private let library: URL
    private let log: URL

    init(in folder: URL) async throws {
        library = folder.appendingPathComponent("writes.so")
        log = folder.appendingPathComponent("writes.log")
        let source = folder.appendingPathComponent("writes.c")
        try Data(Self.source.utf8).write(to: source)
        let arguments = ["-shared", "-fPIC", "-w", "-o", library.path, source.path]
        let run = try await RunningProgram(path: Self.compiler, arguments, in: folder).result()
        try #require(run.status == 0, "\(run.errors)")
    }

    var environment: [String: String] { ["LD_PRELOAD": library.path, "WRITE_LOG": log.path] }

    func writes() throws -> [Write] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return Write(bytes: numbers[0], isWrapped: numbers[1] == 1)
        }
    }
}
