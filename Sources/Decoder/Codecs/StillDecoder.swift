import Geometry
import ImageTypes
import ImageWire
import RasterPipeline
import Threads

/// Decodes the rows of a codec: upright, in the screen's colours, with mip levels.
struct StillDecoder: PictureDecoder {
    let info: PictureInfo
    /// Not nil if the picture is too large for memory, and the codec can decode row by row.
    let streaming: RowStreaming?
    let previews: QuickPreviews
    private let codec: any StillCodec
    /// The finest mip level that can be displayed.
    private let finestMipLevel: Int
    private let decodePass: DecodePass
    /// Whether the rows that were decoded last have light that is brighter than white.
    private var hasHighRange = false

    /// A file that claims to have more pixels gets no space on the disk, unless only a small limit
    /// of this machine keeps its pixels from memory.
    private static let mostPixelsPerByte = 1024

    /// Wraps a codec, whose file has `fileLength` bytes.
    ///
    /// Throws `.tooLarge` for a picture beyond the limits, and `.damaged` for one without pixels.
    init(_ codec: any StillCodec, fileLength: Int) throws(DecodeFailure) {
        self.codec = codec
        let limits = DecodeSettings.limits
        let orientation = codec.storedOrientation
        streaming = Self.streaming(of: codec, in: fileLength, limits)
        finestMipLevel = try DecodeSettings.finestMipLevel(
            for: codec.size,
            most: streaming == nil ? limits.pixels : PictureLimits.diskBackedPixels)
        info = PictureInfo(
            size: orientation.upright(codec.size), orientation: orientation,
            format: type(of: codec).format.name,
            capture: (codec as? any CapturedCodec)?.capture ?? Capture(),
            isAnimated: (codec as? any AnimatedCodec)?.isAnimated ?? false)
        decodePass = DecodePass(size: info.size, orientation: orientation)
        previews = QuickPreviews(codec, finestMipLevel: finestMipLevel, decodePass)
    }

    /// How to decode row by row, if the picture is too large for memory and within all limits.
    private static func streaming(
        of codec: any StillCodec, in fileLength: Int, _ limits: DecodeLimits
    ) -> RowStreaming? {
        let size = codec.storedOrientation.upright(codec.size)
        let isPlausible = !size.isLarger(than: fileLength * mostPixelsPerByte)
        let isUsual =
            size.isLarger(than: limits.pixels) && !size.isLarger(than: PictureLimits.pixels)
        guard size.isLarger(than: limits.wholePixels), isPlausible || isUsual,
            let streaming = (codec as? any StreamingCodec)?.streaming,
            streaming.held <= limits.bytes,
            PixelLayout.backingFileBytes(for: size, scratch: streaming.scratchBesidePlace) != nil
        else { return nil }
        return streaming
    }

    func animation() throws(DecodeFailure) -> AnimationStream? {
        guard info.isAnimated, let codec = codec as? any AnimatedCodec else { return nil }
        return try AnimationStream(
            try codec.frames(), codec.framesOrientation, reporting: info.orientation)
    }

    // MARK: Pixels

    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    {
        let mipLevel = min(finestMipLevel, codec.coarsestReduction)
        // Asked once, because a profile is compared with the colours of the screen.
        let mayHavePlanes = sink.acceptsPlanes && mipLevel == 0 && codec.mayHavePlanes
        guard let parallel = codec as? any ParallelCodec, parallel.previewsConcurrently,
            SerialDecode.workers.width > 1
        else {
            guard try previews.deliver(for: target, to: sink) else { return nil }
            if mayHavePlanes, let source = try codec.checkedPlanes() {
                return try seal(try parallelDecode(source), source, to: sink)
            }
            return try decodeWhole(mipLevel, to: sink)
        }
        let delivery = Previews(sink)
        defer { delivery.end() }
        guard parallel.mayBeIndexed else {
            delivery.start { [previews] sink in
                _ = try? previews.deliver(
                    for: target, to: sink, isConcurrent: true, on: SerialDecode.alone)
            }
            if mayHavePlanes, let source = try codec.checkedPlanes() {
                return try seal(try parallelDecode(source), source, to: delivery)
            }
            // The reductions wait for the previews, because both need the second processor.
            return try decodeWhole(mipLevel, to: delivery, reducingAfter: delivery.areDelivered)
        }
        if mayHavePlanes {
            return try decodePlanes(with: parallel, for: target, delivery)
        }
        return try decode(mipLevel, with: parallel, for: target, delivery)
    }

    /// Decodes the picture from the top down; the preview thread then helps from the bottom up.
    private func decode(
        _ mipLevel: Int, with codec: any ParallelCodec, for target: PixelSize,
        _ delivery: Previews<some DecodeSink>
    ) throws(DecodeFailure) -> String? {
        // Embedded previews take little time, so nothing else runs beside them.
        let embedded = previews.deliverEmbedded(to: delivery, on: SerialDecode.alone)
        let source = try codec.checkedRows(reducedBy: mipLevel)
        let decoding = try ParallelDecode(source, as: info.size, from: mipLevel, info.orientation)
        startHelp(with: codec, for: target, after: embedded, decoding, delivery) {
            decoding.help($0, reducedBy: mipLevel)
        }
        guard let memory = try decoding.seal(source, delivery) else { return nil }
        delivery.deliver(memory, isFinal: true)
        return source.isComplete ? nil : StillMessage.incomplete
    }

    /// The same for planes.
    private func decodePlanes(
        with parallel: any ParallelCodec, for target: PixelSize,
        _ delivery: Previews<some DecodeSink>
    ) throws(DecodeFailure) -> String? {
        let embedded = previews.deliverEmbedded(to: delivery, on: SerialDecode.alone)
        guard let source = try codec.checkedPlanes() else { throw type(of: codec).differs }
        let decoding = try parallelDecode(source)
        startHelp(with: parallel, for: target, after: embedded, decoding, delivery) {
            if let index = $0 as? any PlaneIndex { decoding.help(index) }
        }
        return try seal(decoding, source, to: delivery)
    }

    private func parallelDecode(
        _ source: any PlaneSource
    ) throws(DecodeFailure) -> ParallelDecode<PlanarDecode> {
        ParallelDecode(
            try PlanarDecode(source.size, source.format, info.orientation),
            height: source.size.height)
    }

    private func seal(
        _ decoding: ParallelDecode<PlanarDecode>, _ source: any PlaneSource,
        to sink: some DecodeSink
    ) throws(DecodeFailure) -> String? {
        if let source = source as? any RandomPlaneSource, SerialDecode.workers.width > 1 {
            Thread.start { decoding.help(source) }
        }
        guard let memory = try decoding.seal(source, sink) else { return nil }
        sink.deliver(memory, isFinal: true)
        return source.isComplete ? nil : StillMessage.incomplete
    }

    /// Makes an index on the preview thread, shows the preview that comes with it, and then helps to decode;
    /// shows a reduction where there is no index.
    ///
    /// Where no preview would be worthwhile, two threads decode the parts above and below the middle: the index
    /// ends there, and the picture comes earlier.
    private func startHelp(
        with codec: any ParallelCodec, for target: PixelSize, after embedded: Int?,
        _ progress: any DecodeProgress, _ delivery: Previews<some DecodeSink>,
        _ help: @escaping (any RowIndex) -> Void
    ) {
        delivery.start(secondsLeft: progress.secondsLeft) { [previews] sink in
            let start = ContinuousClock.now
            // For a preview the index has to reach the last row.
            let delaysPicture = progress.threads == 2
            func isEnough(_ share: Double) -> Bool {
                guard delaysPicture, progress.isMiddle(of: share) else { return false }
                if let embedded, embedded <= codec.coarsestReduction { return true }
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                return !sink.isWorthwhile(
                    in: seconds * (1 - share) / share, delaysPicture: true)
            }
            guard let found = codec.indexed(while: sink.shouldContinue, until: isEnough) else {
                _ = try? previews.deliverReduction(
                    for: target, after: embedded, to: sink, isConcurrent: true,
                    on: SerialDecode.alone)
                return
            }
            if let preview = found.preview, preview.mipLevel < embedded ?? .max,
                sink.isWorthwhile(delaysPicture: delaysPicture)
            {
                _ = try? previews.deliver(preview, to: sink, on: SerialDecode.alone)
            }
            help(found.index)
        }
    }

    private mutating func decodeWhole(
        _ mipLevel: Int, to sink: some DecodeSink, reducingAfter start: Signal? = nil
    ) throws(DecodeFailure) -> String? {
        var hasHighRange = false
        let isWhole = try decodePass.run(
            from: mipLevel, isFinal: true, to: sink, on: SerialDecode.workers, reducingAfter: start
        ) { () throws(DecodeFailure) in
            let rows = try codec.checkedRows(reducedBy: mipLevel)
            hasHighRange = GainRange(of: rows) != nil
            return rows
        }
        self.hasHighRange = hasHighRange
        guard let isWhole else { return nil }
        return isWhole ? nil : StillMessage.incomplete
    }

    func gainPlane(over base: Int32, _ sink: some DecodeSink) throws(DecodeFailure) -> (
        range: GainRange, memory: Int32
    )? {
        if let planes = try (codec as? any GainMapCodec)?.gainPlanes(over: base) {
            return try gainPlane(planes, planes.range, sink)
        }
        guard hasHighRange else { return nil }
        let rows = try codec.checkedRows(reducedBy: min(finestMipLevel, codec.coarsestReduction))
        return try HighRangeGains(rows).flatMap { (gains) throws(DecodeFailure) in
            try gainPlane(gains, gains.range, sink)
        }
    }

    private func gainPlane(
        _ planes: any PlaneSource, _ range: GainRange, _ sink: some DecodeSink
    ) throws(DecodeFailure) -> (range: GainRange, memory: Int32)? {
        try PlanarDecode.memory(of: planes, info.orientation, while: sink.shouldContinue)
            .map { (range, $0) }
    }

    // MARK: Rows

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        let wanted = info.orientation.upright(size)
        let mipLevel =
            (0...codec.coarsestReduction).last {
                let reduced = codec.size.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        let limits = DecodeSettings.limits
        let reduced = codec.size.reduced(by: mipLevel)
        guard mipLevel == 0, let streaming else {
            guard !reduced.isLarger(than: limits.pixels) else { throw tooLarge }
            return try RowStream(try codec.checkedRows(reducedBy: mipLevel))
        }
        // Above the pixel limit, the scratch memory must not exceed the memory limit.
        let bytes = streaming.scratch * codec.size.width * codec.size.height
        guard bytes <= limits.bytes || !codec.size.isLarger(than: limits.pixels) else {
            throw tooLarge
        }
        let scratch = bytes == 0 ? nil : try ScratchMemory(bytes: bytes)
        return try RowStream(try streamedRows(scratch, while: { true }))
    }

    private var tooLarge: DecodeFailure {
        .tooLarge(
            width: info.size.width, height: info.size.height, most: DecodeSettings.limits.pixels)
    }

    /// Starts decoding the full picture without holding all pixels, while `isWanted` returns true.
    ///
    /// `scratch` is the memory that `streaming` asks for; nil if it asks for none.
    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        try codec.checkedRows(streamedTo: scratch, while: isWanted)
    }
}
