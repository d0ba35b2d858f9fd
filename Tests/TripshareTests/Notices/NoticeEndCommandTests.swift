import Foundation
import Synchronization
import Testing
import TripTestSupport

/// What becomes of notices at the end of a session and after it, with the built program.
@Suite("Notices at the end, with the built program", .serialized, .terminalTurn, .ends(within: .longTest))
struct NoticeEndCommandTests {
    private struct Summary: Decodable {
        var delivered: Int
        var waiting: Int
        var refused: Int
        var file: String?
    }

    /// A receiver whose status a test changes.
    private final class Receiver: Sendable {
        let status = Mutex("204 No Content")
        let bodies = Mutex<[String]>([])

        init(_ status: String) { self.status.withLock { $0 = status } }

        func answer(_ request: String) -> String {
            bodies.withLock { $0.append(request) }
            let status = status.withLock(\.self)
            return "HTTP/1.1 \(status)\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        }

        /// Listens while the body runs.
        func serve<Result: Sendable>(_ body: (_ url: String) async throws -> Result) async throws -> Result {
            try await CannedServer.run(.answer { self.answer($0) }) { server in
                try await body("http://127.0.0.1:\(server.port)/hook")
            }
        }
    }

    private static func ride(_ url: String, wait: String = "1", output: String = "plain") -> [String] {
        [
            "demo", "--seed", "1", "--speed", "120", "--output", output, "--lang", "en", "--webhook", url,
            "--webhook-events", "status,end", "--notice-wait", wait,
        ]
    }

    /// Runs the program with a folder as its home.
    private static func run(in folder: URL, _ arguments: [String]) async throws -> Program.Run {
        try await Program.run(in: folder, arguments, environment: ["HOME": folder.path])
    }

    private static func summary(_ run: Program.Run) throws -> Summary {
        let line = try #require(run.lines.last { $0.contains(#""type":"notices""#) }, "\(run.output)")
        return try JSONDecoder().decode(Summary.self, from: Data(line.utf8))
    }

    @Test func `says how many notices were delivered, and nothing without a receiver`() async throws {
        let receiver = Receiver("204 No Content")
        try await receiver.serve { url in
            try await Program.withFolder { folder in
                let run = try await Self.run(in: folder, Self.ride(url, wait: "60"))
                let count = receiver.bodies.withLock(\.count)
                #expect(run.status == 0 && run.errors == "\(count) of \(count) notices delivered.\n", "\(run.errors)")
                let json = try await Self.run(in: folder, Self.ride(url, wait: "60", output: "json"))
                let summary = try Self.summary(json)
                // A fast ride on a busy machine may skip a status.
                let second = receiver.bodies.withLock(\.count) - count
                #expect(summary.delivered == second && second > 0, "\(summary)")
                #expect(summary.waiting == 0 && summary.file != nil, "\(summary)")
            }
        }
        let alone = try await Program.run(["demo", "--speed", "120", "--output", "json"])
        #expect(!alone.output.contains(#""type":"notices""#) && alone.errors.isEmpty, "\(alone.errors)")
    }

    @Test func `what a session could not deliver waits for the next one, which says so and sends it first`()
        async throws
    {
        let receiver = Receiver("503 Service Unavailable")
        try await receiver.serve { url in
            try await Program.withFolder { folder in
                let first = try await Self.run(in: folder, Self.ride(url, output: "json"))
                #expect(first.status == 0, "notices do not change the exit code: \(first.errors)")
                let left = try Self.summary(first)
                #expect(left.delivered == 0 && left.waiting > 0)
                let file = try #require(left.file)
                #expect(file.hasPrefix(folder.path))
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600)

                receiver.status.withLock { $0 = "204 No Content" }
                receiver.bodies.withLock { $0 = [] }
                let next = try await Self.run(in: folder, Self.ride(url, wait: "60"))
                #expect(next.status == 0, "\(next.errors)")
                #expect(
                    next.errors.contains("notices of an earlier session wait; they are sent first"),
                    "\(next.errors)"
                )
                #expect(!next.errors.contains("wait in"), "\(next.errors)")
                #expect(receiver.bodies.withLock(\.count) > left.waiting)
            }
        }
    }

    @Test func `a timeout has its exit code and its page while a receiver does not answer`() async throws {
        try await CannedServer.run(.silence) { server in
            try await Program.withFolder { folder in
                let (page, record) = (folder.appending(path: "page.html"), folder.appending(path: "ride.ndjson"))
                let run = try await Self.run(
                    in: folder,
                    [
                        "demo", "--speed", "10", "--output", "plain", "--lang", "en", "--until", "COMPLETE",
                        "--timeout", "8", "--share", page.path, "--record", record.path, "--webhook",
                        "http://127.0.0.1:\(server.port)/",
                        "--webhook-events", "status", "--notice-wait", "2",
                    ]
                )
                #expect(run.status == 69, "\(run.status): \(run.errors)")
                #expect(run.errors.contains("--timeout expired") && run.errors.contains("0 of "), "\(run.errors)")
                for file in [page, record] { #expect(FileManager.default.fileExists(atPath: file.path), "\(file)") }
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal leaves what waits at once, and says so`(signal: Int32) async throws {
        try await CannedServer.run(.silence) { server in
            try await Program.withFolder { folder in
                let program = try Program.start(
                    Self.ride("http://127.0.0.1:\(server.port)/", wait: "600"),
                    in: folder
                )
                try await program.outputs("dropped off")
                program.send(signal)
                let run = try await program.result()
                // The ride may have ended before the signal.
                #expect([0, 128 + signal].contains(run.status), "\(run.status): \(run.errors)")
                #expect(run.errors.contains("wait in \(folder.path)"), "\(run.errors)")
            }
        }
    }

    @Test(.enabled(if: Tmux.isThere, Tmux.why))
    func `the key q shows what is under way, and a second one leaves it for later`() async throws {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let silence = CannedServer.Behaviour.answer { _ in
            request.yield()
            return ""
        }
        try await CannedServer.run(silence) { server in
            try await Program.withFolder { folder in
                let command =
                    "HOME=\(folder.path) '\(Program.path)' demo --seed 1 --speed 60 --lang en --webhook "
                    + "http://127.0.0.1:\(server.port)/ --webhook-events status --notice-wait 600"
                try await Tmux.run(command, width: 200, height: 50, in: folder) { terminal in
                    // A ride without a change has nothing to deliver: `q` would end it at once.
                    for await _ in requests { break }
                    try await terminal.type("q")
                    _ = try await terminal.wait { $0.contains("being delivered") && $0.contains("q again leaves") }
                    try await terminal.type("q")
                    let screen = try await terminal.wait { $0.contains("gone=0") }
                    #expect(screen.contains("delivered;") && screen.contains("notices.sqlite"), "\(screen)")
                }
            }
        }
    }

    @Test func `a script ends when its notices are delivered`() async throws {
        let receiver = Receiver("204 No Content")
        try await receiver.serve { url in
            try await Program.withFolder { folder in
                let script = folder.appending(path: "script")
                try Data("wait dropped off\nkey q\n".utf8).write(to: script)
                let run = try await Self.run(
                    in: folder,
                    [
                        "demo", "--seed", "1", "--speed", "120", "--script", script.path, "--webhook", url, "--lang",
                        "en",
                        "--webhook-events", "status", "--notice-wait", "60",
                    ]
                )
                let count = receiver.bodies.withLock(\.count)
                #expect(
                    run.status == 0 && run.errors.contains("\(count) of \(count) notices delivered."),
                    "\(run.errors)"
                )
            }
        }
    }
}
