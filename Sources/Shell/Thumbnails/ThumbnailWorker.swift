import CLinux
import DecodeClient
import ImageWire
import Geometry
import Glibc
import Motion
import ImageTypes

/// A thread of the queue with a decoder of its own: takes jobs from the board until it is stopped.
///
/// Everything that can wait for a disk or for a decoder waits here.
final class ThumbnailWorker {
    private let number: Int
    private let board: ThumbnailJobs
    private let cache: ThumbnailCache?
    private let decoder: ThumbnailDecoder

    init(
        _ number: Int, _ board: ThumbnailJobs, _ cache: ThumbnailCache?, decoderPath: String,
        limits: DecodeLimits, screen: ScreenProfile?
    ) {
        self.number = number
        self.board = board
        self.cache = cache
        decoder = ThumbnailDecoder(
            decoderPath, limits: limits, screen: screen, wakeup: board.wakeups[number])
    }

    func run() {
        while !board.isStopped {
            guard let job = board.take(number) else {
                decoder.waitForWakeup()
                continue
            }
            perform(job)
            board.finish(number)
        }
    }

    private func perform(_ job: ThumbnailJobs.Job) {
        do throws(DecodeFailure) {
            let descriptor = try open(job.source)
            defer { close(descriptor) }
            var info = stat()
            guard case .file(let path) = job.source, fstat(descriptor, &info) == 0, let cache else {
                return make(job, descriptor, nil)
            }
            let picture = PictureIdentity(path: path, info)
            if picture.isFresh || !load(job, picture, cache) { make(job, descriptor, picture) }
        } catch {
            fail(job, error)
        }
    }

    private func open(_ source: ThumbnailSource) throws(DecodeFailure) -> Int32 {
        switch source {
        case .file(let path): return try PictureFile.open(path)
        case .memory(let descriptor):
            let copy = dup(descriptor)
            guard copy >= 0 else { throw .unreadable(reason: PictureFile.words(errno)) }
            return copy
        }
    }

    // MARK: From the cache

    /// Gets what the cache has: the size, a larger one, a failure, or for the time being a smaller
    /// one; whether nothing is left to be done.
    private func load(
        _ job: ThumbnailJobs.Job, _ picture: PictureIdentity, _ cache: ThumbnailCache
    ) -> Bool {
        for size in ThumbnailSize.allCases where size >= job.size {
            guard let bitmap = load(size, job, picture, cache) else { continue }
            post(bitmap, of: job)
            return true
        }
        if let reason = cache.failure(of: picture) {
            board.post(.broken(reason: reason, isLasting: true), of: job)
            return true
        }
        for size in ThumbnailSize.allCases.reversed() where size < job.size {
            guard let bitmap = load(size, job, picture, cache) else { continue }
            // One that does not fill its size is as large as the picture is.
            let isWhole = max(bitmap.size.width, bitmap.size.height) < size.side
            post(bitmap, of: job, isPreview: !isWhole)
            return isWhole
        }
        return false
    }

    private func load(
        _ size: ThumbnailSize, _ job: ThumbnailJobs.Job, _ picture: PictureIdentity,
        _ cache: ThumbnailCache
    ) -> Bitmap? {
        guard let descriptor = cache.open(size, of: picture) else { return nil }
        let request = ThumbnailRequest(side: job.size.side, wantsFile: false)
        // Over in no time, so that it is never called off. A bad one is made anew.
        guard case .made(let made) = decoder.ask(request, descriptor, isCancelled: { false }),
            made.isWhole
        else { return nil }
        return made.bitmap
    }

    // MARK: Anew

    private func make(
        _ job: ThumbnailJobs.Job, _ descriptor: Int32, _ picture: PictureIdentity?
    ) {
        // What may change within the second is not kept.
        let kept = picture.flatMap { $0.isFresh ? nil : $0 }
        let copy = dup(descriptor)
        guard copy >= 0 else {
            return fail(job, .unreadable(reason: PictureFile.words(errno)))
        }
        let request = ThumbnailRequest(side: job.size.side, wantsFile: kept != nil)
        switch decoder.ask(request, copy, isCancelled: { board.isCancelled(number) }) {
        case .cancelled: return
        case .made(let made):
            post(made.bitmap, of: job, isWhole: made.isWhole)
            // What is missing today may be there tomorrow, and others take the cache's for the picture.
            guard made.isWhole, let kept, let cache else { return }
            cache.store(
                made.file, made.bitmap.size, as: job.size, of: kept, of: made.pictureSize)
        case .failed(let failure):
            fail(job, failure)
            if let kept, failure.isOfTheFile { cache?.storeFailure("\(failure)", of: kept) }
        }
    }

    private func fail(_ job: ThumbnailJobs.Job, _ failure: DecodeFailure) {
        board.post(.broken(reason: "\(failure)", isLasting: failure.isLasting), of: job)
    }

    private func post(
        _ bitmap: Bitmap, of job: ThumbnailJobs.Job, isPreview: Bool = false, isWhole: Bool = true
    ) {
        let color = bitmap.averageColor
        board.post(
            isPreview
                ? .preview(bitmap, color: color)
                : .thumbnail(bitmap, color: color, isWhole: isWhole), of: job)
    }
}

extension DecodeFailure {
    /// Whether the same file will fail again, so that trying is a waste.
    fileprivate var isLasting: Bool {
        switch self {
        case .notAPicture, .noLibrary, .empty, .cutShort, .damaged, .tooLarge, .crashed, .hung,
            .endless, .spent:
            true
        case .notAFile, .unreadable, .badReply: false
        }
    }

    /// Whether other settings, libraries or hours bring no better, so that it is kept for other
    /// runs.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .notAPicture, .empty, .cutShort, .damaged: true
        case .noLibrary, .tooLarge, .crashed, .hung, .endless, .spent, .notAFile, .unreadable,
            .badReply:
            false
        }
    }
}
