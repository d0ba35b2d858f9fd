import Foundation
import Testing

/// A real terminal of a given size: a tmux server of its own, with one program in it.
final class Tmux: Sendable {
    private let socket: String
    private let folder: URL
    /// What the window shows, as it comes: a reader wakes with every change, and with none at all.
    private let changes: FileHandle

    static let isThere = ["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static let why: Comment = "needs tmux"

    /// Starts a command in a window; afterwards the window shows how it ended.
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
            try await terminal.call("pipe-pane", "cat > '\(terminal.fifo.path)'")
            try await terminal.call("send-keys", command + "; echo go''ne=$?", "Enter")
            try await body(terminal)
        } catch {
            try await terminal.call("kill-server")
            throw error
        }
        try await terminal.call("kill-server")
    }

    private init(in folder: URL) throws {
        self.folder = folder
        socket = "tripshare-\(UUID().uuidString)"
        let fifo = folder.appendingPathComponent("changes")
        guard unsafe mkfifo(fifo.path, 0o600) == 0 else { throw POSIXError(.EIO) }
        // Open for both, so that opening waits for nobody and reading never comes to an end.
        changes = try FileHandle(forUpdating: fifo)
    }

    private var fifo: URL { folder.appendingPathComponent("changes") }

    /// Types keys by tmux's names.
    func type(_ keys: String...) async throws {
        for key in keys { try await call("send-keys", key) }
    }

    /// Types text as it is, and Enter.
    func enter(_ text: String) async throws {
        try await call("send-keys", "-l", text)
        try await call("send-keys", "Enter")
    }

    /// Sends bytes as a terminal would, such as those of the mouse.
    func send(_ bytes: String) async throws {
        try await call("send-keys", "-l", bytes)
    }

    /// What the screen shows just now.
    func screen() async throws -> String { try await call("capture-pane", "-p") }

    /// Gives the window another size.
    func resize(width: Int, height: Int) async throws {
        try await call("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// Gives the window many sizes, one right after the other.
    func resize(through sizes: [(width: Int, height: Int)]) async throws {
        let commands = sizes.map { ["resize-window", "-x", "\($0.width)", "-y", "\($0.height)"] }
        try await call(Array(commands.joined(separator: [";"])))
    }

    /// Waits, change by change, until the screen shows something; the screen then.
    func wait(for isThere: (String) -> Bool) async throws -> String {
        while true {
            let screen = try await call("capture-pane", "-p")
            if isThere(screen) { return screen }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [changes] in
                    _ = changes.availableData
                    continuation.resume()
                }
            }
        }
    }

    /// Runs tmux with no more than the three standard descriptors.
    ///
    /// The server that it leaves behind would keep the one open by which Foundation's `Process` notices the end of a child.
    private static let withoutExtraFiles = """
        for path in /proc/$$/fd/*; do n=${path##*/}; if [ "$n" -gt 2 ]; then eval "exec $n>&-"; fi; done; exec tmux "$@"
        """

    @discardableResult
    private func call(_ arguments: String...) async throws -> String { try await call(arguments) }

    @discardableResult
    private func call(_ arguments: [String]) async throws -> String {
        let tool = try RunningProgram(
            path: "/usr/bin/env",
            ["-u", "TMUX", "-u", "NO_COLOR", "bash", "-c", Self.withoutExtraFiles, "bash", "-L", socket] + arguments,
            in: folder
        )
        let run = await tool.result()
        guard run.status == 0 else { throw TmuxError(call: arguments, message: run.errors) }
        return run.output
    }
}

/// What tmux did not like.
struct TmuxError: Error {
    var call: [String]
    var message: String
}
