import Synchronization
import TripModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One run of a command in a process group of its own.
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

    /// Kills the command and its children; before the start it keeps the command from starting.
    func kill() {
        state.withLock { state in
            switch state {
            // Under the lock, so that the number can't have gone to another process meanwhile.
            case .running(let pid): signal(group: pid)
            case .idle: state = .killed
            case .killed, .over: break
            }
        }
    }

    /// Starts the command, reads what it prints and waits for its end; blocks the calling thread.
    func run() -> Outcome {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return .notStarted(reason: "no pipe") }
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writing, F_SETFD, FD_CLOEXEC)
        let started: Result<pid_t, StartError> = state.withLock { state in
            guard case .idle = state else { return .failure(StartError(reason: "cancelled")) }
            let result = spawn(output: writing)
            if case .success(let pid) = result { state = .running(pid) }
            return result
        }
        close(writing)
        defer { close(reading) }
        guard case .success(let pid) = started else {
            guard case .failure(let error) = started else { return .notStarted(reason: "unknown") }
            return .notStarted(reason: error.reason)
        }
        let output = read(from: reading)
        if output == nil { kill() }
        let status = wait(for: pid)
        guard let output else { return .tooMuchOutput }
        // The layout of a wait status: the low seven bits are the signal, the next byte is the exit status.
        let signal = Int(status & 0x7F)
        return signal == 0 ? .exited(status: Int((status >> 8) & 0xFF), output: output) : .killed(signal: signal)
    }

    private struct StartError: Error {
        var reason: String
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
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
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

    /// Everything up to the end; `nil` if it is too much.
    private func read(from descriptor: CInt) -> [UInt8]? {
        var output: [UInt8] = []
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
            guard count > 0 else { return output }
            output += buffer.prefix(count)
            if output.count > maximumBytes { return nil }
        }
    }

    private func wait(for pid: pid_t) -> CInt {
        // The process is left unreaped while it may still be killed: until then nobody else can get its number.
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return state.withLock { state in
            var status: CInt = 0
            while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
            state = .over
            return status
        }
    }
}
