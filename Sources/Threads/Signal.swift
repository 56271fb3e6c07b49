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
        pthread_cond_init(condition, nil)
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

    /// Returns once the flag was raised, and lowers it.
    package func wait() {
        pthread_mutex_lock(mutex)
        while !isRaised { pthread_cond_wait(condition, mutex) }
        isRaised = false
        pthread_mutex_unlock(mutex)
    }
}
