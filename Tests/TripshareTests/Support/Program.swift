import Foundation
import Synchronization
import Testing
import TripTestSupport
import TripText

@testable import tripshare

/// The built program, run as a person runs it.
struct Program {
    /// The result of a run.
    struct Run: Sendable {
        var status: Int32
        var output: String
        var errors: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The program next to the test bundle.
    static var path: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("tripshare").path
    }

    /// Runs the program, or another one that starts it, to its end and without a terminal.
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
            return try await running.result()
        }
    }

    /// Runs a command in the process of the tests, which takes a third of the time of a start.
    ///
    /// For commands that end by themselves and need no terminal, if many arguments or set-ups are tested. Another test has to
    /// run the command by ``run(executable:_:environment:input:)``.
    static func runInProcess(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Run {
        try await withFolder { folder in
            let environment = Self.environment(home: folder).merging(environment) { $1 }
            let texts = Mutex([STDOUT_FILENO: "", STDERR_FILENO: ""])
            let context = ProcessContext(
                environment: environment,
                localizer: .chosen(arguments: arguments, environment: environment),
                input: Array(input.utf8),
                write: { text, descriptor in texts.withLock { $0[descriptor, default: ""] += text } },
                ownsProcess: false
            )
            let status = await ProcessContext.$current.withValue(context) { await Tripshare.run(arguments) }
            let (output, errors) = texts.withLock { ($0[STDOUT_FILENO] ?? "", $0[STDERR_FILENO] ?? "") }
            return Run(status: status, output: output, errors: errors)
        }
    }

    /// The environment of a command: that of the tests, without anything of the user who runs them.
    static func environment(home: URL) -> [String: String] {
        var all = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRIPSHARE_") }
        // Nothing of the user who runs the tests is read or written.
        all["HOME"] = home.path
        let files = ["SSL_CERT_FILE", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"]
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] + files { all[name] = nil }
        for name in all.keys where name.lowercased().hasSuffix("_proxy") { all[name] = nil }
        all["LC_ALL"] = "C.UTF-8"
        // No test sends requests to Google.
        all["TRIPSHARE_CERTIFICATES_URL"] = "http://127.0.0.1:1/{email}"
        return all
    }

    /// Starts the program.
    ///
    /// Its output goes to files in this folder.
    static func start(
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:],
        input: String? = nil
    ) throws -> RunningProgram {
        try RunningProgram(path: path, arguments, in: folder, environment: environment, input: input)
    }

    /// Creates a temporary folder while the body runs.
    static func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripshare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

/// A running program, which ends with the test at the latest.
final class RunningProgram: Sendable {
    private let program: SpawnedProgram
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
        var source = "/dev/null"
        if let input {
            source = folder.appendingPathComponent("\(name).in").path
            try Data(input.utf8).write(to: URL(fileURLWithPath: source))
        }
        let (output, errors) = (
            folder.appendingPathComponent("\(name).out"), folder.appendingPathComponent("\(name).err")
        )
        for file in [output, errors] { try Data().write(to: file) }
        program = try SpawnedProgram(
            [path] + arguments,
            environment: Program.environment(home: folder).merging(environment) { $1 },
            files: .paths(input: source, output: output.path, errors: errors.path)
        )
    }

    /// The process ID of the program.
    var pid: pid_t { program.pid }

    /// Whether the program has ended.
    var isOver: Bool { program.ending != nil }

    /// Sends SIGTERM.
    func terminate() { send(SIGTERM) }

    /// Sends SIGINT, as Ctrl-C does.
    func interrupt() { send(SIGINT) }

    /// Sends a signal.
    func send(_ signal: Int32) { program.send(signal) }

    /// Waits until the program has printed some words; fails early if it makes no progress.
    func outputs(_ words: String, limit: Duration = ProgressWatch.limit) async throws {
        let file = folder.appendingPathComponent("\(name).out")
        var progress = ProgressWatch(limit: limit)
        try await FileArrival.wait(for: words, in: file) {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            try progress.check(program, output: size ?? 0, for: words.debugDescription)
            return isOver
        }
    }

    /// What it has printed on standard output so far.
    var output: String { read("out") }
    /// What it has printed on standard error so far.
    var errors: String { read("err") }

    /// Waits for the end.
    ///
    /// The status is the number of the signal if one killed the program.
    func result() async throws -> Program.Run {
        let status: Int32
        do {
            status =
                switch try await program.end() {
                case .exited(let code): code
                case .killed(let signal): signal
                }
        } catch let failure as WaitFailure {
            throw WaitFailure("\(failure); it wrote \(read("out").suffix(2000)) and \(read("err").suffix(2000))")
        }
        return Program.Run(status: status, output: read("out"), errors: read("err"))
    }

    private func read(_ suffix: String) -> String {
        // A file that does not exist, for example after the test, counts as empty.
        (try? String(contentsOf: folder.appendingPathComponent("\(name).\(suffix)"), encoding: .utf8)) ?? ""
    }
}
