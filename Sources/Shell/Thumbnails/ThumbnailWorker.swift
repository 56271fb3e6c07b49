import CLinux
import DecodeClient
import FileAccess
import ImageWire
import Geometry
import Glibc
import Motion
import ImageTypes

/// A worker thread of the queue with its own decoder, which handles jobs until it is stopped.
///
/// All waiting for a disk or a decoder, and the encoding for the cache, happen here.
final class ThumbnailWorker {
    private let number: Int
    private let jobs: ThumbnailJobs
    private let cache: ThumbnailCache?
    private let decoder: ThumbnailDecoder

    init(
        _ number: Int, _ jobs: ThumbnailJobs, _ cache: ThumbnailCache?, decoderPath: String,
        limits: DecodeLimits, screen: ScreenProfile?
    ) {
        self.number = number
        self.jobs = jobs
        self.cache = cache
        decoder = ThumbnailDecoder(
            decoderPath, limits: limits, screen: screen, wakeup: jobs.wakeups[number])
    }

    func run() {
        while !jobs.isStopped {
            guard let job = jobs.assign(to: number) else {
                decoder.waitForWakeup()
                continue
            }
            perform(job)
            jobs.finish(number)
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
            fail(job, error, error.isLasting ? .never : .afterFolderChange)
        }
    }

    private func open(_ source: ThumbnailSource) throws(DecodeFailure) -> Int32 {
        switch source {
        case .file(let path): return try PictureFile.open(path).descriptor
        case .memory(let descriptor): return try PictureFile.duplicate(descriptor)
        }
    }

    // MARK: Loading

    /// Loads the thumbnail, a larger one, a failure, or a smaller preview from the cache.
    ///
    /// Returns whether the job is done.
    private func load(
        _ job: ThumbnailJobs.Job, _ picture: PictureIdentity, _ cache: ThumbnailCache
    ) -> Bool {
        for size in ThumbnailSize.cached where size >= job.size {
            guard let bitmap = load(size, job, picture, cache) else { continue }
            post(bitmap, of: job)
            return true
        }
        if let reason = cache.failure(of: picture) {
            jobs.post(.broken(reason: reason, .never), of: job)
            return true
        }
        for size in ThumbnailSize.cached.reversed() where size < job.size {
            guard let bitmap = load(size, job, picture, cache) else { continue }
            // A thumbnail that does not fill its size is as large as the picture.
            let isFullSize = max(bitmap.size.width, bitmap.size.height) < size.side
            post(bitmap, of: job, isPreview: !isFullSize)
            return isFullSize
        }
        return false
    }

    private func load(
        _ size: ThumbnailSize, _ job: ThumbnailJobs.Job, _ picture: PictureIdentity,
        _ cache: ThumbnailCache
    ) -> Bitmap? {
        guard let descriptor = cache.open(size, of: picture) else { return nil }
        // Loading is fast, so it is never cancelled. An invalid thumbnail is made again.
        let result = decoder.ask(side: job.size.side, descriptor, isCancelled: { false })
        guard case .success(let made)? = result, made.isWhole else { return nil }
        return made.bitmap
    }

    // MARK: Making

    private func make(
        _ job: ThumbnailJobs.Job, _ descriptor: Int32, _ picture: PictureIdentity?
    ) {
        // The thumbnail of a file that may change within the second is not stored.
        let isStored = job.size.folder != nil
        let cacheable = picture.flatMap { $0.isFresh || !isStored ? nil : $0 }
        let copy: Int32
        do throws(DecodeFailure) {
            copy = try PictureFile.duplicate(descriptor)
        } catch { return fail(job, error, .afterPause) }
        let result = decoder.ask(side: job.size.side, isStored: cacheable != nil, copy) {
            jobs.isCancelled(number)
        }
        switch result {
        case nil: return
        case .success(let made)?:
            post(made.bitmap, of: job, isWhole: made.isWhole)
            // An incomplete file may be completed later, and other programs would take its
            // thumbnail for the whole picture.
            guard made.isWhole, let cacheable, let cache, let sRGB = made.sRGB else { return }
            cache.store(sRGB, as: job.size, of: cacheable, of: made.pictureSize)
        case .failure(let failure)?:
            // The file could be opened, so a failure to read is one of the system.
            fail(job, failure, failure.isLasting ? .never : .afterPause)
            if let cacheable, failure.isCausedByFile {
                cache?.storeFailure("\(failure)", of: cacheable)
            }
        }
    }

    private func fail(
        _ job: ThumbnailJobs.Job, _ failure: DecodeFailure, _ policy: RetryPolicy
    ) {
        jobs.post(.broken(reason: "\(failure)", policy), of: job)
    }

    private func post(
        _ bitmap: Bitmap, of job: ThumbnailJobs.Job, isPreview: Bool = false, isWhole: Bool = true
    ) {
        let color = bitmap.averageColor
        jobs.post(
            isPreview
                ? .preview(bitmap, color: color)
                : .thumbnail(bitmap, color: color, isWhole: isWhole), of: job)
    }
}

extension DecodeFailure {
    /// Whether the unchanged file will fail again, so that a retry is useless.
    fileprivate var isLasting: Bool {
        switch self {
        case .notAPicture, .noLibrary, .empty, .cutShort, .damaged, .tooLarge, .crashed, .hung,
            .timeLimitReached, .cpuLimitReached:
            true
        case .notAFile, .unreadable, .invalidReply, .killed, .stalled: false
        }
    }

    /// Whether the failure is independent of settings, libraries and time, and can be stored.
    fileprivate var isCausedByFile: Bool {
        switch self {
        case .notAPicture, .empty, .cutShort, .damaged: true
        case .noLibrary, .tooLarge, .crashed, .hung, .timeLimitReached, .cpuLimitReached, .notAFile,
            .unreadable, .invalidReply, .killed, .stalled:
            false
        }
    }
}
