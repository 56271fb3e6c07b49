import Geometry
package import ImageTypes

/// The frames of an animation one after another, as they are handed over; the first comes after the
/// last.
package final class AnimationStream {
    private let frames: any FrameSource
    private let orientation: Orientation
    private let told: Orientation
    private let canvas: FrameCanvas
    private let converter: RowConverter
    private var number = 0

    /// Frames that `orientation` turns upright, of a picture of which `told` is said.
    init(
        _ frames: any FrameSource, _ orientation: Orientation, told: Orientation
    ) throws(DecodeFailure) {
        self.frames = frames
        (self.orientation, self.told) = (orientation, told)
        canvas = try FrameCanvas(frames)
        converter = RowConverter(frames.layout, frames.color)
    }

    /// The next frame in sealed memory, which is the caller's; throws where not even the first one can
    /// be had.
    package func next(_ sink: some DecodeSink) throws(DecodeFailure) -> (Int32, FrameInfo) {
        let duration = try composeNext()
        let info = FrameInfo(number: number, duration: duration, loops: frames.loops)
        number += 1
        let rows = CanvasRows(frames, canvas)
        guard
            let memory = try SerialDecode(rows, converter).seal(
                as: orientation.upright(frames.size), from: 0, orientation, sink, told: told)
        else { throw .unreadable(reason: "it was stopped") }
        return (memory, info)
    }

    /// Puts the next frame on the canvas; how long it is shown.
    ///
    /// A frame that is damaged ends the animation there: what came before is shown again and again.
    private func composeNext() throws(DecodeFailure) -> Double {
        if number > 0 {
            if let duration = try? frames.next(canvas.base) { return duration }
            frames.rewind()
            canvas.clear()
            number = 0
        }
        guard let duration = try frames.next(canvas.base) else { throw .cutShort }
        return duration
    }
}
