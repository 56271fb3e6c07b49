import Geometry
import ImageService
import ImageTypes
import Painting
import SceneModel
import Threads
import WaylandClient

/// Refinement: resamples the picture with a high-quality filter at rest, on its own threads.
///
/// Frames in motion are interpolated bilinearly. Once nothing moves, the visible part of the picture is
/// resampled with a better filter. Any motion cancels the job.
final class StillRefiner {
    private let filterSpace: FilterSpace
    private let workers: WorkerPool
    private let wakeup = Wakeup()
    private var job: (plan: RefinementPlan, painting: BackgroundPainting)?
    /// The refinement to start after the cancelled job has ended.
    private var next: (plan: RefinementPlan, pixels: RefinedPicture.Pixels)?
    /// The finished refinement; `bitmap` is nil if none is needed or it could not be made.
    private var shown: (plan: RefinementPlan, bitmap: Bitmap?)?
    /// Counts the finished refinements.
    private var revision = 0

    init(_ workers: WorkerPool, filterSpace: FilterSpace) {
        self.filterSpace = filterSpace
        self.workers = workers
    }

    /// Readable when a job has ended.
    var pollDescriptor: Int32 { wakeup.descriptor }

    /// Whether a refinement is still being made.
    var isBusy: Bool {
        job.map { !$0.painting.isCancelled } ?? false || next != nil
    }

    /// Inserts the refined picture into the scene if it was made for exactly this placement.
    ///
    /// Otherwise starts the refinement if the scene is at rest. `subject` returns the picture to refine.
    func insertRefinement(_ scene: inout Scene, isAtRest: Bool, _ subject: () -> RefinementSource?)
    {
        // In motion, without a refinement to drop, skip the search for the picture.
        guard isAtRest || shown != nil, let subject = subject(),
            let plan = RefinementPlan(subject.item, on: scene.pixelSize, scale: scene.scale)
        else { return forget() }
        if let shown, shown.plan == plan {
            guard shown.bitmap != nil else { return }
            let picture = subject.item.source.picture
            var refined = plan.item(.init(.rest, picture: picture, revision: revision))
            refined.clip = subject.item.clip
            scene.items.insert(.picture(refined), at: subject.index + 1)
            return
        }
        guard isAtRest else { return forget() }
        dropShown()
        guard job?.plan != plan || job?.painting.isCancelled == true else { return }
        next = (plan, subject.pixels)
        cancelJob()
        startNext()
    }

    private func forget() {
        dropShown()
        next = nil
        cancelJob()
    }

    private func dropShown() {
        BackgroundPainting.release(shown?.bitmap)
        shown = nil
    }

    private func cancelJob() { job?.painting.cancel() }

    private func startNext() {
        guard job == nil, let (plan, pixels) = next else { return }
        next = nil
        guard
            let picture = RefinedPicture(plan, of: pixels, filterSpace: filterSpace)
        else {
            // A better filter gains nothing, or the picture has transparent pixels.
            shown = (plan, nil)
            return
        }
        job = BackgroundPainting(on: workers, wakeup: wakeup, picture.make).map { (plan, $0) }
    }

    /// Stores the result of the ended job, unless it was cancelled, and starts the next job.
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

    /// Takes the refined pixels from the frame that shows all of them, instead of holding them beside the frame.
    ///
    /// A frame with few of them would be held for these.
    func releasePixels(shown scene: Scene, in frame: ShownFrame) {
        guard let (plan, refined) = shown, let refined, scene.showsWholly(.rest, revision),
            plan.rect.width * plan.rect.height * 2 >= frame.size.width * frame.size.height,
            let pixels = ShownPixels(plan.rect, of: frame)
        else { return }
        shown = (plan, pixels.bitmap)
        BackgroundPainting.release(refined)
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        source.revision == revision ? shown?.bitmap : nil
    }
}

/// A rectangle of a shown frame as the memory of a bitmap.
private final class ShownPixels: PixelMemory {
    private let frame: ShownFrame
    private let rect: PixelRect

    /// Nil if the rectangle is not inside the frame.
    init?(_ rect: PixelRect, of frame: ShownFrame) {
        guard !rect.isEmpty, rect.intersection(PixelRect(frame.size)) == rect else { return nil }
        (self.frame, self.rect) = (frame, rect)
    }

    var bytes: UnsafeRawBufferPointer { frame.bytes }

    /// The pixels as an opaque bitmap with a single level.
    var bitmap: Bitmap {
        Bitmap(
            size: rect.size, format: .rgb24,
            levels: [
                .init(
                    mipLevel: 0, size: rect.size, stride: frame.stride,
                    offset: rect.y * frame.stride + rect.x * 4)
            ], memory: self)
    }
}

extension Scene {
    /// Whether a picture is painted as a whole, with nothing above.
    fileprivate func showsWholly(_ kind: PictureItem.Source.Kind, _ revision: Int) -> Bool {
        let index = items.lastIndex { item in
            if case .picture(let picture) = item {
                picture.source.kind == kind && picture.source.revision == revision
            } else {
                false
            }
        }
        guard let index, cornerRadius == 0 else { return false }
        let area = items[index].bounds
        return items.enumerated().allSatisfy { place, item in
            // Layers are painted above all pictures.
            let isAbove = if case .layer = item { true } else { place > index }
            return !isAbove || item.bounds.intersection(area).isEmpty
        }
    }
}
