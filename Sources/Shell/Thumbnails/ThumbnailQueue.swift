import CLinux
package import ImageTypes
import Threads

/// Gets thumbnails of what can be seen, the nearest first, from the cache or through decoders.
///
/// It belongs to a poll loop: poll `pollDescriptor`, then call `handleReadable`. Nothing here waits
/// for a disk or a decoder: as many threads as there are processors do, each with a decoder process
/// of its own.
package final class ThumbnailQueue {
    private let board: ThumbnailJobs
    private let source: (ThumbnailKey) -> ThumbnailSource?
    private var shelf: ThumbnailStore
    private var wants: [ThumbnailWant] = []
    /// Where in `wants` each picture is first.
    private var ranks: [ThumbnailKey: Int] = [:]

    /// Starts the workers; `source` tells where a picture is read from, nil where it is no more.
    ///
    /// `budget` is in bytes of pixels, reductions included. Without a cache everything is made anew.
    /// Colours are those of `screen`, sRGB's where it is nil; the cache's are sRGB's always.
    package init(
        decoderPath: String, cache: ThumbnailCache?, budget: Int, workers: Int? = nil,
        limits: DecodeLimits = .standard, screen: ScreenProfile? = nil,
        source: @escaping (ThumbnailKey) -> ThumbnailSource?
    ) {
        let count = max(1, workers ?? Int(clinux_processor_count()))
        let board = ThumbnailJobs(workers: count)
        self.board = board
        self.source = source
        shelf = ThumbnailStore(budget: budget)
        for number in 0..<count {
            // Those that can be had do the work; without any, cells stay empty.
            Thread.start {
                ThumbnailWorker(
                    number, board, cache, decoderPath: decoderPath, limits: limits, screen: screen
                ).run()
            }
        }
    }

    deinit { board.stop() }

    /// Readable when there are outcomes.
    package var pollDescriptor: Int32 { board.done.descriptor }

    /// Bytes of the thumbnails in memory.
    package var bytesInMemory: Int { shelf.bytes }

    // MARK: Asking

    /// Wants these, nearest first, and no others any more: what waits is forgotten, and what is
    /// under way is called off unless it is among them.
    ///
    /// Call it with every frame that scrolls; what is there already costs nothing.
    package func want(_ wants: [ThumbnailWant]) {
        guard wants != self.wants else { return }
        self.wants = wants
        ranks.removeAll(keepingCapacity: true)
        for (rank, want) in wants.enumerated() where ranks[want.key] == nil {
            ranks[want.key] = rank
        }
        plan()
    }

    /// What can be shown of a picture now: the thumbnail, or a smaller one.
    package func bitmap(_ key: ThumbnailKey) -> Bitmap? { shelf.bitmap(key) }

    /// Whether nothing better than what is there will come of what is wanted.
    package func isSettled(_ want: ThumbnailWant) -> Bool {
        shelf.isSettled(want.key, ThumbnailSize(covering: want.side))
    }

    /// Tries again what could not be had, unless the file as it is will fail again.
    package func forgetPassingFailures() {
        shelf.forgetPassingFailures()
        plan()
    }

    /// The mean of a picture's pixels as 0xAARRGGBB, premultiplied.
    ///
    /// Known from the first thumbnail on for as long as the queue lives; `picture` is a key's.
    package func averageColor(picture: Int) -> UInt32? { shelf.color(of: picture) }

    /// Whether a thumbnail shows only a part of its picture: the file is damaged.
    package func isDamaged(_ key: ThumbnailKey) -> Bool { shelf.isDamaged(key) }

    /// Why there is no thumbnail of a picture.
    package func brokenReason(_ key: ThumbnailKey) -> String? { shelf.reason(key) }

    /// Pins up what is missing.
    ///
    /// The budget goes to the nearest; those it does not reach are not got at all, since they would
    /// drive out nearer ones.
    private func plan() {
        shelf.beginTurn()
        var jobs: [ThumbnailJobs.Job] = []
        var bytes = 0
        for (rank, want) in wants.enumerated() where ranks[want.key] == rank {
            let size = ThumbnailSize(covering: want.side)
            bytes += shelf.want(want.key, size, rank: rank)
            guard bytes <= shelf.budget || rank == 0 else { continue }
            guard !shelf.isSettled(want.key, size), let source = source(want.key) else { continue }
            jobs.append(ThumbnailJobs.Job(key: want.key, source: source, size: size))
        }
        board.replace(jobs) { ranks[$0] != nil }
    }

    // MARK: Answers

    /// Takes what the workers have done.
    package func handleReadable() -> [ThumbnailOutcome] {
        let results = board.takeResults()
        let outcomes = results.compactMap { outcome(of: $0, $1) }
        // A picture may be wanted larger by now than it was when the job was taken.
        if !results.isEmpty { plan() }
        return outcomes
    }

    private func outcome(
        of job: ThumbnailJobs.Job, _ result: ThumbnailJobs.Result
    ) -> ThumbnailOutcome? {
        let rank = ranks[job.key]
        switch result {
        case .preview(let bitmap, let color):
            shelf.insert(job.key, bitmap, for: nil, color: color, rank: rank ?? wants.count)
        case .thumbnail(let bitmap, let color, let isWhole):
            shelf.note(job.key, isWhole: isWhole)
            shelf.insert(job.key, bitmap, for: job.size, color: color, rank: rank ?? wants.count)
        case .broken(let reason, let isLasting):
            shelf.insert(job.key, reason: reason, isLasting: isLasting)
            return rank.map { .broken(index: wants[$0].index, key: job.key, reason: reason) }
        }
        guard let rank, let bitmap = shelf.bitmap(job.key) else { return nil }
        return .ready(index: wants[rank].index, key: job.key, bitmap)
    }
}
