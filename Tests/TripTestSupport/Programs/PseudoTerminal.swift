package import Foundation
import Synchronization

/// A program in a pseudo-terminal.
///
/// Its output is kept, and input is sent as if a person typed it.
///
/// Unlike tmux it gives the exact bytes without interpreting them. The program leads a session of its own.
package final class PseudoTerminal: Sendable {
    private struct State {
        var output: [UInt8] = []
        var lastOutput = ContinuousClock.now
        var isStuck = false
        var isStopped = false
        var isOver = false
    }

    /// How a program ended.
    package typealias Ending = SpawnedProgram.Ending

    /// Why the terminal could not be opened.
    struct Failure: Error {
        var what: String
    }

    private let master: Int32
    private let slave: Int32
    private let before: [UInt8]
    private let wake: (reading: Int32, writing: Int32)
    private let state = Mutex(State())
    private let changes = Changes()
    private let program: SpawnedProgram
    /// How long the program may make no progress during a wait.
    private let limit: Duration

    /// The process ID of the program.
    package var pid: pid_t { program.pid }

    /// Runs a program in a terminal of this size while the body runs, then kills the program if it is still running.
    ///
    /// A wait for output fails after `limit` without progress. The environment is the given one, with defaults for `PATH`, `HOME`, `LC_ALL` and `TERM`.
    package static func run<Result>(
        _ command: [String],
        width: Int = 80,
        height: Int = 24,
        environment: [String: String] = [:],
        limit: Duration = ProgressWatch.limit,
        body: (PseudoTerminal) async throws -> Result
    ) async throws -> Result {
        let terminal = try PseudoTerminal(command, width, height, environment, limit)
        do {
            let result = try await body(terminal)
            await terminal.close()
            return result
        } catch {
            await terminal.close()
            throw error
        }
    }

    private init(
        _ command: [String],
        _ width: Int,
        _ height: Int,
        _ environment: [String: String],
        _ limit: Duration
    ) throws {
        self.limit = limit
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard master >= 0, let name = Self.nameOfOtherEnd(master) else { throw Failure(what: "no terminal") }
        slave = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure(what: "no other end") }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
        wake = (ends[0], ends[1])
        before = Self.modes(of: slave)
        Self.setSize(master, width, height)
        // A home in which nothing can be read or written.
        let all = ["PATH": "/usr/bin:/bin", "HOME": "/dev/null", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
            .merging(environment) { $1 }
        program = try SpawnedProgram(command, environment: all, files: .terminal(name), changes: changes)
        Thread.detachNewThread { [self] in readAll() }
    }

    private func readAll() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let (isStuck, isStopped) = state.withLock { ($0.isStuck, $0.isStopped) }
            if isStopped { break }
            var set = [
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isStuck ? -1 : master, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&set, 2, -1) > 0 else { continue }
            if set[0].revents != 0 { _ = unsafe read(wake.reading, &buffer, 1) }
            guard set[1].revents != 0 else { continue }
            let count = unsafe read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count <= 0 { break }
            change { state in
                state.output += buffer[..<count]
                state.lastOutput = .now
            }
        }
        Foundation.close(slave)
        Foundation.close(master)
        change { $0.isOver = true }
    }

    private func steer(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        _ = unsafe write(wake.writing, [1], 1)
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changes.notify()
    }

    /// How long after the end of the program its last output may arrive, for example from its guard process, which
    /// outlives it.
    private static let afterwards = Duration.seconds(30)

    /// Waits until a condition is true.
    ///
    /// Checks it after every change. Fails early if the program makes no progress.
    private func wait(
        for what: String,
        within limit: Duration = .testTimeout,
        until isSo: (State) -> Bool
    ) async throws {
        var progress = ProgressWatch(limit: self.limit)
        try await changes.wait(for: what, within: limit, checkedEvery: min(self.limit / 4, .seconds(5))) {
            if state.withLock({ isSo($0) }) || program.ending != nil { return true }
            do {
                try progress.check(program, output: count, for: what)
            } catch {
                throw WaitFailure("\(error); the last that it wrote: \(lastWords)")
            }
            return false
        }
        guard let ending = program.ending else { return }
        do {
            try await changes.wait(for: what, within: Self.afterwards) { state.withLock { isSo($0) } }
        } catch {
            throw WaitFailure("the program ended (\(ending)) before \(what); the last that it wrote: \(lastWords)")
        }
    }

    private func close() async {
        program.kill()
        steer { $0.isStopped = true }
        // A task of its own, because a cancelled test has to wait for this, too.
        await Task { [self] in
            do {
                try await changes.wait(for: "the end of a killed program", within: .seconds(60)) {
                    program.ending != nil && state.withLock(\.isOver)
                }
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
            }
        }.value
        Foundation.close(wake.reading)
        Foundation.close(wake.writing)
    }

    // MARK: Input

    /// Sends input as a person, a mouse or a terminal would.
    ///
    /// Gives up if the program has ended.
    package func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty, program.ending == nil, state.withLock({ !$0.isStopped }) {
            var room = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&room, 1, 100) > 0 else { continue }
            let count = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Changes the size of the window.
    package func resize(width: Int, height: Int) { Self.setSize(master, width, height) }

    /// Sends a signal.
    package func kill(_ signal: Int32) { program.send(signal) }

    /// Stops or resumes reading the output, as behind a broken connection.
    package func stick(_ isStuck: Bool) { steer { $0.isStuck = isStuck } }

    /// Closes the window.
    package func hangUp() { steer { $0.isStopped = true } }

    // MARK: Output

    /// Whether the program has ended.
    package var isOver: Bool { program.ending != nil }

    /// All output of the program.
    package var output: [UInt8] { state.withLock { $0.output } }

    /// The number of bytes of output.
    package var count: Int { state.withLock { $0.output.count } }

    /// The output as text; invalid UTF-8 is replaced.
    package var text: String { String(decoding: output, as: UTF8.self) }

    /// When the last output arrived.
    package var lastOutput: ContinuousClock.Instant { state.withLock { $0.lastOutput } }

    /// Waits for bytes in the output after this offset.
    package func wait(for bytes: String, after start: Int = 0, within limit: Duration = .testTimeout) async throws {
        let wanted = Array(bytes.utf8)
        // Each check searches only what came since the last one: the output of a long session has megabytes.
        var searched = start
        var isFound = false
        try await wait(for: "\(bytes.debugDescription) on the terminal", within: limit) { state in
            if isFound { return true }
            let from = max(start, searched - wanted.count)
            searched = max(searched, state.output.count)
            isFound = state.output.dropFirst(from).contains(wanted)
            return isFound
        }
    }

    /// Waits for a number of bytes in the output after this offset.
    package func wait(forBytes count: Int, after start: Int, within limit: Duration = .testTimeout) async throws {
        try await wait(for: "\(count) bytes on the terminal", within: limit) { $0.output.count >= start + count }
    }

    /// Waits for a complete frame in the output after this offset that is not followed by part of another one.
    package func waitForFrame(after start: Int) async throws {
        let end = Array("\u{1B}[?2026l".utf8)
        try await wait(for: "a whole picture on the terminal") {
            $0.output.count > start && $0.output[start...].suffix(end.count) == end[...]
        }
    }

    /// Waits until the program ends.
    ///
    /// Writes the last output of a crashed program to standard error, because it holds the message of the trap.
    package func end() async throws -> Ending? {
        let ending = try await program.end()
        if case .killed(signal: SIGILL) = ending {
            // The last output arrives a moment after the end; nothing tells which is the last.
            try? await changes.wait(for: "the rest of the output", within: .seconds(1)) { false }
            FileHandle.standardError.write(Data("A program crashed; the last that it wrote: \(lastWords)\n".utf8))
        }
        return ending
    }

    private var lastWords: String { String(decoding: output.suffix(2000), as: UTF8.self).debugDescription }

    /// Whether the terminal's modes are the same as before the program.
    package var hasItsModes: Bool { Self.modes(of: slave) == before }

    // MARK: The device

    /// Unlocks the end of the program and returns its path.
    private static func nameOfOtherEnd(_ master: Int32) -> String? {
        #if canImport(Darwin)
        guard grantpt(master) == 0, unlockpt(master) == 0, let name = unsafe ptsname(master) else { return nil }
        return unsafe String(cString: name)
        #else
        // The same as unlockpt and ptsname, which Swift does not import.
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard unsafe ioctl(master, 0x4004_5431, &isLocked) == 0, unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { return nil }
        return "/dev/pts/\(number)"
        #endif
    }

    private static func setSize(_ descriptor: Int32, _ width: Int, _ height: Int) {
        var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// The flags and control characters, as bytes.
    private static func modes(of descriptor: Int32) -> [UInt8] {
        var modes = termios()
        guard unsafe tcgetattr(descriptor, &modes) == 0 else { return [] }
        return unsafe withUnsafeBytes(of: modes) { unsafe Array($0) }
    }
}
