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
        var ending: Ending?
        var mostMemory = 0
        var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]
    }

    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// Why there is no terminal.
    struct Failure: Error {
        var what: String
    }

    private let master: Int32
    private let slave: Int32
    private let before: [UInt8]
    private let wake: (reading: Int32, writing: Int32)
    private let state = Mutex(State())
    /// The program.
    package let pid: pid_t

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
        let all = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
            .merging(environment) { $1 }
        pid = try Self.spawn(command, on: name, all)
        Thread.detachNewThread { [self] in readAll() }
        Thread.detachNewThread { [self] in awaitEnd() }
    }

    /// A call of glibc that Swift does not see.
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// Starts a program in a session of its own; the first terminal that it opens becomes the session's.
    private static func spawn(_ command: [String], on name: String, _ environment: [String: String]) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // A port that another test listens on would stay open with the program: NIO leaves it to be inherited.
        guard let closeFrom = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            throw Failure(what: "no way to close files")
        }
        _ = unsafe unsafeBitCast(closeFrom, to: CloseFrom.self)(&actions, 3)
        // A session of its own, all signals at their defaults and none blocked, whatever the test's runner has set.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        // 0x80: POSIX_SPAWN_SETSID, which Swift does not see.
        let flags = 0x80 | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var pid: pid_t = -1
        let result = unsafe posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
        guard result == 0 else { throw Failure(what: "\(command[0]): \(unsafe String(cString: strerror(result)))") }
        return pid
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

    private func awaitEnd() {
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let memory = usage.ru_maxrss * 1024
        change { state in
            state.ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
            state.mostMemory = memory
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Waits until something holds, looking again whenever something has changed.
    private func wait(until isSo: (State) -> Bool) async throws {
        while true {
            try Task.checkCancellation()
            let id = UUID()
            let isThere = state.withLock { isSo($0) }
            if isThere { return }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let goesOn = state.withLock { state in
                        if isSo(state) || Task.isCancelled { return true }
                        state.waiters[id] = continuation
                        return false
                    }
                    if goesOn { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
            }
        }
    }

    private func close() async {
        if state.withLock({ $0.ending }) == nil { Glibc.kill(pid, SIGKILL) }
        steer { $0.isStopped = true }
        // A task of its own: a cancelled test has to wait for that, too.
        await Task { [self] in
            // It throws only where it is cancelled, and nobody cancels it.
            try? await wait { $0.ending != nil && $0.isOver }
        }.value
        Glibc.close(wake.reading)
        Glibc.close(wake.writing)
    }

    // MARK: What a person does

    /// Types, or sends what a mouse or a terminal would; gives up where the program has ended.
    package func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty, state.withLock({ $0.ending == nil && !$0.isStopped }) {
            var room = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&room, 1, 100) > 0 else { continue }
            let count = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Gives the window another size.
    package func resize(width: Int, height: Int) { Self.setSize(master, width, height) }

    /// Sends a signal.
    package func kill(_ signal: Int32) { Glibc.kill(pid, signal) }

    /// Reads no more, as a terminal behind a dead line, or goes on.
    package func stick(_ isStuck: Bool) { steer { $0.isStuck = isStuck } }

    /// Closes the window.
    package func hangUp() { steer { $0.isStopped = true } }

    // MARK: What is seen

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
        try await wait { $0.output.dropFirst(start).contains(wanted) }
    }

    /// Waits until a picture has come, after the first so many bytes, and nothing of another one.
    package func waitForFrame(after start: Int) async throws {
        let end = Array("\u{1B}[?2026l".utf8)
        try await wait { $0.output.count > start && $0.output[start...].suffix(end.count) == end[...] }
    }

    /// Waits for the end of the program.
    package func end() async throws -> Ending? {
        try await wait { $0.ending != nil }
        return state.withLock { $0.ending }
    }

    /// The most bytes of memory that the program ever occupied, once it has ended.
    package var mostMemory: Int { state.withLock { $0.mostMemory } }

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
