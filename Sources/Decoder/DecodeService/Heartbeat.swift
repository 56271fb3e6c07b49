import CLinux
import ImageWire
import Glibc
import Threads

/// Tells the viewer that the decoder is at work while a library keeps its thread for long, so that a
/// slow machine's patience is not taken for a hang.
///
/// It tells only while processor time passes, and for a minute at most without a sign of progress from
/// the codec itself: a loop for ever is still found out.
///
/// `@unchecked Sendable`: what changes is touched only with `mutex` held, and the thread keeps the
/// object. A condition and not an eventfd, which the cage forbids.
package final class Heartbeat: @unchecked Sendable {
    private let socket: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The picture at work; nil while there is none.
    private var picture: Int?
    /// In seconds.
    private var lastProgress = 0.0
    /// Processor time at the last beat, in seconds.
    private var lastWork = 0.0
    private var hasThread = false

    /// Between two beats, in seconds.
    private static let pause = 1
    private let longestSilence: Double
    /// Less processor time between two beats, in seconds, is waiting and not work.
    private static let leastWork = 0.1

    /// `longestSilence` is how long the codec may give no sign of progress, in seconds.
    package init(socket: Int32, longestSilence: Double = 60) {
        self.socket = socket
        self.longestSilence = longestSilence
        pthread_mutex_init(mutex, nil)
        // The time of day may be set back meanwhile.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(wake, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    /// Only before there is a thread, which keeps it.
    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(mutex)
        wake.deallocate()
        mutex.deallocate()
    }

    /// Work on a picture begins.
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

    package func end() {
        pthread_mutex_lock(mutex)
        picture = nil
        pthread_mutex_unlock(mutex)
    }

    /// The codec has got on.
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
            end.tv_sec += Self.pause
            if pthread_cond_timedwait(wake, mutex, &end) == ETIMEDOUT { tell() }
        }
    }

    /// With the mutex held: so no sign of life comes after the end.
    private func tell() {
        let work = Self.time(CLOCK_PROCESS_CPUTIME_ID)
        let hasWorked = work - lastWork >= Self.leastWork
        lastWork = work
        guard let picture, hasWorked,
            Self.time(CLOCK_MONOTONIC) - lastProgress < longestSilence
        else { return }
        let bytes = DecodeReply.progress(id: picture).bytes
        _ = bytes.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, -1) }
    }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
