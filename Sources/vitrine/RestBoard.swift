import Geometry
import Painting
import Pictures
import SceneModel
import Synchronization
import Threads

/// The picture as well as can be shown while it lies still, made on threads of its own.
///
/// A frame in motion is interpolated bilinearly; once nothing moves, what is seen is painted anew through
/// a better filter. It is given up the moment that anything moves.
final class RestBoard {
    /// One picture under way.
    private final class Job: Sendable {
        let cancellation = PaintingCancellation()
        /// Whether it has come to its end, and what came of it.
        let result = Mutex<(hasEnded: Bool, bitmap: Bitmap?)>((false, nil))
    }

    private let means: MeanOf
    private let workers: WorkerPool
    private let wakeup = Wakeup()
    private var job: (plan: RestPlan, job: Job)?
    /// What is wanted once the job is over that was given up.
    private var next: (plan: RestPlan, bitmap: Bitmap)?
    private var shown: (plan: RestPlan, bitmap: Bitmap?)?
    /// Counts what was shown.
    private var revision = 0

    /// How far its threads stand back behind what moves and what is asked for.
    private static let niceness: Int32 = 10

    /// `width` threads at most.
    init(width: Int, meansOf means: MeanOf) {
        self.means = means
        workers = WorkerPool(width: width, niceness: Self.niceness)
    }

    /// Readable when there is something to show.
    var pollDescriptor: Int32 { wakeup.descriptor }

    /// Whether what lies still is still to be shown better.
    var isBusy: Bool {
        job.map { !$0.job.cancellation.isCancelled } ?? false || next != nil
    }

    /// Shows the picture of a scene better, where that is made for just how it lies there; has it made
    /// where nothing moves.
    func sharpen(
        _ scene: inout Scene, isAtRest: Bool, bitmap: (PictureItem.Source) -> Bitmap?
    ) {
        guard let (index, item) = scene.onlyPicture, item.source.kind == .picture,
            let plan = RestPlan(item, on: scene.pixelSize, scale: scene.scale)
        else { return forget() }
        if let shown, shown.plan == plan {
            guard shown.bitmap != nil else { return }
            var better = plan.item(.init(.rest, picture: item.source.picture, revision: revision))
            better.clip = item.clip
            scene.items.insert(.picture(better), at: index + 1)
            return
        }
        guard isAtRest, let bitmap = bitmap(item.source) else { return forget() }
        shown = nil
        guard job?.plan != plan || job?.job.cancellation.isCancelled == true else {
            return
        }
        next = (plan, bitmap)
        giveUp()
        startNext()
    }

    private func forget() {
        (shown, next) = (nil, nil)
        giveUp()
    }

    private func giveUp() { job?.job.cancellation.cancel() }

    private func startNext() {
        guard job == nil, let (plan, bitmap) = next else { return }
        next = nil
        guard
            let picture = RestPicture(plan, of: bitmap, meansOf: means)
        else {
            // It is as sharp as it can be.
            shown = (plan, nil)
            return
        }
        let job = Job()
        let hasStarted = Thread.start(niceness: Self.niceness) { [workers, wakeup] in
            let bitmap = picture.make(
                concurrently: { workers.run($0, $1) }, until: job.cancellation)
            job.result.withLock { $0 = (true, bitmap) }
            wakeup.raise()
        }
        if hasStarted { self.job = (plan, job) }
    }

    /// Takes what was made.
    func handleReadable() {
        wakeup.lower()
        guard let (plan, job) = job else { return }
        let result = job.result.withLock { $0 }
        guard result.hasEnded else { return }
        self.job = nil
        if !job.cancellation.isCancelled {
            shown = (plan, result.bitmap)
            revision += 1
        }
        startNext()
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        source.revision == revision ? shown?.bitmap : nil
    }
}
