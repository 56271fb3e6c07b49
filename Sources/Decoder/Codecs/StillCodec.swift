import ImageWire
import Geometry
import ImageTypes
import Threads

/// Describes a file of one format and decodes its rows, by the format's library.
///
/// The bytes of the file have to outlive the codec.
protocol StillCodec {
    static var format: PictureFormat { get }
    /// Whether the library was present at build time and is installed.
    static var isAvailable: Bool { get }
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
    /// Size in pixels as stored.
    var size: PixelSize { get }
    /// The orientation that has to be applied to the rows; `.upright` if the library applies it.
    var orientation: Orientation { get }
    /// The time when the picture was taken, as in `PictureInfo.taken`.
    var taken: Int? { get }
    /// The coarsest mip level that can be decoded faster than the full picture; 0 if there is none.
    var coarsestMipLevel: Int { get }
    /// Whether a reduction decodes so much faster than the full picture that it suits as a preview.
    var isReductionQuick: Bool { get }
    /// The memory needed to decode row by row; nil if the library has to hold all pixels.
    ///
    /// A picture that is too large for memory can be disk-backed if this is not nil.
    var streaming: RowStreaming? { get }
    /// Starts decoding a preview that is available quickly while reductions are slow.
    ///
    /// It is used if no reduction suits the target. Nil if there is none.
    func preview() throws(DecodeFailure) -> StillPreview?
    /// Starts decoding embedded preview 0 or 1; nil if there is none with that number.
    ///
    /// Embedded previews are shown before all others. The smaller one comes first.
    func embedded(_ number: Int) throws(DecodeFailure) -> StillPreview?
    /// Makes an index of the file's rows, so that they can be decoded in any order.
    ///
    /// The pass over the file may also yield a preview. Nil if the file has any irregularity, or
    /// once `isWanted` returns false.
    func indexed(while isWanted: () -> Bool) -> (index: any RowIndex, preview: StillPreview?)?
    /// Whether `indexed` may succeed.
    var mayBeIndexed: Bool { get }
    /// Whether decoding is slow and uses one processor, so that previews are decoded on another.
    var previewsConcurrently: Bool { get }
    /// Starts decoding to the size `size.reduced(by: mipLevel)`.
    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource
    /// Starts decoding the full picture without holding all pixels, while `isWanted` returns true.
    ///
    /// `scratch` is the memory that `streaming` asks for; nil if it asks for none.
    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource
    /// The decoder for a file of this format.
    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> any PictureDecoder
}

extension StillCodec {
    static var isAvailable: Bool { true }
    var orientation: Orientation { .upright }
    var taken: Int? { nil }
    var coarsestMipLevel: Int { 0 }
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
    var previewsConcurrently: Bool { false }
}

/// Messages for the user about a picture that is shown.
enum StillMessage {
    static let incomplete = "The file is damaged or cut short; only the readable data is shown."
}

/// A preview, which is shown until something better is decoded.
struct StillPreview {
    /// The mip level of the rows.
    var mipLevel: Int
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

/// Decodes the rows of a codec: upright, in the screen's colours, with mip levels.
struct StillDecoder<Codec: StillCodec>: PictureDecoder {
    let info: PictureInfo
    private let codec: Codec
    /// The finest mip level that can be displayed.
    private let finestMipLevel: Int
    /// Not nil if the picture is too large for memory, and the codec can decode row by row.
    let streaming: RowStreaming?

    /// A reduction suits a target if it has at least this share of the target's resolution.
    private static var tolerance: Double { 0.9 }
    /// The finest mip level that is worth a pass: level 1 costs as much as the full picture.
    private static var worthwhile: Int { 2 }

    /// A file that claims to have more pixels gets no space on the disk.
    private static var mostPixelsPerByte: Int { 1024 }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        codec = try Codec(bytes)
        let limits = PictureDecoders.limits
        streaming = Self.streaming(of: codec, in: bytes.count, limits)
        finestMipLevel = try PictureDecoders.finestMipLevel(
            for: codec.size,
            most: streaming == nil ? limits.pixels : PictureLimits.diskBackedPixels)
        info = PictureInfo(
            size: codec.orientation.upright(codec.size), orientation: codec.orientation,
            format: Codec.format.name, taken: codec.taken,
            isAnimated: (codec as? any AnimatedCodec)?.isAnimated ?? false)
    }

    /// How to decode row by row, if the picture is too large for memory and within all limits.
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
            try codec.frames(), codec.framesOrientation, reporting: info.orientation)
    }

    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    {
        let mipLevel = min(finestMipLevel, codec.coarsestMipLevel)
        guard codec.previewsConcurrently, SerialDecode.workers.width > 1 else {
            guard try deliverPreviews(for: target, to: sink) else { return nil }
            return try decodeWhole(mipLevel, to: sink)
        }
        let previews = Previews(sink)
        defer { previews.end() }
        guard codec.mayBeIndexed else {
            let decoder = self
            previews.start { sink in
                _ = try? decoder.deliverPreviews(
                    for: target, to: sink, isConcurrent: true, on: SerialDecode.alone)
            }
            // The reductions wait for the previews, because both need the second processor.
            return try decodeWhole(mipLevel, to: previews, reducingAfter: previews.areDelivered)
        }
        return try decodeInParallel(mipLevel, for: target, previews)
    }

    /// Decodes the picture from the top down; the preview thread then helps from the bottom up.
    private func decodeInParallel(
        _ mipLevel: Int, for target: PixelSize, _ previews: Previews<some DecodeSink>
    ) throws(DecodeFailure) -> String? {
        // Embedded previews take little time, so nothing else runs beside them.
        let embedded = deliverEmbedded(to: previews, on: SerialDecode.alone)
        let source = try open(mipLevel)
        let decoding = try ParallelDecode(source, as: info.size, from: mipLevel, info.orientation)
        let decoder = self
        previews.start { sink in
            guard let found = decoder.codec.indexed(while: sink.shouldContinue) else {
                _ = try? decoder.deliverReduction(
                    for: target, after: embedded, to: sink, isConcurrent: true,
                    on: SerialDecode.alone)
                return
            }
            if let preview = found.preview, preview.mipLevel < embedded ?? .max {
                _ = try? decoder.deliver(preview, to: sink, on: SerialDecode.alone)
            }
            decoding.help(found.index)
        }
        guard let (memory, isComplete) = try decoding.seal(source, previews) else { return nil }
        previews.deliver(memory, isFinal: true)
        return isComplete ? nil : StillMessage.incomplete
    }

    private func decodeWhole(
        _ mipLevel: Int, to sink: some DecodeSink, reducingAfter start: Signal? = nil
    ) throws(DecodeFailure) -> String? {
        let isWhole = try pass(
            mipLevel, isFinal: true, to: sink, on: SerialDecode.workers, reducingAfter: start
        ) { () throws(DecodeFailure) in try open(mipLevel) }
        guard let isWhole else { return nil }
        return isWhole ? nil : StillMessage.incomplete
    }

    /// Delivers the previews that are available quickly; false if the sink stops the decoding.
    ///
    /// `isConcurrent` tells that the picture itself is decoded at the same time on another processor,
    /// so that slower previews are worth a pass as well.
    func deliverPreviews(
        for target: PixelSize, to sink: some DecodeSink, isConcurrent: Bool = false,
        on pool: WorkerPool = SerialDecode.workers
    ) throws(DecodeFailure) -> Bool {
        let embedded = deliverEmbedded(to: sink, on: pool)
        return try deliverReduction(
            for: target, after: embedded, to: sink, isConcurrent: isConcurrent, on: pool)
    }

    /// Delivers the embedded previews; returns the mip level of the last one, nil without any.
    private func deliverEmbedded(to sink: some DecodeSink, on pool: WorkerPool) -> Int? {
        var shown: Int?
        for number in 0..<2 {
            guard let embedded = try? codec.embedded(number), isReduction(embedded),
                embedded.mipLevel < shown ?? .max,
                (try? deliver(embedded, to: sink, on: pool)) == true
            else { continue }
            shown = embedded.mipLevel
        }
        return shown
    }

    /// Delivers a reduction, or else the codec's preview; false if the sink stops the decoding.
    ///
    /// `shown` is the mip level of the last preview; a reduction that is not finer is left out.
    private func deliverReduction(
        for target: PixelSize, after shown: Int?, to sink: some DecodeSink, isConcurrent: Bool,
        on pool: WorkerPool
    ) throws(DecodeFailure) -> Bool {
        if let mipLevel = previewMipLevel(for: target, isConcurrent: isConcurrent) {
            if let shown, shown <= mipLevel { return true }
            return try deliver(
                StillPreview(mipLevel: mipLevel, rows: try open(mipLevel)), to: sink, on: pool)
        }
        guard let preview = try? codec.preview(), isReduction(preview) else { return true }
        return try deliver(preview, to: sink, on: pool)
    }

    /// Decodes and delivers a preview; false if the sink stops the decoding.
    private func deliver(
        _ preview: StillPreview, to sink: some DecodeSink, on pool: WorkerPool
    ) throws(DecodeFailure) -> Bool {
        try pass(preview.mipLevel, isFinal: false, to: sink, on: pool, open: { preview.rows })
            != nil
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        let wanted = info.orientation.upright(size)
        let mipLevel =
            (0...codec.coarsestMipLevel).last {
                let reduced = codec.size.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        let limits = PictureDecoders.limits
        let reduced = codec.size.reduced(by: mipLevel)
        guard mipLevel == 0, let streaming else {
            guard !reduced.isLarger(than: limits.pixels) else { throw tooLarge }
            return try RowStream(try open(mipLevel))
        }
        // Above the pixel limit, the scratch memory must not exceed the memory limit.
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

    /// The mip level of the reduction that suits the target, if it saves enough time.
    ///
    /// If none does and `isConcurrent` is true, the coarsest reduction.
    private func previewMipLevel(for target: PixelSize, isConcurrent: Bool) -> Int? {
        guard !target.isEmpty, codec.isReductionQuick else { return nil }
        let size = info.size
        let shown = min(
            Double(target.width) / Double(size.width), Double(target.height) / Double(size.height))
        let best =
            (0...codec.coarsestMipLevel).last { 1 / Double(1 << $0) >= Self.tolerance * shown }
            ?? 0
        if best >= Self.worthwhile && best > finestMipLevel { return best }
        return isConcurrent && codec.coarsestMipLevel > finestMipLevel
            ? codec.coarsestMipLevel : nil
    }

    func open(_ mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try codec.rows(reducedBy: mipLevel)
        guard isReduction(StillPreview(mipLevel: mipLevel, rows: rows)) else {
            throw .damaged(reason: "the decoded size differs from the size in the header")
        }
        return rows
    }

    /// Like `open` for the full picture, but without holding all pixels.
    func openStreamed(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        let rows = try codec.streamedRows(scratch, while: isWanted)
        guard rows.size == codec.size else {
            throw .damaged(reason: "the decoded size differs from the size in the header")
        }
        return rows
    }

    private func isReduction(_ preview: StillPreview) -> Bool {
        preview.rows.size == codec.size.reduced(by: preview.mipLevel)
    }

    /// Decodes and delivers what `open` starts; returns whether it was complete.
    ///
    /// Nil if the sink stops the decoding.
    private func pass(
        _ mipLevel: Int, isFinal: Bool, to sink: some DecodeSink, on pool: WorkerPool,
        reducingAfter start: Signal? = nil, open: () throws(DecodeFailure) -> any RowSource
    ) throws(DecodeFailure) -> Bool? {
        let sealed = try SerialDecode.seal(
            as: info.size, from: mipLevel, info.orientation, sink, reducingAfter: start
        ) { () throws(DecodeFailure) in SerialDecode(try open(), on: pool) }
        guard let sealed else { return nil }
        sink.deliver(sealed.memory, isFinal: isFinal)
        return sealed.rows.isComplete
    }
}
