import EventLoop
import CLinux
package import DecodeClient
package import FileAccess
package import Geometry
package import ImageTypes
package import Motion
import Threads

/// Gets thumbnails of visible pictures from the cache or from decoders, the nearest first.
///
/// For use in a poll loop: poll `pollDescriptor`, then call `handleReadable`; at `deadline` call
/// `handleDeadline`. No method waits for a disk or a decoder. Worker threads do: one more
/// than processors, each with a fork server of its own for its decoders.
package final class ThumbnailQueue {
    private let jobs: ThumbnailJobs
    private let clock: () -> Moment
    private let source: (ThumbnailKey) -> ThumbnailSource?
    private var store: ThumbnailStore
    private var wants: [ThumbnailWant] = []
    /// The first index of each picture in `wants`.
    private var ranks: [ThumbnailKey: Int] = [:]

    /// Starts the workers; `source` returns where a picture is read from, nil if it is gone.
    ///
    /// `budget` is in bytes of pixels, including mip levels. Without a cache every thumbnail is
    /// made again. Colours are those of `screen`, or of sRGB if nil; the cache always uses sRGB.
    /// Files are opened by the server of `files`, by default on threads of this process.
    /// `clock` measures the pauses before other attempts, by default in real time.
    package convenience init(
        program: DecoderProgram, cache: ThumbnailCache?, budget: Int, workers: Int? = nil,
        limits: DecodeLimits = .standard, screen: ScreenProfile? = nil,
        files: FileClient? = nil, clock: (() -> Moment)? = nil,
        source: @escaping (ThumbnailKey) -> ThumbnailSource?
    ) {
        // One more than there are processors, since workers wait for files, decoders and the disk.
        let count = max(1, workers ?? Int(clinux_processor_count()) + 1)
        let jobs = ThumbnailJobs(workers: count)
        self.init(jobs, budget: budget, clock: clock ?? MonotonicClock.now, source: source)
        for number in 0..<count {
            // The threads that can be started do the work; without any, every thumbnail fails.
            let files = files?.connect()
            let isStarted = Thread.start(niceness: ThumbnailDecoder.niceness) {
                ThumbnailWorker(
                    number, jobs, cache, program: program, limits: limits,
                    screen: screen, files: files
                ).run()
            }
            if !isStarted { jobs.remove(worker: number) }
        }
    }

    /// A queue whose jobs are done by the caller.
    init(
        _ jobs: ThumbnailJobs, budget: Int, clock: @escaping () -> Moment,
        source: @escaping (ThumbnailKey) -> ThumbnailSource?
    ) {
        self.jobs = jobs
        self.clock = clock
        self.source = source
        store = ThumbnailStore(budget: budget)
    }

    deinit { jobs.stop() }

    /// Readable when there are outcomes.
    package var pollDescriptor: Int32 { jobs.done.descriptor }

    /// Bytes of the thumbnails in memory.
    package var bytesInMemory: Int { store.bytes }

    /// The most memory for thumbnails, in bytes of pixels, including mip levels.
    package var budget: Int {
        get { store.budget }
        set { store.budget = newValue }
    }

    // MARK: Requests

    /// Requests these thumbnails, nearest first, and no others any more.
    ///
    /// Waiting jobs for other pictures are dropped, and running ones are cancelled. Call this
    /// method with every frame that scrolls; thumbnails in memory cost nothing.
    package func want(_ wants: [ThumbnailWant]) {
        guard wants != self.wants else { return }
        self.wants = wants
        ranks.removeAll(keepingCapacity: true)
        for (rank, want) in wants.enumerated() where ranks[want.key] == nil {
            ranks[want.key] = rank
        }
        plan()
    }

    /// The thumbnail that can be shown now, or a smaller one; nil if there is none.
    package func bitmap(_ key: ThumbnailKey) -> Bitmap? { store.bitmap(key) }

    /// Whether no better thumbnail will follow for a request, unless a later attempt succeeds.
    package func isSettled(_ want: ThumbnailWant) -> Bool {
        store.isSettled(want.key, ThumbnailSize(covering: want.side))
    }

    /// The size of a picture, in pixels, whose settled thumbnail is the whole picture because that is smaller than
    /// the thumbnail might be; nil for others.
    package func unscaledSize(_ want: ThumbnailWant) -> PixelSize? {
        guard isSettled(want), let size = bitmap(want.key)?.size, !isDamaged(want.key) else {
            return nil
        }
        return max(size.width, size.height) < ThumbnailSize(covering: want.side).side ? size : nil
    }

    /// Has the next `want` retry thumbnails of files that could not be read, for cells that come into view.
    ///
    /// Nobody looks at the permissions of files out of sight.
    package func forgetFailures(thatMayBeOver keys: Set<ThumbnailKey>) {
        // The same wants as before have to be planned, too.
        if store.forgetFailures(thatMayBeOver: keys) { wants = [] }
    }

    /// Retries thumbnails that failed, unless the unchanged file will fail again.
    package func forgetTemporaryFailures() {
        store.forgetTemporaryFailures()
        plan()
    }

    /// Forgets everything about these pictures (`ThumbnailKey.picture`), which are gone or have changed.
    package func forget(_ pictures: Set<Int>) {
        guard !pictures.isEmpty else { return }
        store.forget(pictures)
    }

    /// Releases all thumbnails but those of `keys`, and requests no others, because memory is short.
    package func releaseMemory(keeping keys: Set<ThumbnailKey>) {
        store.evict(keeping: keys)
        want(wants.filter { keys.contains($0.key) })
    }

    /// The mean of a picture's pixels as 0xAARRGGBB, premultiplied.
    ///
    /// Known from the first thumbnail on, until the picture is forgotten. `picture` is
    /// `ThumbnailKey.picture`.
    package func averageColor(picture: Int) -> UInt32? { store.color(of: picture) }

    /// Whether a thumbnail shows only part of its picture because the file is damaged.
    package func isDamaged(_ key: ThumbnailKey) -> Bool { store.isDamaged(key) }

    /// Why a picture has no thumbnail; nil without a failure.
    package func brokenReason(_ key: ThumbnailKey) -> String? { store.reason(key) }

    // MARK: Attempts

    /// When wanted thumbnails are tried again whose failure may not be the fault of their picture;
    /// nil while there are none.
    package var deadline: Moment? { store.retryDeadline { ranks[$0] != nil } }

    /// Tries the thumbnails again whose pause is over.
    package func handleDeadline() {
        store.endPauses(at: clock()) { ranks[$0] != nil }
        plan()
    }

    /// Posts jobs for the missing thumbnails.
    ///
    /// The nearest thumbnails get the budget. Thumbnails beyond the budget are not loaded, because
    /// they would evict nearer ones.
    private func plan() {
        store.beginTurn()
        var waiting: [ThumbnailJobs.Job] = []
        var bytes = 0
        for (rank, want) in wants.enumerated() where ranks[want.key] == rank {
            let size = ThumbnailSize(covering: want.side)
            bytes += store.want(
                want.key, size, proportion: min(max(want.proportion, 0), 1), rank: rank)
            guard bytes <= store.budget || rank == 0 else { continue }
            guard !store.isSettled(want.key, size), let source = source(want.key) else { continue }
            waiting.append(ThumbnailJobs.Job(key: want.key, source: source, size: size))
        }
        jobs.replace(waiting) { ranks[$0] != nil }
    }

    // MARK: Results

    /// Collects the results of the workers; returns outcomes for pictures that are still wanted.
    package func handleReadable() -> [ThumbnailOutcome] {
        let results = jobs.fetchResults()
        let outcomes = results.compactMap { outcome(of: $0, $1) }
        // A picture may be wanted larger by now than at the start of its job.
        if !results.isEmpty { plan() }
        return outcomes
    }

    private func outcome(
        of job: ThumbnailJobs.Job, _ result: ThumbnailJobs.Result
    ) -> ThumbnailOutcome? {
        // Nobody would forget what is stored of a picture that is gone.
        guard source(job.key) != nil else { return nil }
        let rank = ranks[job.key]
        switch result {
        case .preview(let bitmap, let color):
            store.insert(job.key, bitmap, for: nil, color: color, rank: rank ?? wants.count)
        case .thumbnail(let bitmap, let color, let isWhole):
            store.note(job.key, isWhole: isWhole)
            store.insert(job.key, bitmap, for: job.size, color: color, rank: rank ?? wants.count)
        case .broken(let reason, let policy):
            if job.size.folder == nil, let bitmap = store.settleForLess(job.key, job.size) {
                // The thumbnail stays: only sharper pixels cannot be made.
                return rank.map { .ready(index: wants[$0].index, key: job.key, bitmap) }
            }
            store.insert(job.key, reason: reason, policy, now: clock())
            if let rank, let bitmap = store.bitmap(job.key) {
                // The smaller thumbnail stays until another attempt succeeds.
                return .ready(index: wants[rank].index, key: job.key, bitmap)
            }
            return rank.map { .broken(index: wants[$0].index, key: job.key, reason: reason) }
        }
        guard let rank, let bitmap = store.bitmap(job.key) else { return nil }
        return .ready(index: wants[rank].index, key: job.key, bitmap)
    }
}
