import Glibc

/// Threads that paint bands; they sleep while there is nothing to paint.
///
/// `@unchecked Sendable`: every stored property is either constant or touched with `mutex` held, and
/// `turn` lets one caller's job take the place of another's only when that is over.
package final class WorkerPool: @unchecked Sendable {
    /// How many bands can run at once, the caller's thread included.
    package let width: Int
    private let niceness: Int32
    /// Held by the caller whose bands are being run.
    private let turn = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let done = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var job: (@Sendable (Int) -> Void)?
    private var next = 0
    private var count = 0
    private var running = 0
    private var started = 0

    /// Its own threads stand back behind others by `niceness`.
    package init(width: Int, niceness: Int32 = 0) {
        self.width = max(1, width)
        self.niceness = niceness
        pthread_mutex_init(turn, nil)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(wake, nil)
        pthread_cond_init(done, nil)
    }

    /// Calls `body` once for each number below `count`, on several threads, and returns when all
    /// are done; other callers wait until then, and the body must not be one.
    package func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        guard count > 1, width > 1 else {
            for number in 0..<count { body(number) }
            return
        }
        // The body cannot outlive this call: it is taken away again before the return, and no
        // thread is inside it by then.
        withoutActuallyEscaping(body) { body in
            pthread_mutex_lock(turn)
            defer { pthread_mutex_unlock(turn) }
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
    }

    /// Takes bands until there are none left; the mutex is held before and after.
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
