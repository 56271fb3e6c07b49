import Geometry
import Glibc
import ImageTypes
import ImageWire
import Localization
import RasterPipeline

/// A picture that is too large for memory, of a format whose rows can be streamed.
///
/// The rows and their reductions are written to a file on the disk; the visible tiles are read from
/// that file.
final class DiskBackedPicture: DiskBackedDecoder {
    let info: PictureInfo
    private let still: StillDecoder
    private var descriptor: Int32 = -1
    private var pixels: DiskBackedPixels?
    private let releaseInterval: Int

    /// Wraps a decoder whose codec can stream rows.
    ///
    /// `scratch` is the number of bytes per pixel that unconverted samples take in the file. Memory
    /// of the mapped file is given back after every `releaseInterval` bytes.
    init(
        _ still: StillDecoder, scratch: Int,
        releaseInterval: Int = DiskBackedPixels.releaseInterval
    ) {
        self.still = still
        self.releaseInterval = releaseInterval
        var info = still.info
        // An animation is shown as a still picture.
        info.isAnimated = false
        info.isTiled = true
        info.scratch = scratch
        info.backingFileBytes =
            PixelLayout.backingFileBytes(for: info.size, scratch: info.scratch) ?? 0
        self.info = info
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func receive(backingFile: Int32) {
        if descriptor >= 0 { close(descriptor) }
        descriptor = backingFile
    }

    func animation() throws(DecodeFailure) -> AnimationStream? { nil }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        try still.rows(covering: size)
    }

    func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure) -> String? {
        guard descriptor >= 0 else {
            // Without space on the disk the picture is decoded into memory, and has no tiles.
            guard !info.size.isLarger(than: DecodeSettings.limits.pixels) else {
                throw .unreadable(reason: localized("there is no room on the disk for it"))
            }
            var decoder = still
            return try decoder.decode(for: target, to: sink)
        }
        guard try still.previews.deliver(for: target, to: sink) else { return nil }
        let file = descriptor
        descriptor = -1
        let pixels = try DiskBackedPixels(
            info.size, info.orientation, scratch: info.scratch, in: file,
            releaseInterval: releaseInterval)
        let filled = try pixels.fill(sink) { scratch throws(DecodeFailure) in
            try still.streamedRows(scratch, while: { sink.shouldContinue() })
        }
        guard let filled else { return nil }
        self.pixels = pixels
        sink.deliver(filled.overview, isFinal: true)
        return filled.isComplete ? nil : StillMessage.incomplete
    }

    func part(_ tile: PictureTile, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        guard let pixels else {
            throw .damaged(reason: localized("the requested tile does not exist"))
        }
        return try pixels.tile(tile)
    }
}
