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
        _ number: Int, _ jobs: ThumbnailJobs, _ cache: ThumbnailCache?, program: DecoderProgram,
        limits: DecodeLimits, screen: ScreenProfile?, files: FileServer.Connection?
    ) {
        self.number = number
        self.jobs = jobs
        self.cache = cache
        decoder = ThumbnailDecoder(
            program, limits: limits, screen: screen, files: files,
            wakeup: jobs.wakeups[number], warmsUp: true)
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
        guard decoder.isReady() else { return fail(job, ThumbnailDecoder.notStarted, .afterPause) }
        do throws(DecodeFailure) {
            switch job.source {
            case .memory(let descriptor):
                make(job, .descriptor(try PictureFile.duplicate(descriptor)), nil)
            case .file(let path):
                guard let status = try decoder.status(path, isCancelled: isCancelled) else {
                    return
                }
                let picture = PictureIdentity(path: path, status)
                if let cache, !picture.isFresh, load(job, picture, cache) { return }
                make(job, .file(path), picture)
            }
        } catch {
            fail(job, error, error.isLasting ? .never : error.retryPolicy)
        }
    }

    private func isCancelled() -> Bool { jobs.isCancelled(number) }

    // MARK: Loading

    /// Loads the thumbnail, a larger one, a failure, or a smaller preview from the cache.
    ///
    /// Returns whether the job is done.
    private func load(
        _ job: ThumbnailJobs.Job, _ picture: PictureIdentity, _ cache: ThumbnailCache
    ) -> Bool {
        var places = ThumbnailCache.places(for: job.size)[...]
        while let entry = cache.nextEntry(of: picture, in: &places) {
            switch entry {
            case .failure(let reason):
                jobs.post(.broken(reason: reason, .never), of: job)
                return true
            case .thumbnail(let size, let descriptor):
                guard let bitmap = load(descriptor, job) else { continue }
                // A thumbnail that does not fill its size is as large as the picture.
                let isFullSize =
                    size >= job.size || max(bitmap.size.width, bitmap.size.height) < size.side
                post(bitmap, of: job, isPreview: !isFullSize)
                return isFullSize
            }
        }
        return false
    }

    private func load(_ descriptor: Int32, _ job: ThumbnailJobs.Job) -> Bitmap? {
        // Loading is fast, so it is never cancelled. An invalid thumbnail is made again.
        let result = decoder.ask(
            side: job.size.side, .descriptor(descriptor), isCancelled: { false })
        guard case .success(let made)? = result, made.isWhole else { return nil }
        return made.bitmap
    }

    // MARK: Making

    /// Makes the thumbnail of a file with the state of `picture`, which is nil for a file in memory.
    private func make(
        _ job: ThumbnailJobs.Job, _ source: PictureSource, _ picture: PictureIdentity?
    ) {
        // The thumbnail of a file that may change within the second is not stored.
        let isStored = job.size.folder != nil
        var cacheable = picture.flatMap { $0.isFresh || !isStored ? nil : $0 }
        let result = decoder.ask(
            side: job.size.side, isStored: cacheable != nil, source, isCancelled: isCancelled)
        // The file may have been written since its status was asked for.
        if let status = decoder.openedFile, picture?.isOf(status) != true { cacheable = nil }
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
                cache?.storeFailure(failure.recordedReason, of: cacheable)
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
    /// The reason for a record that other programs may read: no words of a decoder, which may be
    /// compromised.
    fileprivate var recordedReason: String {
        switch self {
        case .notAPicture, .noLibrary, .notAFile, .damaged, .unreadable: ""
        default: "\(self)"
        }
    }

    /// When to try again after a failure without a decoder that may not last.
    fileprivate var retryPolicy: RetryPolicy {
        switch self {
        case .stalled, .killed: .afterPause
        default: .afterFolderChange
        }
    }

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
