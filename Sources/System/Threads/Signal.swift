import Glibc

/// A flag that one thread raises and another waits for.
///
/// `@unchecked Sendable`: the flag is touched only with the mutex held.
package final class Signal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRaised = false

    package init() {
        pthread_mutex_init(mutex, nil)
        // The wall clock may be set back during a wait.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func raise() {
        pthread_mutex_lock(mutex)
        isRaised = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until the flag is raised, then lowers it.
    package func wait() {
        pthread_mutex_lock(mutex)
        while !isRaised { pthread_cond_wait(condition, mutex) }
        isRaised = false
        pthread_mutex_unlock(mutex)
    }

    /// Waits like `wait()`, but at most this many milliseconds; returns whether the flag was raised.
    package func wait(atMost milliseconds: Int) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + milliseconds * 1_000_000
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isRaised, pthread_cond_timedwait(condition, mutex, &end) == 0 {}
        defer { isRaised = false }
        return isRaised
    }
}
