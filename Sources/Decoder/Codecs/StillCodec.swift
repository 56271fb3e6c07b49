import ImageWire
import Geometry
import ImageTypes
import Threads

/// What a format's library does with a file: says what it is, and gives its rows.
///
/// It is made of a file's bytes, which have to outlive it.
protocol StillCodec {
    static var format: PictureFormat { get }
    /// Whether its library was there when this was built, and is here.
    static var isAvailable: Bool { get }
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
    /// As stored.
    var size: PixelSize { get }
    /// What turns the rows upright; `.upright` where the library does that itself.
    var orientation: Orientation { get }
    /// When it was taken, as `PictureInfo.taken`.
    var taken: Int? { get }
    /// The farthest halving to which it decodes faster than in full; 0 where there is none.
    var deepestReduction: Int { get }
    /// Whether it decodes to reductions faster than in full, so that one is worth being shown first.
    var isReductionQuick: Bool { get }
    /// What it takes to lay it on the disk, where it is too large to be held; nil where it has to be.
    var streaming: RowStreaming? { get }
    /// Something that is there at once while all else takes long: it is shown first if there is no
    /// better for the target. Starts decoding it.
    func preview() throws(DecodeFailure) -> StillPreview?
    /// Small pictures that the file holds of itself, at most two, the smaller one first: they are shown before
    /// all else. Starts decoding it; nil where there are not so many.
    func embedded(_ number: Int) throws(DecodeFailure) -> StillPreview?
    /// What a quick look at all of the file finds: where its rows begin, so that they can be decoded in any
    /// order, and perhaps a small picture; nil where there is any doubt, and once it is not wanted any more.
    func indexed(while isWanted: () -> Bool) -> (index: any RowIndex, preview: StillPreview?)?
    /// Whether there may be an index.
    var mayBeIndexed: Bool { get }
    /// Whether it takes long, and on one processor, so that what is shown first is decoded on another.
    var decodesBeside: Bool { get }
    /// Starts decoding, to `size.reduced(by: exponent)`.
    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource
    /// Starts decoding it in full without holding it, and goes on while it is wanted: `scratch` has what
    /// `streaming` asks for, and nil stands for nothing.
    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource
    /// What decodes its pictures.
    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> any PictureDecoder
}

extension StillCodec {
    static var isAvailable: Bool { true }
    var orientation: Orientation { .upright }
    var taken: Int? { nil }
    var deepestReduction: Int { 0 }
    var isReductionQuick: Bool { true }
    var streaming: RowStreaming? { nil }
    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        try rows(reducedBy: 0)
    }
    func preview() throws(DecodeFailure) -> StillPreview? { nil }
    func embedded(_ number: Int) throws(DecodeFailure) -> StillPreview? { nil }
    func indexed(while isWanted: () -> Bool) -> (index: any RowIndex, preview: StillPreview?)? {
        nil
    }
    var mayBeIndexed: Bool { false }
    var decodesBeside: Bool { false }
}

/// What a person is told of a picture.
enum StillNotice {
    static let incomplete = "The file is damaged or cut short; what could be read is shown."
}

/// What is shown of a picture until better comes.
struct StillPreview {
    /// As often as it is halved.
    var exponent: Int
    var rows: any RowSource
}

extension StillCodec {
    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> any PictureDecoder
    {
        let still = try StillDecoder<Self>(bytes)
        guard let streaming = still.streaming else { return still }
        return DiskBackedPicture(still, scratch: streaming.scratchBesidePlace)
    }
}

/// Decodes what a codec gives: upright, in the screen's colours, with its reductions.
struct StillDecoder<Codec: StillCodec>: PictureDecoder {
    let info: PictureInfo
    private let codec: Codec
    /// The reduction from which on it can be shown at all.
    private let firstExponent: Int
    /// How it is laid on the disk, where it is too large to be held and can be.
    let streaming: RowStreaming?

    /// A reduced decode does for a target up to this much larger than itself.
    private static var tolerance: Double { 0.9 }
    /// The weakest reduction that is worth a pass of its own: halving costs as much as decoding
    /// in full.
    private static var worthwhile: Int { 2 }

    /// A file that claims more is not worth the disk.
    private static var mostPixelsPerByte: Int { 1024 }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        codec = try Codec(bytes)
        let limits = PictureDecoders.limits
        streaming = Self.streaming(of: codec, in: bytes.count, limits)
        firstExponent = try PictureDecoders.firstExponent(
            for: codec.size, most: streaming == nil ? limits.pixels : PictureLimits.spilledPixels)
        info = PictureInfo(
            size: codec.orientation.upright(codec.size), orientation: codec.orientation,
            format: Codec.format.name, taken: codec.taken,
            isAnimated: (codec as? any AnimatedCodec)?.isAnimated ?? false)
    }

    /// How it is laid on the disk, if it is too large to be held.
    private static func streaming(
        of codec: Codec, in bytes: Int, _ limits: DecodeLimits
    ) -> RowStreaming? {
        let size = codec.orientation.upright(codec.size)
        guard size.isLarger(than: limits.wholePixels),
            !size.isLarger(than: bytes * mostPixelsPerByte),
            let streaming = codec.streaming, streaming.held <= limits.bytes,
            PixelLayout.room(for: size, scratch: streaming.scratchBesidePlace) != nil
        else { return nil }
        return streaming
    }

    func animation() throws(DecodeFailure) -> AnimationStream? {
        guard info.isAnimated, let codec = codec as? any AnimatedCodec else { return nil }
        return try AnimationStream(
            try codec.frames(), codec.framesOrientation, told: info.orientation)
    }

    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    {
        let exponent = min(firstExponent, codec.deepestReduction)
        guard codec.decodesBeside, SerialDecode.workers.width > 1 else {
            guard try deliverPreviews(for: target, to: sink) else { return nil }
            return try decodeWhole(exponent, to: sink)
        }
        let early = Previews(sink)
        defer { early.end() }
        guard codec.mayBeIndexed else {
            let decoder = self
            early.start { sink in
                _ = try? decoder.deliverPreviews(
                    for: target, to: sink, isBeside: true, on: SerialDecode.alone)
            }
            // Until something is seen the reductions can wait: they would take the other processor's time.
            return try decodeWhole(exponent, to: early, reducingAfter: early.areShown)
        }
        return try decodeHelped(exponent, for: target, early)
    }

    /// Decodes the picture from the top down, while the thread that shows smaller ones first helps from
    /// below.
    private func decodeHelped(
        _ exponent: Int, for target: PixelSize, _ early: Previews<some DecodeSink>
    ) throws(DecodeFailure) -> String? {
        // It takes so little that nothing else shall take its time.
        let embedded = deliverEmbedded(to: early, on: SerialDecode.alone)
        let source = try open(exponent)
        let decoding = try ParallelDecode(source, as: info.size, from: exponent, info.orientation)
        let decoder = self
        early.start { sink in
            guard let found = decoder.codec.indexed(while: sink.shouldContinue) else {
                _ = try? decoder.deliverReduction(
                    for: target, after: embedded, to: sink, isBeside: true, on: SerialDecode.alone)
                return
            }
            if let preview = found.preview, preview.exponent < embedded ?? .max {
                _ = try? decoder.deliver(preview, to: sink, on: SerialDecode.alone)
            }
            decoding.help(found.index)
        }
        guard let (memory, isComplete) = try decoding.seal(source, early) else { return nil }
        early.deliver(memory, isFinal: true)
        return isComplete ? nil : StillNotice.incomplete
    }

    private func decodeWhole(
        _ exponent: Int, to sink: some DecodeSink, reducingAfter start: Signal? = nil
    ) throws(DecodeFailure) -> String? {
        let isWhole = try pass(
            exponent, isFinal: true, to: sink, on: SerialDecode.workers, reducingAfter: start
        ) { () throws(DecodeFailure) in try open(exponent) }
        guard let isWhole else { return nil }
        return isWhole ? nil : StillNotice.incomplete
    }

    /// Shows smaller pictures first, if any are to be had quickly; false when told to stop.
    ///
    /// Beside the picture itself, which is decoded on another processor, more is worth a pass than before
    /// it.
    func deliverPreviews(
        for target: PixelSize, to sink: some DecodeSink, isBeside: Bool = false,
        on pool: WorkerPool = SerialDecode.workers
    ) throws(DecodeFailure) -> Bool {
        let embedded = deliverEmbedded(to: sink, on: pool)
        return try deliverReduction(
            for: target, after: embedded, to: sink, isBeside: isBeside, on: pool)
    }

    /// Shows the small pictures that the file holds of itself, if it does; how often the last one is halved.
    private func deliverEmbedded(to sink: some DecodeSink, on pool: WorkerPool) -> Int? {
        var shown: Int?
        for number in 0..<2 {
            guard let embedded = try? codec.embedded(number), isReduction(embedded),
                embedded.exponent < shown ?? .max,
                (try? deliver(embedded, to: sink, on: pool)) == true
            else { continue }
            shown = embedded.exponent
        }
        return shown
    }

    /// Shows a reduction that is not coarser than what was shown before, if it is to be had quickly.
    private func deliverReduction(
        for target: PixelSize, after shown: Int?, to sink: some DecodeSink, isBeside: Bool,
        on pool: WorkerPool
    ) throws(DecodeFailure) -> Bool {
        if let exponent = previewExponent(for: target, isBeside: isBeside) {
            if let shown, shown <= exponent { return true }
            return try deliver(
                StillPreview(exponent: exponent, rows: try open(exponent)), to: sink, on: pool)
        }
        guard let preview = try? codec.preview(), isReduction(preview) else { return true }
        return try deliver(preview, to: sink, on: pool)
    }

    /// Decodes and shows what has been started; false when told to stop.
    private func deliver(
        _ preview: StillPreview, to sink: some DecodeSink, on pool: WorkerPool
    ) throws(DecodeFailure) -> Bool {
        try pass(preview.exponent, isFinal: false, to: sink, on: pool, open: { preview.rows })
            != nil
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        let wanted = info.orientation.upright(size)
        let exponent =
            (0...codec.deepestReduction).last {
                let reduced = codec.size.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        let limits = PictureDecoders.limits
        let reduced = codec.size.reduced(by: exponent)
        guard exponent == 0, let streaming else {
            guard !reduced.isLarger(than: limits.pixels) else { throw tooLarge }
            return try RowStream(try open(exponent))
        }
        // Beyond what is decoded whole it has to do with as much memory as that takes.
        let bytes = streaming.scratch * codec.size.width * codec.size.height
        guard bytes <= limits.bytes || !codec.size.isLarger(than: limits.pixels) else {
            throw tooLarge
        }
        let scratch = bytes == 0 ? nil : try ScratchMemory(bytes: bytes)
        return try RowStream(try openStreamed(scratch, while: { true }))
    }

    private var tooLarge: DecodeFailure {
        .tooLarge(
            width: info.size.width, height: info.size.height, most: PictureDecoders.limits.pixels)
    }

    /// The reduction that already does for the target, if it saves enough; beside the picture itself, the
    /// quickest one where none does.
    private func previewExponent(for target: PixelSize, isBeside: Bool) -> Int? {
        guard !target.isEmpty, codec.isReductionQuick else { return nil }
        let size = info.size
        let shown = min(
            Double(target.width) / Double(size.width), Double(target.height) / Double(size.height))
        let best =
            (0...codec.deepestReduction).last { 1 / Double(1 << $0) >= Self.tolerance * shown }
            ?? 0
        if best >= Self.worthwhile && best > firstExponent { return best }
        return isBeside && codec.deepestReduction > firstExponent ? codec.deepestReduction : nil
    }

    func open(_ exponent: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try codec.rows(reducedBy: exponent)
        guard isReduction(StillPreview(exponent: exponent, rows: rows)) else {
            throw .damaged(reason: "its size is not what it says")
        }
        return rows
    }

    /// As `open`, without holding it.
    func openStreamed(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        let rows = try codec.streamedRows(scratch, while: isWanted)
        guard rows.size == codec.size else {
            throw .damaged(reason: "its size is not what it says")
        }
        return rows
    }

    private func isReduction(_ preview: StillPreview) -> Bool {
        preview.rows.size == codec.size.reduced(by: preview.exponent)
    }

    /// Decodes once what `open` starts; whether nothing was missing, or nil when told to stop.
    private func pass(
        _ exponent: Int, isFinal: Bool, to sink: some DecodeSink, on pool: WorkerPool,
        reducingAfter start: Signal? = nil, open: () throws(DecodeFailure) -> any RowSource
    ) throws(DecodeFailure) -> Bool? {
        let sealed = try SerialDecode.seal(
            as: info.size, from: exponent, info.orientation, sink, reducingAfter: start
        ) { () throws(DecodeFailure) in SerialDecode(try open(), on: pool) }
        guard let sealed else { return nil }
        sink.deliver(sealed.memory, isFinal: isFinal)
        return sealed.rows.isComplete
    }
}
