import ImageWire
import Geometry
import Glibc
import ImageTypes

/// A picture that is too large to be held, of a format that need not hold it: its rows and their
/// reductions come to lie in a file on the disk, and what is seen is taken from there.
final class DiskBackedPicture<Codec: StillCodec>: DiskBackedDecoder {
    let info: PictureInfo
    private let still: StillDecoder<Codec>
    private var room: Int32 = -1
    private var store: PixelStore?
    private var format = PixelFormat.rgb24
    private let relief: Int

    /// Pixels of the overview; it has more than a quarter of them.
    private static var overviewPixels: Int { 24_000_000 }

    /// Gives memory back after so many bytes of `relief`.
    ///
    /// `scratch` is how many bytes for each pixel samples on their way take.
    init(_ still: StillDecoder<Codec>, scratch: Int, relief: Int = PixelStore.relief) {
        self.still = still
        self.relief = relief
        var info = still.info
        // It is shown as it is at first.
        info.isAnimated = false
        info.isTiled = true
        info.scratch = scratch
        info.room = PixelLayout.room(for: info.size, scratch: info.scratch) ?? 0
        self.info = info
    }

    deinit { if room >= 0 { close(room) } }

    func take(room: Int32) {
        if self.room >= 0 { close(self.room) }
        self.room = room
    }

    func animation() throws(DecodeFailure) -> AnimationStream? { nil }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        try still.rows(covering: size)
    }

    func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure) -> String? {
        guard room >= 0 else {
            // There is none on the disk: held, it needs none, and has no parts.
            guard !info.size.isLarger(than: PictureDecoders.limits.pixels) else {
                throw .unreadable(reason: "there is no room on the disk for it")
            }
            var held = still
            return try held.decode(for: target, to: sink)
        }
        guard try still.deliverPreviews(for: target, to: sink) else { return nil }
        let scratch =
            info.scratch == 0
            ? nil : try ScratchMemory(info.scratch, for: info.size, in: room)
        let taken = room
        room = -1
        let store = try PixelStore(size: info.size, in: taken, relief: relief)
        let background = MemoryRelief(store, scratch)
        defer { background.end() }
        let rows = try still.openStreamed(scratch, while: { sink.shouldContinue() })
        let decoding = SerialDecode(rows)
        guard try decoding.fill(store, Pyramid(store), info.orientation, sink) else { return nil }
        store.relieve()
        store.endScratch()
        (self.store, format) = (store, decoding.format)
        sink.deliver(try overview(of: store), isFinal: true)
        return rows.isComplete ? nil : StillNotice.incomplete
    }

    private func overview(of store: PixelStore) throws(DecodeFailure) -> Int32 {
        let first = store.levels.first {
            !$0.size.isLarger(than: Self.overviewPixels)
                && max($0.size.width, $0.size.height) <= PictureLimits.side
        }
        let exponent = first?.exponent ?? 0
        let overview = try PixelStore(size: info.size, from: exponent)
        for (level, source) in zip(overview.levels, store.levels.dropFirst(exponent)) {
            overview.copy(PixelRect(level.size), of: source, in: store, to: level)
        }
        return try overview.seal(as: format, orientation: info.orientation)
    }

    func part(_ part: PicturePart, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        guard let store, let level = store.levels.first(where: { $0.exponent == part.exponent }),
            !part.rect.isEmpty, part.rect.intersection(PixelRect(level.size)) == part.rect
        else { throw .damaged(reason: "there is no such part") }
        let size = part.rect.size
        let target = try PixelStore(size: size, from: 0, smallestSide: .max)
        target.copy(part.rect, of: level, in: store, to: target.levels[0])
        store.relieve()
        return try target.seal(as: format, orientation: info.orientation)
    }
}
