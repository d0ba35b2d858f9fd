import Foundation
package import Glibc
import Synchronization

/// A program in a terminal that is nothing but a pair of files: what it writes is kept, what a person would type is sent.
///
/// Unlike tmux it shows the very bytes, and nobody interprets them. The program leads a session of its own.
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

    /// Why there is no terminal.
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

    /// The number of the program's process.
    package var pid: pid_t { program.pid }

    /// Runs a program in a terminal of a size as long as a body runs; kills it then, if it is still there.
    ///
    /// The environment is the one given, with `PATH`, `HOME`, `LC_ALL` and `TERM` where it does not say them.
    package static func run<Result>(
        _ command: [String],
        width: Int = 80,
        height: Int = 24,
        environment: [String: String] = [:],
        body: (PseudoTerminal) async throws -> Result
    ) async throws -> Result {
        let terminal = try PseudoTerminal(command, width, height, environment)
        do {
            let result = try await body(terminal)
            await terminal.close()
            return result
        } catch {
            await terminal.close()
            throw error
        }
    }

    private init(_ command: [String], _ width: Int, _ height: Int, _ environment: [String: String]) throws {
        // What posix_openpt, unlockpt and ptsname do; Swift does not see them.
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, unsafe ioctl(master, 0x4004_5431, &isLocked) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw Failure(what: "no terminal") }
        let name = "/dev/pts/\(number)"
        slave = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure(what: "no other end") }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
        wake = (ends[0], ends[1])
        before = Self.modes(of: slave)
        Self.setSize(master, width, height)
        // Nothing can be read from this home nor kept in it.
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
        Glibc.close(slave)
        Glibc.close(master)
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

    /// How long after the end of the program its last output may come, as from its guard, which outlives it.
    private static let afterwards = Duration.seconds(30)

    /// Waits until something holds, looking again whenever something has changed.
    private func wait(for what: String, until isSo: (State) -> Bool) async throws {
        try await changes.wait(for: what) { state.withLock { isSo($0) } || program.ending != nil }
        guard let ending = program.ending else { return }
        do {
            try await changes.wait(for: what, within: Self.afterwards) { state.withLock { isSo($0) } }
        } catch {
            let last = String(decoding: output.suffix(2000), as: UTF8.self).debugDescription
            throw WaitFailure("the program ended (\(ending)) before \(what); the last that it wrote: \(last)")
        }
    }

    private func close() async {
        program.kill()
        steer { $0.isStopped = true }
        // A task of its own: a cancelled test has to wait for that, too.
        await Task { [self] in
            do {
                try await changes.wait(for: "the end of a killed program", within: .seconds(60)) {
                    program.ending != nil && state.withLock(\.isOver)
                }
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
            }
        }.value
        Glibc.close(wake.reading)
        Glibc.close(wake.writing)
    }

    // MARK: What a person does

    /// Types, or sends what a mouse or a terminal would; gives up where the program has ended.
    package func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty, program.ending == nil, state.withLock({ !$0.isStopped }) {
            var room = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&room, 1, 100) > 0 else { continue }
            let count = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Gives the window another size.
    package func resize(width: Int, height: Int) { Self.setSize(master, width, height) }

    /// Sends a signal.
    package func kill(_ signal: Int32) { program.send(signal) }

    /// Reads no more, as a terminal behind a dead line, or goes on.
    package func stick(_ isStuck: Bool) { steer { $0.isStuck = isStuck } }

    /// Closes the window.
    package func hangUp() { steer { $0.isStopped = true } }

    // MARK: What is seen

    /// Whether the program has ended.
    package var isOver: Bool { program.ending != nil }

    /// All that the program has written.
    package var output: [UInt8] { state.withLock { $0.output } }

    /// How many bytes that is.
    package var count: Int { state.withLock { $0.output.count } }

    /// The same as text; what is no UTF-8 is replaced.
    package var text: String { String(decoding: output, as: UTF8.self) }

    /// When the last of it came.
    package var lastOutput: ContinuousClock.Instant { state.withLock { $0.lastOutput } }

    /// Waits until some bytes have come, after the first so many.
    package func wait(for bytes: String, after start: Int = 0) async throws {
        let wanted = Array(bytes.utf8)
        try await wait(for: "\(bytes.debugDescription) on the terminal") { $0.output.dropFirst(start).contains(wanted) }
    }

    /// Waits until a picture has come, after the first so many bytes, and nothing of another one.
    package func waitForFrame(after start: Int) async throws {
        let end = Array("\u{1B}[?2026l".utf8)
        try await wait(for: "a whole picture on the terminal") {
            $0.output.count > start && $0.output[start...].suffix(end.count) == end[...]
        }
    }

    /// Waits for the end of the program.
    package func end() async throws -> Ending? { try await program.end() }

    /// The most bytes of memory that the program ever occupied, once it has ended.
    package var mostMemory: Int { program.mostMemory }

    /// Whether the terminal's modes are what they were before the program.
    package var hasItsModes: Bool { Self.modes(of: slave) == before }

    // MARK: The device

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
