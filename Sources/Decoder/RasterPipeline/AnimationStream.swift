package import Geometry
package import ImageTypes
import Localization

/// Decodes the frames of an animation in order, each into sealed memory.
///
/// After the last frame the stream continues with the first.
package final class AnimationStream {
    private let frames: any FrameSource
    private let orientation: Orientation
    private let reportedOrientation: Orientation
    private let canvas: FrameCanvas
    private let converter: RowConverter
    /// The converter of frames without colours, if only their pixels tell whether their profile applies.
    private let grayConverter: RowConverter?
    private var number = 0

    /// Streams `frames`, which `orientation` turns upright.
    ///
    /// `reportedOrientation` is the orientation that the viewer knows of the picture; the memory of
    /// each frame repeats it.
    package init(
        _ frames: any FrameSource, _ orientation: Orientation,
        reporting reportedOrientation: Orientation
    ) throws(DecodeFailure) {
        self.frames = frames
        (self.orientation, self.reportedOrientation) = (orientation, reportedOrientation)
        canvas = try FrameCanvas(frames)
        let rows = CanvasRows(frames, canvas)
        converter = RowConverter(rows)
        grayConverter =
            rows.needsGrayCheck ? RowConverter(rows.layout, rows.color, isGray: true) : nil
    }

    /// Decodes the next frame into sealed memory; the caller owns the returned descriptor.
    ///
    /// Throws if not even the first frame can be decoded, or if `sink` stops the decoding.
    package func next(_ sink: some DecodeSink) throws(DecodeFailure) -> (Int32, FrameInfo) {
        let duration = try composeNext()
        let info = FrameInfo(number: number, duration: duration, loops: frames.loops)
        number += 1
        let rows = CanvasRows(frames, canvas)
        guard
            let memory = try SerialDecode(rows, try currentConverter).seal(
                as: orientation.upright(frames.size), from: 0, orientation, sink,
                reporting: reportedOrientation)
        else { throw .unreadable(reason: localized("decoding was stopped")) }
        return (memory, info)
    }

    /// The converter of the frame on the canvas.
    private var currentConverter: RowConverter {
        get throws(DecodeFailure) {
            guard let grayConverter, try CanvasRows(frames, canvas).areAllGray() else {
                return converter
            }
            return grayConverter
        }
    }

    /// Composes the next frame on the canvas; returns its duration in milliseconds.
    ///
    /// A damaged frame ends the animation: the frames before it are repeated.
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
