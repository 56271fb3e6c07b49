import Geometry
package import ImageTypes
package import SceneModel

/// Frames that stay.
///
/// A frame of a motion is interpolated bilinearly, in a fraction of a frame's time. After the last
/// one the same scene can be painted anew, better, in the time of a few frames:
///
/// 1. `RefinedPicture` says whether there is anything to gain: at 1:1 and far beyond there is not.
/// 2. `paintSharp` fills a canvas that nobody else uses, on a thread that nobody waits for, with a
///    pool of its own (a `WorkerPool` lets its callers wait for each other). All it needs are values:
///    the scene, and the bitmaps that are fetched before it begins.
/// 3. Whatever comes meanwhile calls `cancel`, from any thread; it ends within a few rows of 96 pixels
///    on each processor, and its canvas is of no use.
/// 4. Else what is on the canvas is shown as a picture of its own (`RefinedPicture`).
extension Painter {
    /// Paints all of the scene as `paint` does, its opaque pictures that are not turned by the best
    /// interpolation there is; false when it was cancelled or lacked memory, and then the canvas is of
    /// no use.
    package func paintSharp(
        _ scene: Scene, into canvas: Canvas, filterSpace means: FilterSpace = .light,
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency,
        until cancellation: PaintingCancellation
    ) -> Bool {
        let frame = frame(
            of: scene, on: canvas.size, sharp: (means, cancellation), bitmap: bitmap)
        paint(
            frame, of: scene, into: canvas, damage: [PixelRect(canvas.size)],
            concurrently: concurrently, until: cancellation)
        return !cancellation.isCancelled && !cancellation.lacksMemory
    }
}
