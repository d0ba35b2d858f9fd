import Foundation
import Synchronization

/// Runs every task that one thread starts on that thread, one job after the other, so that a seed gives the same run.
///
/// The Swift runtime calls a hook before it hands a job to its threads. Jobs that the loop's own thread creates are
/// queued here; all others, such as those of other tests, run as usual. When no job is left, every task is waiting for
/// the virtual clock.
enum SerialLoop {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// The loop of the current thread.
    private final class Queue: TaskExecutor {
        private let jobs = Mutex<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

        func add(_ job: UnownedJob) { jobs.withLock { $0.append(job) } }

        /// Removes and returns the queued jobs.
        func dequeueAll() -> [UnownedJob] {
            jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
        }
    }

    private static let key = "serial loop"
    /// The number of jobs at one time of the clock that only tasks in a loop have.
    private static let mostJobsAtOnce = 100_000

    /// The hook that was installed before, which gets the jobs of all other threads.
    nonisolated(unsafe) private static var earlier: Hook?

    private static let isInstalled: Bool = {
        guard let symbol = unsafe dlsym(nil, "swift_task_enqueueGlobal_hook") else { return false }
        let hook = unsafe symbol.assumingMemoryBound(to: Hook?.self)
        unsafe earlier = hook.pointee
        unsafe hook.pointee = { job, original in
            if let queue = Thread.current.threadDictionary[SerialLoop.key] as? Queue {
                queue.add(job)
            } else if let earlier = unsafe SerialLoop.earlier {
                earlier(job, original)
            } else {
                original(job)
            }
        }
        return true
    }()

    /// Runs a body to its end on a new thread.
    ///
    /// - Parameters:
    ///   - advance: Called when every task is waiting. Advances the clock, or returns `false` if no task waits for it.
    ///   - body: The code to run.
    /// - Returns: The result of the body; `nil` if all tasks wait for something that never happens, or if they run without
    ///   waiting for the clock.
    static func run<Value: Sendable>(
        advance: @escaping @Sendable () -> Bool,
        body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard isInstalled else { return nil }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let queue = Queue()
                Thread.current.threadDictionary[key] = queue
                let result = Mutex<Value?>(nil)
                Task.detached {
                    let value = await body()
                    result.withLock { $0 = value }
                }
                var jobsAtOnce: Int
                repeat {
                    var jobs = queue.dequeueAll()
                    jobsAtOnce = 0
                    while !jobs.isEmpty, jobsAtOnce < mostJobsAtOnce {
                        for job in jobs { unsafe job.runSynchronously(on: queue.asUnownedTaskExecutor()) }
                        jobsAtOnce += jobs.count
                        jobs = queue.dequeueAll()
                    }
                } while result.withLock({ $0 == nil }) && jobsAtOnce < mostJobsAtOnce && advance()
                // The continuation resumes a task that does not belong to this thread.
                Thread.current.threadDictionary[key] = nil
                continuation.resume(returning: result.withLock { $0 })
            }
        }
    }
}
