import Dispatch
import Foundation
import Testing
import TripTestSupport

/// A real terminal of a given size: a separate tmux server with one program.
final class Tmux: Sendable {
    private let socket: String
    private let folder: URL
    /// The raw output of the window.
    ///
    /// Every change is notified.
    private let changes = Changes()
    private let watch: PipeWatch

    static let isThere = ["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static let why: Comment = "needs tmux"

    /// Starts a command in a window.
    ///
    /// When it has ended, the window shows its exit code.
    static func run(
        _ command: String,
        width: Int,
        height: Int,
        in folder: URL,
        body: (Tmux) async throws -> Void
    ) async throws {
        let terminal = try Tmux(in: folder)
        try await terminal.call(
            "-f",
            "/dev/null",
            "-u",
            "new-session",
            "-d",
            "-x",
            "\(width)",
            "-y",
            "\(height)",
            "-e",
            "LC_ALL=C.UTF-8",
            "-e",
            "TERM=screen-256color",
            "-e",
            "PS1=$ ",
            "sh"
        )
        do {
            // When the tests are killed, nothing else would end the server, because it is not their child process.
            let end =
                "tail --pid=\(ProcessInfo.processInfo.processIdentifier) -f /dev/null; tmux -L \(terminal.socket) kill-server"
            try await terminal.call("run-shell", "-b", end)
            try await terminal.call("pipe-pane", "cat > '\(terminal.fifo.path)'")
            try await terminal.call("send-keys", command + "; echo go''ne=$?", "Enter")
            try await body(terminal)
        } catch {
            await terminal.close()
            throw error
        }
        await terminal.close()
    }

    /// Ends the server and everything in it.
    private func close() async {
        // A task of its own, because the server of a cancelled test has to end, too.
        await Task { [self] in
            do {
                try await call("kill-server")
            } catch {
                Issue.record("the tmux server is left: \(error)")
            }
        }.value
        watch.stop()
    }

    private init(in folder: URL) throws {
        self.folder = folder
        socket = "tripshare-\(UUID().uuidString)"
        let fifo = folder.appendingPathComponent("changes")
        guard unsafe mkfifo(fifo.path, 0o600) == 0 else { throw POSIXError(.EIO) }
        watch = try PipeWatch(fifo.path, changes)
    }

    private var fifo: URL { folder.appendingPathComponent("changes") }

    /// Types keys by tmux's names.
    func type(_ keys: String...) async throws {
        for key in keys { try await call("send-keys", key) }
    }

    /// Types keys by tmux's names in quick succession.
    func typeAtOnce(_ keys: [String]) async throws { try await call(["send-keys"] + keys) }

    /// Types text and Enter.
    func enter(_ text: String) async throws {
        try await call("send-keys", "-l", text)
        try await call("send-keys", "Enter")
    }

    /// Sends bytes as a terminal would, such as those of the mouse.
    func send(_ bytes: String) async throws {
        try await call("send-keys", "-l", bytes)
    }

    /// The current content of the screen.
    func screen() async throws -> String { try await call("capture-pane", "-p") }

    /// Changes the size of the window.
    func resize(width: Int, height: Int) async throws {
        try await call("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// Changes the size of the window many times in quick succession.
    func resize(through sizes: [(width: Int, height: Int)]) async throws {
        let commands = sizes.map { ["resize-window", "-x", "\($0.width)", "-y", "\($0.height)"] }
        try await call(Array(commands.joined(separator: [";"])))
    }

    /// Waits, change by change, until the screen fulfils a condition.
    ///
    /// Returns the screen.
    func wait(for isThere: (String) -> Bool) async throws -> String {
        let end = ContinuousClock.now + .testTimeout
        while true {
            let seen = changes.count
            let screen = try await call("capture-pane", "-p")
            if isThere(screen) { return screen }
            do {
                let left = ContinuousClock.now.duration(to: end)
                try await changes.wait(for: "another picture", within: left) { changes.count != seen }
            } catch {
                throw WaitFailure("\(error); the screen shows\n\(screen)")
            }
        }
    }

    @discardableResult
    private func call(_ arguments: String...) async throws -> String { try await call(arguments) }

    @discardableResult
    private func call(_ arguments: [String]) async throws -> String {
        let tool = try RunningProgram(
            path: "/usr/bin/env",
            ["-u", "TMUX", "-u", "NO_COLOR", "tmux", "-L", socket] + arguments,
            in: folder
        )
        let run = try await tool.result()
        guard run.status == 0 else { throw TmuxError(call: arguments, message: run.errors) }
        return run.output
    }
}

/// An error message of tmux.
struct TmuxError: Error {
    var call: [String]
    var message: String
}

/// Notifies of the data in a named pipe.
private final class PipeWatch: @unchecked Sendable {
    // Dispatch sources are thread-safe, although they are not declared `Sendable`.
    private let source: any DispatchSourceRead

    init(_ path: String, _ changes: Changes) throws {
        // Opened for reading and writing, so that opening does not block and reading never ends.
        let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while unsafe buffer.withUnsafeMutableBytes({ unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
            changes.notify()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    func stop() { source.cancel() }
}
