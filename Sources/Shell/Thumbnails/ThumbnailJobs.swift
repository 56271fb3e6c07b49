import ImageTypes
import Synchronization
import Threads

/// Where the queue pins up what is to be done and its workers pin up what they have done.
final class ThumbnailJobs: Sendable {
    /// One thumbnail to be got.
    struct Job: Hashable, Sendable {
        var key: ThumbnailKey
        var source: ThumbnailSource
        var size: ThumbnailSize
    }

    enum Result: Sendable {
        /// A smaller thumbnail to be shown meanwhile.
        case preview(Bitmap, color: UInt32)
        case thumbnail(Bitmap, color: UInt32, isWhole: Bool)
        /// There is none; `isLasting` if the file as it is will fail again.
        case broken(reason: String, isLasting: Bool)
    }

    private struct State {
        /// Most urgent first.
        var waiting: ArraySlice<Job> = []
        /// What each worker is at.
        var running: [Job?]
        var isCancelled: [Bool]
        var results: [(Job, Result)] = []
        var isStopped = false
    }

    /// Raised when there are results.
    let done = Wakeup()
    /// One for each worker: there is something to do, or to stop.
    let wakeups: [Wakeup]
    private let state: Mutex<State>

    init(workers: Int) {
        wakeups = (0..<workers).map { _ in Wakeup() }
        state = Mutex(
            State(
                running: Array(repeating: nil, count: workers),
                isCancelled: Array(repeating: false, count: workers)))
    }

    // MARK: The queue's side

    /// Puts these jobs, most urgent first, in the place of all that wait.
    ///
    /// Those under way go on if their picture is wanted, else they are called off. No picture is
    /// worked on twice at once.
    func replace(_ jobs: [Job], isWanted: (ThumbnailKey) -> Bool) {
        let awakened = state.withLock { state in
            var awakened: [Int] = []
            var busy: Set<ThumbnailKey> = []
            for (worker, job) in state.running.enumerated() {
                guard let job else { continue }
                if isWanted(job.key), !state.isCancelled[worker] {
                    busy.insert(job.key)
                } else {
                    state.isCancelled[worker] = true
                    awakened.append(worker)
                }
            }
            state.waiting = jobs.filter { !busy.contains($0.key) }[...]
            let idle = state.running.indices.filter { state.running[$0] == nil }
            return awakened + idle.prefix(state.waiting.count)
        }
        for worker in awakened { wakeups[worker].raise() }
    }

    func takeResults() -> [(Job, Result)] {
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

    // MARK: The workers' side

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The most urgent job, from here on this worker's; nil where there is none.
    func take(_ worker: Int) -> Job? {
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

    /// The worker is done with its job, whatever came of it.
    func finish(_ worker: Int) {
        state.withLock { $0.running[worker] = nil }
    }
}
