import Foundation
import Synchronization

/// Runs everything that one thread starts on that thread, one job after the other, so that the same seed gives the same run.
///
/// The runtime asks a hook before it hands a job to its threads; jobs that the loop's own thread makes are kept here, all
/// others (the other tests') go where they always go. When no job is left, every task waits for the virtual clock.
enum SerialLoop {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// The loop of the thread that runs one.
    private final class Queue: TaskExecutor {
        private let jobs = Mutex<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

        func add(_ job: UnownedJob) { jobs.withLock { $0.append(job) } }

        /// Takes the jobs that wait now.
        func take() -> [UnownedJob] {
            jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
        }
    }

    private static let key = "serial loop"

    private static let isInstalled: Bool = {
        guard let symbol = unsafe dlsym(nil, "swift_task_enqueueGlobal_hook") else { return false }
        let hook = unsafe symbol.assumingMemoryBound(to: Hook?.self)
        unsafe hook.pointee = { job, original in
            if let queue = Thread.current.threadDictionary[SerialLoop.key] as? Queue {
                queue.add(job)
            } else {
                original(job)
            }
        }
        return true
    }()

    /// Runs a body to its end on a thread of its own.
    ///
    /// - Parameters:
    ///   - advance: Is called when every task waits; moves the clock on, or returns `false` where nobody waits for it.
    ///   - body: What is run.
    /// - Returns: What the body returned; `nil` where all tasks wait for something that never comes.
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
                repeat {
                    var jobs = queue.take()
                    while !jobs.isEmpty {
                        for job in jobs { unsafe job.runSynchronously(on: queue.asUnownedTaskExecutor()) }
                        jobs = queue.take()
                    }
                } while result.withLock({ $0 == nil }) && advance()
                // Whoever waits for this is not of this thread.
                Thread.current.threadDictionary[key] = nil
                continuation.resume(returning: result.withLock { $0 })
            }
        }
    }
}
