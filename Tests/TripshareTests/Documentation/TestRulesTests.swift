import Foundation
import Runtime
import Synchronization
import Terminal
import Testing
import TripTestSupport

/// Rules for the source of the tests that prevent hanging tests.
@Suite("Rules for tests", .ends(within: .longTest))
struct TestRulesTests {
    /// Calls that wait without a deadline and can't be cancelled, and their replacements.
    private static let forbidden = [
        "waitUntil" + "Exit": "SpawnedProgram.end", "readDataTo" + "EndOfFile": "a file",
        "Process" + "()": "SpawnedProgram",
        "Thread" + ".sleep": "Changes.wait", "DispatchSemaphore" + "(": "Changes.wait",
        ".timeLimit" + "(": ".ends(within:)",
    ]

    private static func sources() throws -> [(name: String, text: String)] {
        let folder = Checkout.folder.appending(path: "Tests")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        // The helpers implement the replacements; the benchmarks are a program, and so are the readers of the fuzzer.
        let others = ["TripTestSupport/", "Benchmarks/", "Fuzzing/"]
        return try names.filter { name in
            name.hasSuffix(".swift") && !others.contains { name.hasPrefix($0) }
        }.map { name in
            (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        }
    }

    @Test func `every test is in a suite with a time limit for each test`() throws {
        for (name, text) in try Self.sources() {
            let lines = text.split(separator: "\n")
            let hasTests = lines.contains { $0.hasPrefix("    @Test") }
            let suites = lines.indices.filter { lines[$0].hasPrefix("@Suite") }
            #expect(!hasTests || !suites.isEmpty, "\(name) has tests outside of a suite")
            for suite in suites {
                // The attribute may span several lines, up to the line of the type.
                let head = lines[suite...].prefix { !$0.hasSuffix("{") }.joined()
                #expect(
                    head.contains(/\.ends\(within: \.(quick|long|adjustable)Test\)/),
                    "a suite in \(name) has no time limit: .ends(within: .quickTest), or .longTest if it starts programs"
                )
            }
        }
    }

    @Test func `no test waits without a deadline`() throws {
        for (name, text) in try Self.sources() {
            for (call, better) in Self.forbidden {
                #expect(!text.contains(call), "\(name) calls \(call)…: use \(better)")
            }
        }
    }

    @Test func `a failed wait names its condition and ends by deadline, cancellation or error`() async throws {
        let changes = Changes()
        let late = await #expect(throws: WaitFailure.self) {
            try await changes.wait(for: "a bus", within: .milliseconds(20)) { false }
        }
        #expect(late?.description.hasPrefix("a bus did not come within") == true)
        let waiting = Task { try await changes.wait(for: "a bus") { false } }
        waiting.cancel()
        let cancelled = await #expect(throws: WaitFailure.self) { try await waiting.value }
        #expect(cancelled?.description.contains("waiting for a bus") == true)
        await #expect(throws: WaitFailure.self) {
            try await changes.wait(for: "a bus") { throw WaitFailure("there is none") }
        }
        let seen = Task { try await changes.wait(for: "a change") { changes.count > 0 } }
        changes.notify()
        try await seen.value
    }

    @Test func `turns are granted in order, and to those that go first before others`() async throws {
        let turns = Turns(1)
        let (granted, turn) = AsyncStream.makeStream(of: String.self)
        await turns.acquire()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, name) in ["a", "b", "first c", "first d"].enumerated() {
                group.addTask {
                    await turns.acquire(goesFirst: name.hasPrefix("first"))
                    turn.yield(name)
                    turns.giveBack()
                }
                let limit = ContinuousClock.now + .testTimeout
                while turns.waiting <= number {
                    if ContinuousClock.now > limit { throw WaitFailure("\(name) does not wait") }
                    await Task.yield()
                }
            }
            turns.giveBack()
            try await group.waitForAll()
        }
        turn.finish()
        #expect(await granted.reduce(into: []) { $0.append($1) } == ["first c", "first d", "a", "b"])
    }

    @Test func `at most eight tests run at a time, and fewer if the testing library is configured so`() {
        #expect(TestDeadline.width(in: [:]) == 8)
        #expect(TestDeadline.width(in: ["TEST_WIDTH": "8"]) == 8)
        #expect(TestDeadline.width(in: ["TEST_WIDTH": "1"]) == 1)
        #expect(TestDeadline.width(in: ["TEST_WIDTH": "100"]) == 8)
        #expect(TestDeadline.width(in: ["TEST_WIDTH": "0"]) == 1)
        // The library decides nothing: what it would read has another name.
        #expect(ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] == nil)
    }

    @Test func `a test that takes too long is cancelled with a message`() async throws {
        let test = try #require(Test.current)
        let changes = Changes()
        let said = Mutex<[String]>([])
        // A task of its own, because the task that takes too long is cancelled.
        try await Task {
            try await withKnownIssue {
                try await TestDeadline.ends(within: .milliseconds(50)).provideScope(for: test, testCase: nil) {
                    try await changes.wait(for: "a bus") { false }
                }
            } matching: { issue in
                said.withLock { $0.append("\(issue.comments) \(issue.error.map { "\($0)" } ?? "")") }
                return true
            }
        }.value
        let all = said.withLock { $0 }.joined()
        #expect(all.contains("takes longer than") && all.contains("waiting for a bus"), "\(all)")
    }

    @Test func `a wait for a program's output ends with the program`() async throws {
        try await Program.withFolder { folder in
            let program = try RunningProgram(path: "/bin/sh", ["-c", "echo word; exit 3"], in: folder)
            let failure = await #expect(throws: WaitFailure.self) { try await program.outputs("another word") }
            #expect(failure?.description.contains("another word") == true)
            let missing = await #expect(throws: WaitFailure.self) {
                try await FileArrival.wait(for: folder.appendingPathComponent("ready"), from: program)
            }
            #expect(missing?.description.contains("ready") == true)
            #expect(try await program.result().status == 3)
        }
    }

    @Test func `a wait for output ends early if the program neither writes nor computes`() async throws {
        let limit = Duration.milliseconds(200)
        let onTerminal = await #expect(throws: WaitFailure.self) {
            try await PseudoTerminal.run(["/bin/sh", "-c", "echo word; exec sleep 600"], limit: limit) {
                terminal in
                try await terminal.wait(for: "word")
                try await terminal.wait(for: "another")
            }
        }
        #expect(onTerminal?.description.contains("no progress") == true, "\(String(describing: onTerminal))")
        #expect(onTerminal?.description.contains("word") == true)
        try await Program.withFolder { folder in
            let program = try RunningProgram(path: "/bin/sh", ["-c", "echo word; exec sleep 600"], in: folder)
            try await program.outputs("word")
            let inFile = await #expect(throws: WaitFailure.self) {
                try await program.outputs("another", limit: limit)
            }
            #expect(inFile?.description.contains("no progress") == true, "\(String(describing: inFile))")
        }
    }

    @Test func `output and a second of processor time are progress`() {
        let start = ContinuousClock.now
        var watch = ProgressWatch(limit: .seconds(60), since: start)
        func isStalled(_ second: Int, output: Int, processor: Double?) -> Bool {
            watch.isStalled(output: output, processor: processor.map { .seconds($0) }, at: start + .seconds(second))
        }
        #expect(!isStalled(1, output: 0, processor: 0.1))
        #expect(!isStalled(60, output: 1, processor: 0.2))
        #expect(!isStalled(119, output: 1, processor: 0.9))
        #expect(!isStalled(119, output: 1, processor: 1.5))
        #expect(!isStalled(178, output: 1, processor: 2.1))
        #expect(isStalled(179, output: 1, processor: 2.1))
        #expect(isStalled(180, output: 1, processor: nil))
        #expect(!isStalled(181, output: 1, processor: 2.9))
    }

    @Test func `a program and its children end with the test that started it`() async throws {
        let pids = try await Program.withFolder { folder in
            let program = try RunningProgram(path: "/bin/sh", ["-c", "sleep 600 & echo $$ $!; wait"], in: folder)
            try await program.outputs("\n")
            let text = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".out") }
            )
            return try String(contentsOf: folder.appendingPathComponent(text), encoding: .utf8)
                .split { $0.isWhitespace }.compactMap { pid_t($0) }
        }
        #expect(pids.count == 2)
        // The kernel ends them a moment later.
        let changes = Changes()
        let timer = Task {
            while !Task.isCancelled {
                changes.notify()
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { timer.cancel() }
        try await changes.wait(for: "the end of \(pids)", within: .seconds(60)) { pids.allSatisfy(Self.isOver) }
    }

    /// Whether a process is gone or a zombie.
    private static func isOver(_ pid: pid_t) -> Bool {
        ProcessIdentity.start(of: pid) == nil
    }

    #if os(Linux)
    @Test func `programs have no signal blocked and none ignored`() async throws {
        let run = try await Program.run(executable: "/bin/sh", ["-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status"])
        // The C library reserves signals 32 and 33 and ignores them in programs that it starts.
        let reserved: UInt64 = 0b11 << 31
        let masks = run.lines.compactMap { $0.split(separator: "\t").last }.compactMap { UInt64($0, radix: 16) }
        #expect(masks.count == 2 && masks.allSatisfy { $0 & ~reserved == 0 }, "\(run.output)")
        #expect(run.lines.count == 2)
    }
    #endif
}
