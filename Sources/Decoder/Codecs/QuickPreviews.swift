import Geometry
import ImageTypes
import RasterPipeline
import Threads

/// The previews of a picture that are available quickly, and their order.
struct QuickPreviews {
    private let codec: any StillCodec
    /// The upright size of the full picture in pixels.
    private let size: PixelSize
    /// The finest mip level that can be displayed.
    private let finestMipLevel: Int
    private let decodePass: DecodePass

    /// A reduction suits a target if it has at least this share of the target's resolution.
    private static let tolerance = 0.9
    /// The finest mip level that is worth a pass: level 1 costs as much as the full picture.
    private static let worthwhile = 2

    init(_ codec: any StillCodec, finestMipLevel: Int, _ decodePass: DecodePass) {
        (self.codec, self.finestMipLevel) = (codec, finestMipLevel)
        (size, self.decodePass) = (decodePass.size, decodePass)
    }

    /// Delivers the previews that are available quickly; false if the sink stops the decoding.
    ///
    /// `isConcurrent` tells that the picture itself is decoded at the same time on another processor,
    /// so that slower previews are worth a pass as well.
    func deliver(
        for target: PixelSize, to sink: some DecodeSink, isConcurrent: Bool = false,
        on pool: WorkerPool = SerialDecode.workers
    ) throws(DecodeFailure) -> Bool {
        let embedded = deliverEmbedded(to: sink, on: pool)
        return try deliverReduction(
            for: target, after: embedded, to: sink, isConcurrent: isConcurrent, on: pool)
    }

    /// Delivers the embedded previews; returns the mip level of the last one, nil without any.
    func deliverEmbedded(to sink: some DecodeSink, on pool: WorkerPool) -> Int? {
        guard let codec = codec as? any EmbeddedPreviewCodec else { return nil }
        var shown: Int?
        for start in codec.embedded() {
            guard let embedded = start(), codec.isReduction(embedded),
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
    func deliverReduction(
        for target: PixelSize, after shown: Int?, to sink: some DecodeSink, isConcurrent: Bool,
        on pool: WorkerPool
    ) throws(DecodeFailure) -> Bool {
        if let mipLevel = reduction(for: target, isConcurrent: isConcurrent) {
            if let shown, shown <= mipLevel { return true }
            let rows = try codec.checkedRows(reducedBy: mipLevel)
            return try deliver(StillPreview(mipLevel: mipLevel, rows: rows), to: sink, on: pool)
        }
        guard let codec = codec as? any PreviewCodec, let preview = try? codec.preview(),
            codec.isReduction(preview)
        else { return true }
        return try deliver(preview, to: sink, on: pool)
    }

    /// Decodes and delivers a preview; false if the sink stops the decoding.
    func deliver(
        _ preview: StillPreview, to sink: some DecodeSink, on pool: WorkerPool
    ) throws(DecodeFailure) -> Bool {
        try decodePass.run(
            from: preview.mipLevel, isFinal: false, to: sink, on: pool, open: { preview.rows })
            != nil
    }

    /// The mip level of the reduction that suits the target, if it saves enough time.
    ///
    /// If none does and `isConcurrent` is true, the coarsest reduction.
    private func reduction(for target: PixelSize, isConcurrent: Bool) -> Int? {
        let isQuick = (codec as? any ProgressiveCodec)?.isReductionQuick ?? true
        guard !target.isEmpty, isQuick else { return nil }
        let coarsest = codec.coarsestReduction
        let shown = min(
            Double(target.width) / Double(size.width), Double(target.height) / Double(size.height))
        let best = (0...coarsest).last { 1 / Double(1 << $0) >= Self.tolerance * shown } ?? 0
        if best >= Self.worthwhile && best > finestMipLevel { return best }
        return isConcurrent && coarsest > finestMipLevel ? coarsest : nil
    }
}
