import CNcurses
import Synchronization

/// Runs an actor's jobs on one thread of its own, which sleeps in `poll()` between them.
///
/// ncurses wants one thread, and the thread wants to sleep until a key, a signal, a job or a deadline comes. The thread
/// lives as long as the process: the actor's jobs must run somewhere even after its screen was closed.
final class PollExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isAwake = false
    }

    private let state = Mutex(State())
    private let thread = ThreadMark()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if mustWake { tn_wake() }
    }

    /// Runs what has been enqueued, and that only, so that input is looked at in between.
    func runJobs() {
        let jobs = state.withLock { state in
            defer { state = State() }
            return state.jobs
        }
        for job in jobs {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    /// Starts the thread; it calls `body` and never ends.
    func start(_ body: @escaping @Sendable () -> Void) throws(TerminalError) {
        let mark = thread
        let box = unsafe Unmanaged.passRetained(
            ThreadBody {
                mark.markThisThread()
                body()
            }
        )
        let result = unsafe tn_start(
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            },
            box.toOpaque()
        )
        if result != 0 {
            unsafe box.release()
            throw .system
        }
    }

    func isIsolatingCurrentContext() -> Bool? { thread.isThisThread }

    func checkIsolated() {
        precondition(thread.isThisThread, "the terminal is used outside of its own thread")
    }
}

/// What a thread runs.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
