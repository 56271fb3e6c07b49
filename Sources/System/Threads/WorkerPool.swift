import Glibc

/// Threads that paint bands in parallel; they sleep while there is no job.
///
/// `@unchecked Sendable`: every stored property is either constant or touched with `mutex` held.
/// `callerLock` serializes callers: a job starts only after the previous job has ended.
package final class WorkerPool: @unchecked Sendable {
    /// How many bands run at once, including the one on the caller's thread.
    package let width: Int
    private let niceness: Int32
    /// Held by the caller whose job is running.
    private let callerLock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let done = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var job: (@Sendable (Int) -> Void)?
    private var next = 0
    private var count = 0
    private var running = 0
    private var started = 0

    /// The pool's threads have the nice value `niceness`.
    package init(width: Int, niceness: Int32 = 0) {
        self.width = max(1, width)
        self.niceness = niceness
        pthread_mutex_init(callerLock, nil)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(wake, nil)
        pthread_cond_init(done, nil)
    }

    /// No thread uses the pool: a thread that was started keeps the pool for ever.
    deinit {
        for lock in [callerLock, mutex] {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
        for condition in [wake, done] {
            pthread_cond_destroy(condition)
            condition.deallocate()
        }
    }

    /// Calls `body` once for each number below `count`, on several threads, and returns when all calls
    /// have returned.
    ///
    /// Other callers wait until then; `body` must not call `run` itself.
    package func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        guard count > 1, width > 1 else {
            for number in 0..<count { body(number) }
            return
        }
        pthread_mutex_lock(callerLock)
        defer { pthread_mutex_unlock(callerLock) }
        pthread_mutex_lock(mutex)
        startThreads(count - 1)
        job = body
        next = 0
        self.count = count
        pthread_cond_broadcast(wake)
        work()
        while running > 0 { pthread_cond_wait(done, mutex) }
        job = nil
        pthread_mutex_unlock(mutex)
    }

    /// Runs bands until none are left; the mutex is held before and after.
    private func work() {
        while let job, next < count {
            let number = next
            next += 1
            running += 1
            pthread_mutex_unlock(mutex)
            job(number)
            pthread_mutex_lock(mutex)
            running -= 1
        }
        if running == 0 { pthread_cond_signal(done) }
    }

    private func startThreads(_ wanted: Int) {
        while started < min(wanted, width - 1) {
            started += 1
            Thread.start(niceness: niceness) { [self] in
                pthread_mutex_lock(mutex)
                while true {
                    work()
                    pthread_cond_wait(wake, mutex)
                }
            }
        }
    }
}
