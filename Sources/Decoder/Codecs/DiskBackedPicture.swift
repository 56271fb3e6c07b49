import ImageWire
import Geometry
import Glibc
import ImageTypes

/// A picture that is too large for memory, of a format whose rows can be streamed.
///
/// The rows and their reductions are written to a file on the disk; the visible tiles are read from
/// that file.
final class DiskBackedPicture<Codec: StillCodec>: DiskBackedDecoder {
    let info: PictureInfo
    private let still: StillDecoder<Codec>
    private var descriptor: Int32 = -1
    private var store: PixelStore?
    private var format = PixelFormat.rgb24
    private let releaseInterval: Int

    /// Limit for the pixels of the overview, which has more than a quarter of this number.
    private static var overviewPixels: Int { 24_000_000 }

    /// Wraps a decoder whose codec can stream rows.
    ///
    /// `scratch` is the number of bytes per pixel that unconverted samples take in the file. Memory
    /// of the mapped file is given back after every `releaseInterval` bytes.
    init(
        _ still: StillDecoder<Codec>, scratch: Int,
        releaseInterval: Int = PixelStore.releaseInterval
    ) {
        self.still = still
        self.releaseInterval = releaseInterval
        var info = still.info
        // An animation is shown as a still picture.
        info.isAnimated = false
        info.isTiled = true
        info.scratch = scratch
        info.room = PixelLayout.room(for: info.size, scratch: info.scratch) ?? 0
        self.info = info
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func take(room: Int32) {
        if descriptor >= 0 { close(descriptor) }
        descriptor = room
    }

    func animation() throws(DecodeFailure) -> AnimationStream? { nil }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        try still.rows(covering: size)
    }

    func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure) -> String? {
        guard descriptor >= 0 else {
            // Without space on the disk the picture is decoded into memory, and has no tiles.
            guard !info.size.isLarger(than: PictureDecoders.limits.pixels) else {
                throw .unreadable(reason: "there is no room on the disk for it")
            }
            var decoder = still
            return try decoder.decode(for: target, to: sink)
        }
        guard try still.deliverPreviews(for: target, to: sink) else { return nil }
        let scratch =
            info.scratch == 0
            ? nil : try ScratchMemory(info.scratch, for: info.size, in: descriptor)
        let file = descriptor
        descriptor = -1
        let store = try PixelStore(size: info.size, in: file, releaseInterval: releaseInterval)
        let background = PageReleaser(store, scratch)
        defer { background.end() }
        let rows = try still.openStreamed(scratch, while: { sink.shouldContinue() })
        let decoding = SerialDecode(rows)
        guard try decoding.fill(store, Pyramid(store), info.orientation, sink) else { return nil }
        store.releasePages()
        store.endScratch()
        (self.store, format) = (store, decoding.format)
        sink.deliver(try overview(of: store), isFinal: true)
        return rows.isComplete ? nil : StillMessage.incomplete
    }

    private func overview(of store: PixelStore) throws(DecodeFailure) -> Int32 {
        let first = store.levels.first {
            !$0.size.isLarger(than: Self.overviewPixels)
                && max($0.size.width, $0.size.height) <= PictureLimits.side
        }
        let mipLevel = first?.mipLevel ?? 0
        let overview = try PixelStore(size: info.size, from: mipLevel)
        for (level, source) in zip(overview.levels, store.levels.dropFirst(mipLevel)) {
            overview.copy(PixelRect(level.size), of: source, in: store, to: level)
        }
        return try overview.seal(as: format, orientation: info.orientation)
    }

    func part(_ part: PictureTile, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        guard let store, let level = store.levels.first(where: { $0.mipLevel == part.mipLevel }),
            !part.rect.isEmpty, part.rect.intersection(PixelRect(level.size)) == part.rect
        else { throw .damaged(reason: "the requested tile does not exist") }
        let size = part.rect.size
        let target = try PixelStore(size: size, from: 0, smallestSide: .max)
        target.copy(part.rect, of: level, in: store, to: target.levels[0])
        store.releasePages()
        return try target.seal(as: format, orientation: info.orientation)
    }
}
