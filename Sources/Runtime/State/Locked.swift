#if THREAD_SANITIZER
import Foundation
#else
package import Synchronization
#endif

#if THREAD_SANITIZER
/// A value protected by a POSIX mutex, used instead of `Mutex` under the thread sanitizer.
///
/// The thread sanitizer understands POSIX locks. It does not understand the runtime library's lock, which waits in a system
/// call, and reports false data races. Only `.ci/sanitize` builds with this type.
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
/// A value protected by a lock: the runtime library's `Mutex`.
package typealias Locked<Value: ~Copyable> = Mutex<Value>
#endif
