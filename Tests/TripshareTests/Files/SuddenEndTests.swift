import Foundation
import Runtime
import Testing
import TripTestSupport

/// Ends programs at random moments and examines every file that they write.
///
/// A failure names the run, which is the seed of its moment. `SUDDEN_ENDS` sets the number of runs of each test.
@Suite("Sudden end", .ends(within: .adjustableTest))
struct SuddenEndTests {
    private static let runs = ProcessInfo.processInfo.environment["SUDDEN_ENDS"].flatMap(UInt64.init) ?? 60
    /// The number of runs at a time: more than there are processors, so that the programs also stop between two steps.
    private static let width: UInt64 = 6

    /// When and how a program is ended.
    private struct Moment: Sendable {
        let signal: Int32
        /// Whether the time begins when the program has written its first file, and otherwise at the start of the program.
        let isLate: Bool
        let delay: Duration
        /// The time until the signal is sent again; `nil` for once.
        let repetition: Duration?

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGUSR1, SIGALRM]
            signal = signals.randomElement(using: &random) ?? SIGTERM
            isLate = Bool.random(using: &random)
            delay = .microseconds(Int.random(in: 0...(isLate ? 300_000 : 900_000), using: &random))
            repetition = Bool.random(using: &random) ? .microseconds(Int.random(in: 0...20_000, using: &random)) : nil
        }
    }

    /// Performs a body for each run, several at a time.
    private static func eachRun(_ body: @escaping @Sendable (UInt64) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for run in 1...runs {
                if run > width { try await group.next() }
                group.addTask { try await body(run) }
            }
            try await group.waitForAll()
        }
    }

    /// Starts a program, ends it at a moment, and returns what it has printed and its files by name.
    ///
    /// `first` is the file that it writes first, and `arguments` returns its arguments for the folder of its files.
    private static func end(
        at moment: Moment,
        first: String,
        _ arguments: (URL) throws -> [String]
    ) async throws -> (run: Program.Run, files: [String: Data]) {
        try await Program.withFolder { folder in
            let files = folder.appending(path: "files")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
            let program = try Program.start(arguments(files), in: folder)
            if moment.isLate {
                try await FileArrival.wait(forBytes: 1, in: files.appending(path: first)) { program.isOver }
            }
            // Nothing is awaited: the time itself is what is tested.
            try await Task.sleep(for: moment.delay)
            program.send(moment.signal)
            if let repetition = moment.repetition {
                try await Task.sleep(for: repetition)
                program.send(moment.signal)
            }
            let run = try await program.result()
            var contents: [String: Data] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: files.path) {
                // A folder has no content.
                contents[name] = FileManager.default.contents(atPath: files.appending(path: name).path) ?? Data()
            }
            return (run, contents)
        }
    }

    /// Expects whole lines of JSON.
    private static func expectLines(_ data: Data, _ what: String) {
        let end = String(decoding: data.suffix(80), as: UTF8.self)
        #expect(end.last == "\n", "\(what) ends with \(end)")
        for line in data.split(separator: UInt8(ascii: "\n")) {
            #expect(throws: Never.self, "\(what)") { try JSONSerialization.jsonObject(with: line) }
        }
    }

    @Test func `an emulator leaves only whole lines of its log`() async throws {
        try await Self.eachRun { seed in
            let moment = Moment(seed: seed)
            let (run, files) = try await Self.end(at: moment, first: "ready.json") { folder in
                [
                    "emulate", "--speed", "50", "--grpc-port", "0",
                    "--ready-file", folder.appending(path: "ready.json").path,
                    "--credentials-folder", folder.appending(path: "credentials").path,
                    "--log", folder.appending(path: "calls.ndjson").path,
                ]
            }
            let what = "run \(seed), \(moment): \(run.errors)"
            // An exit code would be that of a failed start.
            #expect(run.status != 0 && ![64, 69, 70, 74].contains(run.status), "\(what)")
            #expect(Set(files.keys).subtracting(["calls.ndjson"]).isEmpty, "\(what)")
            if let log = files["calls.ndjson"] { Self.expectLines(log, "the log of \(what)") }
        }
    }

    @Test func `a session leaves whole lines of its recording and its output, and a whole report or none`() async throws
    {
        let expectations = "expect:\n  - name: The ride ends\n    status: COMPLETE\n    within: 3000\n"
        try await Self.eachRun { seed in
            let moment = Moment(seed: seed)
            let (run, files) = try await Self.end(at: moment, first: "ride.ndjson") { folder in
                let expected = folder.appending(path: "expect.yaml")
                try Data(expectations.utf8).write(to: expected)
                return [
                    "demo", "--speed", "20", "--output", "json", "--expect", expected.path,
                    "--record", folder.appending(path: "ride.ndjson").path,
                    "--report", folder.appending(path: "report.json").path,
                ]
            }
            let what = "run \(seed), \(moment): \(run.errors)"
            #expect(![64, 65, 70, 74].contains(run.status), "\(what)")
            #expect(Set(files.keys).subtracting(["expect.yaml", "ride.ndjson", "report.json"]).isEmpty, "\(what)")
            if let recording = files["ride.ndjson"] { Self.expectLines(recording, "the recording of \(what)") }
            if !run.output.isEmpty { Self.expectLines(Data(run.output.utf8), "the output of \(what)") }
            guard let report = files["report.json"] else { return }
            #expect(throws: Never.self, "the report of \(what)") { try JSONSerialization.jsonObject(with: report) }
        }
    }
}
