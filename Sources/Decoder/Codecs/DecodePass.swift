import Geometry
import ImageTypes
import RasterPipeline
import Threads

/// A pass over a picture, which decodes a mip level and delivers the pixels.
struct DecodePass {
    /// The upright size of the full picture in pixels.
    let size: PixelSize
    let orientation: Orientation

    /// Decodes and delivers the rows that `open` starts, with mip levels from `mipLevel` on.
    ///
    /// With `start`, populating the memory and reducing wait for that signal. Returns whether the
    /// rows were complete; nil if the sink stops the decoding. Throws the error of `open`, and
    /// `.unreadable` without enough memory.
    func run(
        from mipLevel: Int, isFinal: Bool, to sink: some DecodeSink, on pool: WorkerPool,
        reducingAfter start: Signal? = nil, open: () throws(DecodeFailure) -> any RowSource
    ) throws(DecodeFailure) -> Bool? {
        let sealed = try SerialDecode.seal(
            as: size, from: mipLevel, orientation, sink, reducingAfter: start
        ) { () throws(DecodeFailure) in SerialDecode(try open(), on: pool) }
        guard let sealed else { return nil }
        sink.deliver(sealed.memory, isFinal: isFinal)
        return sealed.rows.isComplete
    }
}
