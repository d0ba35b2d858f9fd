import Foundation
import Testing

/// The built program, run as a person runs it.
struct Program {
    /// What a run left behind.
    struct Run: Sendable {
        var status: Int32
        var output: String
        var errors: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The binary beside the test bundle.
    static var path: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("tripshare").path
    }

    /// Runs the program, or one that starts it, to its end and without a terminal.
    static func run(
        executable: String = path,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> Run {
        try await withFolder { folder in
            let running = try RunningProgram(
                path: executable,
                arguments,
                in: folder,
                environment: environment,
                input: input
            )
            return await running.result()
        }
    }

    /// Starts the program; its output goes to files in a folder.
    static func start(
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:],
        input: String? = nil
    ) throws -> RunningProgram {
        try RunningProgram(path: path, arguments, in: folder, environment: environment, input: input)
    }

    /// A folder of one's own as long as a body runs.
    static func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripshare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

/// A program that runs.
final class RunningProgram: Sendable {
    private let process: Process
    private let exits: AsyncStream<Int32>
    private let folder: URL
    private let name = UUID().uuidString

    init(
        path: String,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:],
        input: String? = nil
    ) throws {
        self.folder = folder
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        var all = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRIPSHARE_") }
        // Nothing of whoever runs the tests is read or written.
        all["HOME"] = folder.path
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] { all[name] = nil }
        all["LC_ALL"] = "C.UTF-8"
        process.environment = all.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        var handles: [FileHandle] = []
        if let input {
            let file = folder.appendingPathComponent("\(name).in")
            try Data(input.utf8).write(to: file)
            let handle = try FileHandle(forReadingFrom: file)
            process.standardInput = handle
            handles.append(handle)
        }
        for (suffix, set) in [
            ("out", { process.standardOutput = $0 }), ("err", { process.standardError = $0 }),
        ] as [(String, (FileHandle) -> Void)] {
            let file = folder.appendingPathComponent("\(name).\(suffix)")
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            set(handle)
            handles.append(handle)
        }
        let (exits, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            continuation.yield($0.terminationStatus)
            continuation.finish()
        }
        self.process = process
        self.exits = exits
        try process.run()
        // `Process` keeps them open, and where there are a thousand its next run reads over the end of their list.
        for handle in handles { try handle.close() }
    }

    /// Sends SIGTERM.
    func terminate() {
        process.terminate()
    }

    /// Sends SIGINT, as Ctrl-C does.
    func interrupt() {
        process.interrupt()
    }

    /// Sends a signal.
    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits until it has printed some words.
    func outputs(_ words: String) async throws {
        try await FileArrival.wait(for: words, in: folder.appendingPathComponent("\(name).out"))
    }

    /// Waits for the end.
    func result() async -> Program.Run {
        var status: Int32 = -1
        for await exit in exits { status = exit }
        return Program.Run(status: status, output: read("out"), errors: read("err"))
    }

    private func read(_ suffix: String) -> String {
        (try? String(contentsOf: folder.appendingPathComponent("\(name).\(suffix)"), encoding: .utf8)) ?? ""
    }
}

/// The folder of shared material beside the checkout, where it is.
enum Shared {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")

    /// Whether a test that needs it can run; on CI it has to.
    static var isThere: Bool {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        if !isThere, ProcessInfo.processInfo.environment["CI"] != nil {
            Issue.record("the folder ../shared is missing, and CI has to have it")
        }
        return isThere
    }

    static let why: Comment = "needs the folder ../shared beside the checkout"
    static var recording: String { folder.appendingPathComponent("recordings/two-trips-bay-area.json").path }
}
