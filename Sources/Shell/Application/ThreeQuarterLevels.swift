import Painting
import ImageTypes
import SceneModel
import Threads

/// The intermediate reduction of the picture that is looked at, made while it lies still.
///
/// Until it is there, and where there is none, frames are painted from the picture's own levels: they
/// look alike and take longer.
final class ThreeQuarterLevels {
    private let means: FilterSpace
    private let workers: WorkerPool
    private let wakeup = Wakeup()
    private var job: (source: PictureItem.Source, painting: BackgroundPainting)?
    /// For which picture there is one, or there was no memory for it.
    private var made: (source: PictureItem.Source, bitmap: Bitmap?)?

    init(_ workers: WorkerPool, filterSpace means: FilterSpace) {
        self.means = means
        self.workers = workers
    }

    /// Readable when there is something to take.
    var pollDescriptor: Int32 { wakeup.descriptor }

    /// Whether one is being made that the next frames will be painted from.
    var isBusy: Bool { job.map { !$0.painting.isCancelled } ?? false }

    /// Has it made where nothing moves, for the only picture on the surface; gives up what is under way
    /// where something moves, and lets go of what is not looked at any more.
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
            // One that was given up is waited for: its threads are those of the next.
            if job.source != source { job.painting.cancel() }
            return
        }
        guard made?.source != source, let bitmap = bitmap(source) else { return }
        guard
            let picture = ThreeQuarterLevel(of: bitmap, on: scene.pixelSize, filterSpace: means)
        else { return }
        job = BackgroundPainting(on: workers, wakeup: wakeup, picture.make).map { (source, $0) }
    }

    /// Takes what was made.
    func handleReadable() {
        wakeup.lower()
        guard let (source, painting) = job, painting.hasEnded else { return }
        job = nil
        if !painting.isCancelled { made = (source, painting.bitmap) }
    }

    /// The picture with its intermediate reduction, if there is one.
    func adding(to bitmap: Bitmap?, _ source: PictureItem.Source) -> Bitmap? {
        guard let bitmap, let made, made.source == source, let intermediate = made.bitmap else {
            return bitmap
        }
        return bitmap.adding(intermediate)
    }
}

extension Scene {
    fileprivate func shows(_ source: PictureItem.Source) -> Bool {
        items.contains { item in
            if case .picture(let picture) = item { picture.source == source } else { false }
        }
    }
}
