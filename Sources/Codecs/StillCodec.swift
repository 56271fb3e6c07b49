import Geometry
import Pictures

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
    /// Something that is there at once while all else takes long: it is shown first if there is no
    /// better for the target. Starts decoding it.
    func preview() throws(DecodeFailure) -> StillPreview?
    /// Starts decoding, to `size.reduced(by: exponent)`.
    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource
}

extension StillCodec {
    static var isAvailable: Bool { true }
    var orientation: Orientation { .upright }
    var taken: Int? { nil }
    var deepestReduction: Int { 0 }
    var isReductionQuick: Bool { true }
    func preview() throws(DecodeFailure) -> StillPreview? { nil }
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
        try StillDecoder<Self>(bytes)
    }
}

/// Decodes what a codec gives: upright, in the screen's colours, with its reductions.
struct StillDecoder<Codec: StillCodec>: PictureDecoder {
    let info: PictureInfo
    private let codec: Codec
    /// The reduction from which on it can be shown at all.
    private let firstExponent: Int

    /// A reduced decode does for a target up to this much larger than itself.
    private static var tolerance: Double { 0.9 }
    /// The weakest reduction that is worth a pass of its own: halving costs as much as decoding
    /// in full.
    private static var worthwhile: Int { 2 }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        codec = try Codec(bytes)
        firstExponent = try PictureDecoders.firstExponent(for: codec.size)
        info = PictureInfo(
            size: codec.orientation.upright(codec.size), orientation: codec.orientation,
            format: Codec.format.name, taken: codec.taken,
            isAnimated: (codec as? any AnimatedCodec)?.isAnimated ?? false)
    }

    func animation() throws(DecodeFailure) -> AnimationStream? {
        guard info.isAnimated, let codec = codec as? any AnimatedCodec else { return nil }
        return try AnimationStream(try codec.frames(), info.orientation)
    }

    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    {
        if let exponent = previewExponent(for: target) {
            let rows = try open(exponent)
            guard try pass(rows, exponent, isFinal: false, to: sink) != nil else { return nil }
        } else if let preview = try? codec.preview(), isReduction(preview) {
            guard try pass(preview.rows, preview.exponent, isFinal: false, to: sink) != nil else {
                return nil
            }
        }
        let exponent = min(firstExponent, codec.deepestReduction)
        let rows = try open(exponent)
        guard let isWhole = try pass(rows, exponent, isFinal: true, to: sink) else { return nil }
        return isWhole ? nil : "The file is damaged or cut short; what could be read is shown."
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream? {
        // One that is as small as that is handed on as it is.
        guard info.size != size else { return nil }
        let wanted = info.orientation.upright(size)
        let exponent =
            (0...codec.deepestReduction).last {
                let reduced = codec.size.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        return try RowStream(try open(exponent))
    }

    /// The reduction that already does for the target, if it saves enough.
    private func previewExponent(for target: PixelSize) -> Int? {
        guard !target.isEmpty, codec.isReductionQuick else { return nil }
        let size = info.size
        let shown = min(
            Double(target.width) / Double(size.width), Double(target.height) / Double(size.height))
        let best =
            (0...codec.deepestReduction).last { 1 / Double(1 << $0) >= Self.tolerance * shown }
            ?? 0
        return best >= Self.worthwhile && best > firstExponent ? best : nil
    }

    private func open(_ exponent: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try codec.rows(reducedBy: exponent)
        guard isReduction(StillPreview(exponent: exponent, rows: rows)) else {
            throw .damaged(reason: "its size is not what it says")
        }
        return rows
    }

    private func isReduction(_ preview: StillPreview) -> Bool {
        preview.rows.size == codec.size.reduced(by: preview.exponent)
    }

    /// Decodes once; whether nothing was missing, or nil when told to stop.
    private func pass(
        _ rows: any RowSource, _ exponent: Int, isFinal: Bool, to sink: some DecodeSink
    ) throws(DecodeFailure) -> Bool? {
        let converter = RowConverter(rows)
        let store = try PixelStore(size: info.size, format: converter.format, from: exponent)
        let level = store.levels[0]
        let isPlaced = converter.isNeedless && codec.orientation == .upright
        try rows.begin(
            isPlaced ? RowPlace(base: store.row(0, of: level), stride: level.stride) : nil)
        do throws(Stopped) {
            try StripDecoding(rows, converter).run(store, info.orientation, sink)
        } catch {
            return nil
        }
        sink.deliver(try store.seal(orientation: info.orientation), isFinal: isFinal)
        return rows.isComplete
    }
}
