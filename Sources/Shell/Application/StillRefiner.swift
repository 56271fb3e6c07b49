import Geometry
import Painting
import ImageTypes
import SceneModel
import Threads

/// The picture as well as can be shown while it lies still, made on threads of its own.
///
/// A frame in motion is interpolated bilinearly; once nothing moves, what is seen is painted anew through
/// a better filter. It is given up the moment that anything moves.
final class StillRefiner {
    private let means: FilterSpace
    private let workers: WorkerPool
    private let wakeup = Wakeup()
    private var job: (plan: RefinementPlan, painting: BackgroundPainting)?
    /// What is wanted once the job is over that was given up.
    private var next: (plan: RefinementPlan, pixels: RefinedPicture.Pixels)?
    private var shown: (plan: RefinementPlan, bitmap: Bitmap?)?
    /// Counts what was shown.
    private var revision = 0

    init(_ workers: WorkerPool, filterSpace means: FilterSpace) {
        self.means = means
        self.workers = workers
    }

    /// Readable when there is something to show.
    var pollDescriptor: Int32 { wakeup.descriptor }

    /// Whether what lies still is still to be shown better.
    var isBusy: Bool {
        job.map { !$0.painting.isCancelled } ?? false || next != nil
    }

    /// Shows the picture of a scene better, where that is made for just how it lies there; has it made
    /// where nothing moves.
    func sharpen(_ scene: inout Scene, isAtRest: Bool, _ subject: () -> RefinementSource?) {
        // In motion there is nothing to look for.
        guard isAtRest || shown != nil, let subject = subject(),
            let plan = RefinementPlan(subject.item, on: scene.pixelSize, scale: scene.scale)
        else { return forget() }
        if let shown, shown.plan == plan {
            guard shown.bitmap != nil else { return }
            let picture = subject.item.source.picture
            var better = plan.item(.init(.rest, picture: picture, revision: revision))
            better.clip = subject.item.clip
            scene.items.insert(.picture(better), at: subject.index + 1)
            return
        }
        guard isAtRest else { return forget() }
        dropShown()
        guard job?.plan != plan || job?.painting.isCancelled == true else { return }
        next = (plan, subject.pixels)
        giveUp()
        startNext()
    }

    private func forget() {
        dropShown()
        next = nil
        giveUp()
    }

    private func dropShown() {
        BackgroundPainting.release(shown?.bitmap)
        shown = nil
    }

    private func giveUp() { job?.painting.cancel() }

    private func startNext() {
        guard job == nil, let (plan, pixels) = next else { return }
        next = nil
        guard
            let picture = RefinedPicture(plan, of: pixels, filterSpace: means)
        else {
            // It is as sharp as it can be.
            shown = (plan, nil)
            return
        }
        job = BackgroundPainting(on: workers, wakeup: wakeup, picture.make).map { (plan, $0) }
    }

    /// Takes what was made.
    func handleReadable() {
        wakeup.lower()
        guard let (plan, painting) = job, painting.hasEnded else { return }
        job = nil
        if !painting.isCancelled {
            shown = (plan, painting.bitmap)
            revision += 1
        }
        startNext()
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        source.revision == revision ? shown?.bitmap : nil
    }
}
