import Foundation
import Testing
import TripTestSupport

@Suite("Signals without a screen", .serialized, .terminalTurn, .ends(within: .longTest))
struct SignalTests {
    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131)] as [(Int32, Int32)])
    func `a signal ends the program with 128 plus its number`(_ signal: Int32, _ status: Int32) async throws {
        try await Program.withFolder { folder in
            // So slow that the ride never ends before the signal.
            let demo = try Program.start(["demo", "--output", "plain", "--speed", "0.1"], in: folder)
            try await demo.outputs("Token received")
            demo.send(signal)
            let run = try await demo.result()
            #expect(run.status == status)
            #expect(run.errors.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("token inspect < pipe", SIGQUIT), ("export --format gpx pipe", SIGTERM),
            ("export --format gpx pipe", SIGINT),
            ("compare pipe pipe", SIGTERM), ("verify pipe", SIGTERM), ("replay pipe", SIGHUP),
        ] as [(String, Int32)]
    )
    func `a signal ends a command that reads by its default action`(_ command: String, _ signal: Int32) async throws {
        try await Program.withFolder { folder in
            // The program waits for the writer of a pipe.
            let pipe = folder.appendingPathComponent("pipe").path
            try #require(unsafe mkfifo(pipe, 0o600) == 0)
            let script = "exec \"$0\" \(command.replacing("pipe", with: "'\(pipe)'"))"
            let reader = try RunningProgram(path: "/bin/sh", ["-c", script, Program.path], in: folder)
            // Opening succeeds once the program reads, and nothing is written.
            let writing = try #require(FileHandle(forWritingAtPath: pipe))
            try writing.write(contentsOf: Data([UInt8(ascii: "\n")]))
            // The shell never reads: when the byte is gone, the program does.
            var waiting: Int32 = 1
            while waiting > 0, !reader.isOver {
                try #require(unsafe ioctl(writing.fileDescriptor, UInt(FIONREAD), &waiting) == 0)
                await Task.yield()
                try Task.checkCancellation()
            }
            reader.send(signal)
            let run = try await reader.result()
            #expect(run.status == signal)
            #expect(!run.errors.lowercased().contains("backtrace"), "\(run.errors)")
            try writing.close()
        }
    }
}
