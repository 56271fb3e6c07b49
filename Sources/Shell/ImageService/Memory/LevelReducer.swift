import EventLoop
import Geometry
import ImageTypes

/// Leaves out the mip levels of pictures that the screen does not need, one picture at a time.
///
/// The copy takes as long as a frame, so a thread makes it.
final class LevelReducer {
    private let backgroundJobs: BackgroundJobs
    /// Whether a copy is being made.
    private(set) var isBusy = false

    /// The nice value of the thread: below painting of frames, as the decoder.
    private static let niceness = PictureLoader.niceness

    init(_ sources: EventSources) { backgroundJobs = BackgroundJobs(sources) }

    /// Copies the levels that show a picture as large as it fits into `target`, then calls `handler` in the
    /// loop, with nil if there are no others, or no memory.
    func reduce(
        _ bitmap: Bitmap, fitting target: PixelSize, then handler: @escaping (Bitmap?) -> Void
    ) {
        isBusy = backgroundJobs.run(niceness: Self.niceness, { bitmap.reduced(fitting: target) }) {
            [unowned self] in
            isBusy = false
            handler($0)
        }
    }
}
