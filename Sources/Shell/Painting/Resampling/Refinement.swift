import Geometry
package import ImageTypes
package import SceneModel

/// Frames at rest.
///
/// A frame in motion is interpolated bilinearly, in a fraction of the frame period. After the last
/// frame of a motion, the same scene can be painted again with a better filter, in the time of a
/// few frames:
///
/// 1. `RefinedPicture` decides whether refinement gains anything. At 1:1 and at very high zoom it
///    does not.
/// 2. `paintSharp` fills a canvas that nobody else uses, on a background thread with a pool of its
///    own (callers of one `WorkerPool` wait for each other). All inputs are values: the scene, and
///    the bitmaps, which are fetched before the start.
/// 3. Any change of the scene calls `cancel`, from any thread. Painting ends within a few rows of
///    96 pixels on each processor, and the contents of the canvas are invalid.
/// 4. Otherwise the canvas is shown as a picture of its own (`RefinedPicture`).
extension Painter {
    /// Paints the whole scene as `paint` does, but opaque unrotated pictures with the best filter.
    ///
    /// Returns false if cancelled or out of memory; the contents of the canvas are then invalid.
    package func paintSharp(
        _ scene: Scene, into canvas: Canvas, filterSpace: FilterSpace = .linear,
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency,
        until cancellation: PaintingCancellation
    ) -> Bool {
        let frame = frame(
            of: scene, on: canvas.size, sharp: (filterSpace, cancellation), bitmap: bitmap)
        paint(
            frame, of: scene, into: canvas, damage: [PixelRect(canvas.size)],
            concurrently: concurrently, until: cancellation)
        return !cancellation.isCancelled && !cancellation.isOutOfMemory
    }
}
