#if THREAD_SANITIZER
import Glibc
#else
package import Synchronization
#endif

#if THREAD_SANITIZER
/// A value that one thread at a time may see: a lock of the system's in place of `Mutex`.
///
/// The thread sanitizer knows what a POSIX lock orders. It does not see into the runtime library's own, which sleeps in
/// a system call, and takes what that guards for races. `.ci/sanitize` builds with this one; nothing else does.
@safe package struct Locked<Value>: ~Copyable, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }
}
#else
/// A value that one thread at a time may see: the runtime library's `Mutex`.
package typealias Locked<Value: ~Copyable> = Mutex<Value>
#endif
