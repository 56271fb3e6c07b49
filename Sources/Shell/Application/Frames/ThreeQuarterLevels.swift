import Painting
import ImageTypes
import SceneModel
import Threads

/// Makes the three-quarter level of the displayed picture while nothing moves.
///
/// Without a three-quarter level, frames are painted from the picture's own mip levels. They look the
/// same and take longer.
final class ThreeQuarterLevels {
    private let filterSpace: FilterSpace
    private let workers: WorkerPool
    private let wakeup = Wakeup()
    private var job: (source: PictureItem.Source, painting: BackgroundPainting)?
    /// The finished level and its picture; `bitmap` is nil if there was not enough memory.
    private var made: (source: PictureItem.Source, bitmap: Bitmap?)?

    init(_ workers: WorkerPool, filterSpace: FilterSpace) {
        self.filterSpace = filterSpace
        self.workers = workers
    }

    /// Readable when a job has ended.
    var pollDescriptor: Int32 { wakeup.descriptor }

    /// Whether a level for the next frames is being made.
    var isBusy: Bool { job.map { !$0.painting.isCancelled } ?? false }

    /// Starts making the level for the only picture on the surface if the scene is at rest.
    ///
    /// Cancels the job if the scene is in motion, and releases the level of a picture that is not shown
    /// any more.
    func prepare(for scene: Scene, isAtRest: Bool, bitmap: (PictureItem.Source) -> Bitmap?) {
        if let made, !scene.shows(made.source) {
            BackgroundPainting.release(made.bitmap)
            self.made = nil
        }
        guard isAtRest, let source = scene.onlyPicture?.item.source, source.kind == .picture else {
            job?.painting.cancel()
            return
        }
        if let job {
            // Wait for a cancelled job to end, because the next job uses the same threads.
            if job.source != source { job.painting.cancel() }
            return
        }
        guard made?.source != source, let bitmap = bitmap(source) else { return }
        guard
            let level = ThreeQuarterLevel(
                of: bitmap, on: scene.pixelSize, filterSpace: filterSpace)
        else { return }
        job = BackgroundPainting(on: workers, wakeup: wakeup, level.make).map { (source, $0) }
    }

    /// Stores the result of the ended job, unless it was cancelled.
    func handleReadable() {
        wakeup.lower()
        guard let (source, painting) = job, painting.hasEnded else { return }
        job = nil
        if !painting.isCancelled { made = (source, painting.bitmap) }
    }

    /// The bitmap with its three-quarter level, if there is one.
    func adding(to bitmap: Bitmap?, _ source: PictureItem.Source) -> Bitmap? {
        guard let bitmap, let made, made.source == source, let level = made.bitmap else {
            return bitmap
        }
        return bitmap.adding(level)
    }
}

extension Scene {
    fileprivate func shows(_ source: PictureItem.Source) -> Bool {
        items.contains { item in
            if case .picture(let picture) = item { picture.source == source } else { false }
        }
    }
}
