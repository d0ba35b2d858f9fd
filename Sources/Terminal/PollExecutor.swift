import CNcurses
import Synchronization

/// Runs an actor's jobs on a dedicated thread, which sleeps in `poll()` between them.
///
/// ncurses requires a single thread, which sleeps until a key, a signal, a job or a deadline. The thread exists as long as the
/// process, because the actor's jobs need it even after the screen is closed.
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

    /// Runs the jobs that are enqueued now, but not later ones, so that input is processed in between.
    func runJobs() {
        let jobs = state.withLock { state in
            defer { state = State() }
            return state.jobs
        }
        for job in jobs {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    /// Starts the thread, which calls `body` and never ends.
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

/// The body of a thread.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
