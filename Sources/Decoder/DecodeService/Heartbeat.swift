import CLinux
import ImageTypes
import ImageWire
import Glibc
import Threads

/// Sends progress messages to the viewer while a library keeps the decoder's thread busy, so that the
/// viewer does not take slow decoding for a hang.
///
/// It sends only while the process consumes processor time: the viewer takes silence for a file that
/// does not arrive. When the codec itself has made no progress for `longestSilence`, the request fails:
/// the codec is in an endless loop.
///
/// `@unchecked Sendable`: mutable state is touched only with `mutex` held, and the thread retains the
/// object. It uses a condition variable because the sandbox forbids eventfd(2).
package final class Heartbeat: @unchecked Sendable {
    private let socket: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The request at work; nil while there is none.
    private var picture: Int?
    /// When the codec last reported progress, in seconds on CLOCK_MONOTONIC.
    private var lastProgress = 0.0
    /// Processor time at the last beat, in seconds.
    private var lastWork = 0.0
    private var hasThread = false

    /// Time between two beats, in seconds.
    private static let interval = 1
    private let longestSilence: Double
    /// Processor time between two beats, in seconds, below which the process counts as waiting.
    private static let leastWork = 0.02

    /// `longestSilence` is how long the codec may report no progress, in seconds.
    package init(socket: Int32, longestSilence: Double = 60) {
        self.socket = socket
        self.longestSilence = longestSilence
        pthread_mutex_init(mutex, nil)
        // The wall clock may be set back during a wait.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(wake, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    // Runs only if no thread was started, because the thread retains the object.
    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(mutex)
        wake.deallocate()
        mutex.deallocate()
    }

    /// Starts beating for the request with the number `picture`.
    package func begin(_ picture: Int) {
        pthread_mutex_lock(mutex)
        self.picture = picture
        lastProgress = Self.time(CLOCK_MONOTONIC)
        lastWork = Self.time(CLOCK_PROCESS_CPUTIME_ID)
        let isFirst = !hasThread
        hasThread = true
        pthread_cond_signal(wake)
        pthread_mutex_unlock(mutex)
        if isFirst { Thread.start { [self] in beat() } }
    }

    /// Stops beating.
    package func end() {
        pthread_mutex_lock(mutex)
        picture = nil
        pthread_mutex_unlock(mutex)
    }

    /// The codec reports progress.
    func progressed() {
        pthread_mutex_lock(mutex)
        lastProgress = Self.time(CLOCK_MONOTONIC)
        pthread_mutex_unlock(mutex)
    }

    private func beat() {
        pthread_mutex_lock(mutex)
        while true {
            guard picture != nil else {
                pthread_cond_wait(wake, mutex)
                continue
            }
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            end.tv_sec += Self.interval
            if pthread_cond_timedwait(wake, mutex, &end) == ETIMEDOUT { sendProgress() }
        }
    }

    /// Called with the mutex held, so that no progress message follows `end`.
    private func sendProgress() {
        let work = Self.time(CLOCK_PROCESS_CPUTIME_ID)
        let hasWorked = work - lastWork >= Self.leastWork
        lastWork = work
        guard let picture, hasWorked else { return }
        let isLoop = Self.time(CLOCK_MONOTONIC) - lastProgress >= longestSilence
        if isLoop { self.picture = nil }
        let reply: DecodeReply = isLoop ? .failed(id: picture, .hung) : .progress(id: picture)
        let bytes = reply.bytes
        _ = bytes.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, -1) }
    }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
