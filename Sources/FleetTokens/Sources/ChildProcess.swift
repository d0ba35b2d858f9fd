import Foundation
import Synchronization
import TripModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One run of a command in its own process group.
final class ChildProcess: Sendable {
    enum Outcome: Sendable {
        case notStarted(reason: String)
        case exited(status: Int, output: [UInt8])
        case killed(signal: Int)
        case tooMuchOutput
    }

    private enum State {
        case idle
        case running(pid_t)
        case killed
        case over
    }

    private let arguments: [String]
    private let environment: [String: String]
    private let maximumBytes: Int
    private let state = Locked(State.idle)

    init(arguments: [String], environment: [String: String], maximumBytes: Int) {
        self.arguments = arguments
        self.environment = environment
        self.maximumBytes = maximumBytes
    }

    /// Kills the command and its children; before the start it prevents the start.
    func kill() {
        state.withLock { state in
            switch state {
            // The lock prevents the PID from being reused by another process meanwhile.
            case .running(let pid): signal(group: pid)
            case .idle: state = .killed
            case .killed, .over: break
            }
        }
    }

    /// Starts the command, reads its output until it ends, and waits for it; blocks the calling thread.
    ///
    /// It does not wait for children of the command that keep running, even if they hold the pipe open.
    func run() -> Outcome {
        let child: Running
        switch start() {
        case .success(let started): child = started
        case .failure(let error): return .notStarted(reason: error.reason)
        }
        closeAtEnd(of: child.pid, child.end.writing)
        let output = read(from: child.output, until: child.end.reading)
        close(child.output)
        close(child.end.reading)
        guard let status = reap(child.pid) else {
            return .notStarted(reason: "this program ignores SIGCHLD, so that nobody can tell how a command ends")
        }
        guard let output else { return .tooMuchOutput }
        // The layout of a wait status: the low seven bits are the signal, the next byte is the exit status.
        let signal = Int(status & 0x7F)
        return signal == 0 ? .exited(status: Int((status >> 8) & 0xFF), output: output) : .killed(signal: signal)
    }

    private struct StartError: Error {
        var reason: String
    }

    private typealias Pipe = (reading: CInt, writing: CInt)

    /// A running command.
    private struct Running {
        let pid: pid_t
        /// The read end of its standard output.
        let output: CInt
        /// A pipe that is closed when the command has ended.
        let end: Pipe
    }

    /// Starts the command, unless it was already killed.
    private func start() -> Result<Running, StartError> {
        Self.spawning.withLock { _ in
            // Create both pipes before the command: otherwise its end could not be observed.
            guard let output = Self.pipe() else { return .failure(StartError(reason: "no pipe")) }
            defer { close(output.writing) }
            guard let end = Self.pipe() else {
                close(output.reading)
                return .failure(StartError(reason: "no pipe"))
            }
            let result = state.withLock { state in
                guard case .idle = state else {
                    return Result<pid_t, StartError>.failure(StartError(reason: "cancelled"))
                }
                let result = spawn(output: output.writing)
                if case .success(let pid) = result { state = .running(pid) }
                return result
            }
            if case .failure = result { for end in [output.reading, end.reading, end.writing] { close(end) } }
            return result.map { Running(pid: $0, output: output.reading, end: end) }
        }
    }

    /// Held from the creation of a pipe until the command has it.
    ///
    /// A command started in between would inherit the pipe.
    private static let spawning = Locked(())

    private static func pipe() -> Pipe? {
        var ends: [CInt] = [-1, -1]
        #if canImport(Darwin)
        guard unsafe Darwin.pipe(&ends) == 0 else { return nil }
        #elseif canImport(Musl)
        guard unsafe Musl.pipe(&ends) == 0 else { return nil }
        #else
        guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
        #endif
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private func signal(group: pid_t) {
        #if canImport(Darwin)
        _ = Darwin.kill(-group, SIGKILL)
        #elseif canImport(Musl)
        _ = Musl.kill(-group, SIGKILL)
        #else
        _ = Glibc.kill(-group, SIGKILL)
        #endif
    }

    #if !canImport(Darwin)
    /// A function of glibc 2.34 and later that Swift does not import.
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt
    #endif

    private func spawn(output: CInt) -> Result<pid_t, StartError> {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var flags = Int16(POSIX_SPAWN_SETPGROUP)
        // The command must not inherit connections, which may carry tokens, or listening sockets.
        #if canImport(Darwin)
        flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
        if let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
            _ = unsafe unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
        }
        #endif
        // Threads of a pool block most signals. A command that inherits this mask could not be stopped, and could not stop its
        // own children.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        flags |= Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var vector: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe vector.indices { unsafe free(vector[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var pid: pid_t = 0
        let error = unsafe posix_spawnp(&pid, arguments[0], &actions, &attributes, &vector, &variables)
        guard error == 0 else { return .failure(StartError(reason: unsafe String(cString: strerror(error)))) }
        return .success(pid)
    }

    /// Closes a pipe end when the command has ended; does not reap it.
    private func closeAtEnd(of pid: pid_t, _ end: CInt) {
        Thread.detachNewThread {
            // The process stays unreaped while it may still be killed, so that its PID is not reused.
            var info = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            close(end)
        }
    }

    /// Returns all output until the command has ended; `nil` if it is too long, after killing the command.
    private func read(from descriptor: CInt, until end: CInt) -> [UInt8]? {
        var output: [UInt8] = []
        var isTooMuch = false
        var isOpen = true
        var hasEnded = false
        // After the command's end, only the content of the pipe is read. Waiting for more would mean waiting for its children.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while !hasEnded {
            var polled = [
                pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&polled, 2, -1) >= 0 || errno == EINTR else {
                kill()
                break
            }
            hasEnded = polled[1].revents != 0
            while isOpen, let bytes = Self.bytes(from: descriptor) {
                isOpen = !bytes.isEmpty
                if !isTooMuch { output += bytes }
                guard output.count > maximumBytes else { continue }
                isTooMuch = true
                output = []
                kill()
            }
        }
        return isTooMuch ? nil : output
    }

    /// Returns the available bytes: empty at the end, `nil` if there are none yet.
    private static func bytes(from descriptor: CInt) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            #if canImport(Darwin)
            let count = unsafe Darwin.read(descriptor, &buffer, buffer.count)
            #elseif canImport(Musl)
            let count = unsafe Musl.read(descriptor, &buffer, buffer.count)
            #else
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            #endif
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return nil }
            return Array(buffer.prefix(max(count, 0)))
        }
    }

    /// Returns the wait status; `nil` if it is lost because SIGCHLD is ignored.
    private func reap(_ pid: pid_t) -> CInt? {
        state.withLock { state in
            state = .over
            var status: CInt = 0
            while unsafe waitpid(pid, &status, 0) < 0 {
                guard errno == EINTR else { return nil }
            }
            return status
        }
    }
}
