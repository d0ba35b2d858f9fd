package import Foundation
import Runtime
import Synchronization
import TripModel

/// A program started by a test.
///
/// It and its process group end with the test.
///
/// Unlike Foundation's `Process`, it has no blocked or ignored signals and inherits only the three standard files. It
/// also ends with the process that runs the tests, even if that one is killed.
package final class SpawnedProgram: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// The destinations of the three standard files.
    package enum Files: Sendable {
        /// All three go to the terminal with this name, which becomes the controlling terminal of a new session.
        case terminal(String)
        /// Files with these paths. The last two are created if necessary.
        case paths(input: String, output: String, errors: String)
    }

    /// Why a program could not be started.
    struct Failure: Error {
        var what: String
    }

    private struct State {
        var ending: Ending?
    }

    /// The process ID.
    package let pid: pid_t
    /// Notified when the program ends.
    package let changes: Changes
    private let name: String
    private let shared: Shared

    /// The state that the thread of a program retains.
    ///
    /// The thread does not retain the program itself, so that a test can release it.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Starts a program.
    ///
    /// Its changes can be shared with something else.
    package init(
        _ command: [String],
        environment: [String: String],
        files: Files,
        changes: Changes = Changes()
    ) throws {
        let shared = Shared()
        let started = Locked<Result<pid_t, Failure>?>(nil)
        let isStarted = DispatchSemaphore(value: 0)
        // The thread that starts the program stays until the program has ended, because the kernel signals the program
        // when that thread ends.
        Thread.detachNewThread {
            let result = Result { () throws(Failure) in try Self.spawn(command, environment, files) }
            started.withLock { $0 = result }
            isStarted.signal()
            guard case .success(let pid) = result else { return }
            Self.awaitEnd(of: pid, shared)
            changes.notify()
        }
        // Starting a program does not block.
        isStarted.wait()
        guard let result = started.withLock(\.self) else { throw Failure(what: "no thread") }
        pid = try result.get()
        (self.changes, name, self.shared) = (changes, command.first ?? "", shared)
    }

    deinit { kill() }

    /// How the program ended; `nil` while it runs.
    package var ending: Ending? { shared.state.withLock(\.ending) }

    /// Sends a signal.
    ///
    /// Does nothing if the program has ended.
    package func send(_ signal: Int32) {
        shared.state.withLock { state in
            // Until the end is recorded, no other process can get the process ID.
            if state.ending == nil { Foundation.kill(pid, signal) }
        }
    }

    /// Kills the program and its process group.
    package func kill() {
        shared.state.withLock { state in
            if state.ending == nil { Foundation.kill(-pid, SIGKILL) }
        }
    }

    /// Waits until the program ends.
    package func end(within limit: Duration = .testTimeout) async throws -> Ending {
        try await changes.wait(for: "the end of \(name)", within: limit) { ending != nil }
        guard let ending else { throw WaitFailure("\(name) has no end") }
        return ending
    }

    private static func awaitEnd(of pid: pid_t, _ shared: Shared) {
        var info = unsafe siginfo_t()
        // The program stays a zombie until its end is recorded, so that no other process can get its ID.
        while unsafe waitid(P_PID, id_t(pid), &info, Int32(WEXITED | WNOWAIT)) < 0, errno == EINTR {}
        shared.state.withLock { state in
            var status: Int32 = 0
            while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            state.ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        }
    }

    // MARK: Starting

    #if canImport(Darwin)
    /// POSIX_SPAWN_SETSID, which Swift does not import.
    private static let newSession: Int16 = 0x400
    /// POSIX_SPAWN_CLOEXEC_DEFAULT: only the standard files are inherited.
    private static let closing: Int16 = 0x4000
    #else
    /// POSIX_SPAWN_SETSID, which Swift does not import.
    private static let newSession: Int16 = 0x80
    /// Files are closed by an action.
    private static let closing: Int16 = 0

    /// A glibc function that Swift does not import.
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt
    #endif

    /// Makes the kernel end a program with the thread that started it.
    private static let ender = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"]

    private static func spawn(
        _ command: [String],
        _ environment: [String: String],
        _ files: Files
    ) throws(Failure) -> pid_t {
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
        switch files {
        case .terminal(let name):
            unsafe posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        case .paths(let input, let output, let errors):
            unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // NIO's listening sockets are inherited by child processes. The program would keep another test's port open.
        #if !canImport(Darwin)
        guard let closeFrom = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            throw Failure(what: "no way to close files")
        }
        _ = unsafe unsafeBitCast(closeFrom, to: CloseFrom.self)(&actions, 3)
        #endif
        // All signals get their default action and none is blocked, whatever the test runner has set.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        // A session of its own, whose controlling terminal is the first one it opens, or a process group of its own.
        let group: Int16
        switch files {
        case .terminal: group = newSession
        case .paths:
            group = Int16(POSIX_SPAWN_SETPGROUP)
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
        }
        unsafe posix_spawnattr_setflags(
            &attributes,
            group | closing | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        )
        let isEnded = unsafe access(ender[0], X_OK) == 0
        let command = isEnded ? ender + command : command
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var pid: pid_t = -1
        let result = unsafe posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
        guard result == 0 else { throw Failure(what: "\(command): \(unsafe String(cString: strerror(result)))") }
        return pid
    }
}
