import ImageTypes
import Localization
import Synchronization
import Threads

/// Passes jobs from the thumbnail queue to its workers, and results back to the queue.
final class ThumbnailJobs: Sendable {
    /// One thumbnail to load or to make.
    struct Job: Hashable, Sendable {
        var key: ThumbnailKey
        var source: ThumbnailSource
        var size: ThumbnailSize
    }

    enum Result: Sendable {
        /// A smaller thumbnail to show in the meantime.
        case preview(Bitmap, color: UInt32)
        case thumbnail(Bitmap, color: UInt32, isWhole: Bool)
        /// No thumbnail can be made now.
        case broken(reason: String, RetryPolicy)
    }

    private struct State {
        /// Most urgent first.
        var waiting: ArraySlice<Job> = []
        /// Larger thumbnails of pictures whose present job is still running.
        var deferred: [ThumbnailKey: Job] = [:]
        /// The present job of each worker.
        var running: [Job?]
        var isCancelled: [Bool]
        var results: [(Job, Result)] = []
        /// Whether the thread of each worker could be started.
        var isStarted: [Bool]
        var isStopped = false
    }

    /// Raised when there are results.
    let done = Wakeup()
    /// One for each worker: raised for a new job, a cancellation, or a stop.
    let wakeups: [Wakeup]
    private let state: Mutex<State>

    init(workers: Int) {
        wakeups = (0..<workers).map { _ in Wakeup() }
        state = Mutex(
            State(
                running: Array(repeating: nil, count: workers),
                isCancelled: Array(repeating: false, count: workers),
                isStarted: Array(repeating: true, count: workers)))
    }

    /// Gives no jobs to a worker, because its thread cannot be started.
    func remove(worker: Int) { state.withLock { $0.isStarted[worker] = false } }

    // MARK: Queue

    /// Replaces all waiting jobs by these, most urgent first.
    ///
    /// A running job continues if its picture is still wanted, else the job is cancelled. No two
    /// workers process the same picture at the same time: a larger thumbnail of a picture waits for
    /// the end of its running job, which may have given its result already.
    func replace(_ jobs: [Job], isWanted: (ThumbnailKey) -> Bool) {
        let awakened = state.withLock { state in
            var awakened: [Int] = []
            var busy: [ThumbnailKey: ThumbnailSize] = [:]
            for (worker, job) in state.running.enumerated() {
                guard let job else { continue }
                if isWanted(job.key), !state.isCancelled[worker] {
                    busy[job.key] = job.size
                } else {
                    state.isCancelled[worker] = true
                    awakened.append(worker)
                }
            }
            state.waiting = jobs.filter { busy[$0.key] == nil }[...]
            state.deferred = [:]
            for job in jobs {
                if let size = busy[job.key], job.size > size { state.deferred[job.key] = job }
            }
            let idle = state.running.indices.filter {
                state.running[$0] == nil && state.isStarted[$0]
            }
            guard state.isStarted.contains(true) else {
                state.results += state.waiting.map {
                    ($0, .broken(reason: localized("no thread can be started"), .never))
                }
                state.waiting = []
                done.raise()
                return awakened
            }
            return awakened + idle.prefix(state.waiting.count)
        }
        for worker in awakened { wakeups[worker].raise() }
    }

    func fetchResults() -> [(Job, Result)] {
        done.lower()
        return state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.isCancelled = state.isCancelled.map { _ in true }
        }
        for wakeup in wakeups { wakeup.raise() }
    }

    // MARK: Workers

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Assigns the most urgent job to a worker; nil if there is none.
    func assign(to worker: Int) -> Job? {
        state.withLock { state in
            guard !state.isStopped, let job = state.waiting.popFirst() else { return nil }
            state.running[worker] = job
            state.isCancelled[worker] = false
            return job
        }
    }

    func isCancelled(_ worker: Int) -> Bool { state.withLock { $0.isCancelled[worker] } }

    func post(_ result: Result, of job: Job) {
        state.withLock { $0.results.append((job, result)) }
        done.raise()
    }

    /// Marks a worker as idle, whatever the result of its job; the worker then asks for the next one.
    func finish(_ worker: Int) {
        state.withLock { state in
            guard let job = state.running[worker] else { return }
            state.running[worker] = nil
            guard let larger = state.deferred.removeValue(forKey: job.key) else { return }
            state.waiting = [larger] + state.waiting
        }
    }
}
