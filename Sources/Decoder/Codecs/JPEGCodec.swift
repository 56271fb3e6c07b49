import CCodecs
import Geometry
import ImageTypes

/// JPEG, by libjpeg-turbo.
struct JPEGCodec: StillCodec {
    static let format = PictureFormat.jpeg
    let size: PixelSize
    let orientation: Orientation
    let taken: Int?
    let deepestReduction = JPEGCodec.blockExponent
    let isReductionQuick: Bool
    let mayBeIndexed: Bool
    let streaming: RowStreaming?
    private let bytes: UnsafeRawBufferPointer
    private let color: ColorSource
    /// Whether its colours are those that it is stored in by default.
    private let isOrdinary: Bool

    /// A block of 8 × 8 samples halved so often is one.
    static let blockExponent = 3

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let jpeg = try JPEGRows(header: bytes)
        size = jpeg.size
        color = jpeg.color
        isReductionQuick = ccodecs_jpeg_is_progressive(jpeg.raw) == 0
        streaming = RowStreaming(held: ccodecs_jpeg_held(jpeg.raw))
        isOrdinary = jpeg.layout == .gray8 || ccodecs_jpeg_is_ycc(jpeg.raw) != 0
        // Of other colours there is no small picture; without help they are converted on all processors.
        mayBeIndexed =
            isOrdinary && ccodecs_jpeg_can_be_indexed(jpeg.raw) != 0
            || ccodecs_jpeg_has_restarts(jpeg.raw) != 0
        let exif = Exif(jpeg: bytes)
        (orientation, taken) = (exif.orientation, exif.taken)
    }

    /// A picture of fewer pixels in fewer bytes is decoded in no time.
    private static let (slowPixels, slowBytes) = (2_000_000, 1_000_000)

    var decodesBeside: Bool {
        size.width * size.height >= Self.slowPixels || bytes.count >= Self.slowBytes
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try JPEGRows(header: bytes)
        try rows.start(exponent: exponent)
        return rows
    }

    func indexed(while isWanted: () -> Bool) -> (index: any RowIndex, preview: StillPreview?)? {
        // The picture itself is there before a smaller one could be seen.
        if let restarts = JPEGRestarts(bytes) { return (restarts, nil) }
        guard isOrdinary, let (scan, means) = JPEGScan.read(bytes, while: isWanted),
            means.size == size
        else { return nil }
        return (
            scan, StillPreview(exponent: Self.blockExponent, rows: JPEGDCRows(means, color))
        )
    }

    /// A file of fewer bytes is decoded reduced in no time: 30 ms on the slowest machine that was tried.
    private static let embeddedBytes = 2_500_000

    func embedded(_ number: Int) throws(DecodeFailure) -> StillPreview? {
        guard bytes.count >= Self.embeddedBytes else { return nil }
        let all = EmbeddedJPEG.all(in: bytes, of: size)
        return all.indices.contains(number) ? try all[number].preview(of: size, color) : nil
    }

    /// What the first scans of a progressive one show: the means of its blocks.
    func preview() throws(DecodeFailure) -> StillPreview? {
        guard !isReductionQuick, isOrdinary, size.width * size.height >= Self.slowPixels,
            let means = JPEGDCImage(bytes), means.size == size
        else { return nil }
        return StillPreview(exponent: Self.blockExponent, rows: JPEGDCRows(means, color))
    }
}

/// Owns a JPEG in the hands of the library.
final class JPEGRows: RowSource {
    let raw: OpaquePointer
    private(set) var size: PixelSize
    let layout: SampleLayout
    private(set) var color: ColorSource

    /// Reads what comes before the pixels.
    convenience init(header bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        try self.init(ccodecs_jpeg_create(bytes.bytes, bytes.count))
    }

    /// Reads what comes before the pixels of a file that stays open, and then a piece at a time.
    convenience init(file descriptor: Int32) throws(DecodeFailure) {
        try self.init(ccodecs_jpeg_create_file(descriptor))
    }

    private init(_ raw: OpaquePointer?) throws(DecodeFailure) {
        guard let raw else { throw .unreadable(reason: "there is not enough memory") }
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_read_header(raw, &width, &height) == 0 else {
            let reason = String(cString: ccodecs_jpeg_message(raw))
            ccodecs_jpeg_destroy(raw)
            throw reason.isEmpty ? .cutShort : .damaged(reason: reason)
        }
        self.raw = raw
        size = PixelSize(width: Int(width), height: Int(height))
        layout = [1: .gray8, 4: .cmyk8][ccodecs_jpeg_inks(raw)] ?? .opaqueWords
        var length = 0
        color =
            ccodecs_jpeg_profile(raw, &length).map {
                .profile(Array(UnsafeBufferPointer(start: $0, count: length)))
            } ?? .standard
    }

    deinit { ccodecs_jpeg_destroy(raw) }

    /// Takes its colours for these where it says nothing of them.
    func assume(_ color: ColorSource) {
        if self.color == .standard { self.color = color }
    }

    var isComplete: Bool { ccodecs_jpeg_warnings(raw) == 0 }

    func start(exponent: Int) throws(DecodeFailure) {
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_start(raw, 1 << Int32(exponent), &width, &height) == 0 else {
            throw .damaged(reason: String(cString: ccodecs_jpeg_message(raw)))
        }
        size = PixelSize(width: Int(width), height: Int(height))
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        var targets = rows.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
        return max(0, Int(ccodecs_jpeg_read_rows(raw, &targets, Int32(targets.count))))
    }
}

extension JPEGRows {
    /// Starts decoding some rows of a reduction, none of which lies before row `first` of MCUs, to which
    /// `enter` takes the library's decoder.
    static func rows(
        _ rows: Range<Int>, of bytes: UnsafeRawBufferPointer, reducedBy exponent: Int,
        from first: Int32, enter: (OpaquePointer) -> Int32
    ) throws(DecodeFailure) -> any RowSource {
        let source = try JPEGRows(header: bytes)
        try source.start(exponent: exponent)
        guard enter(source.raw) == 0 else { throw .cutShort }
        let height = Int(ccodecs_jpeg_mcu_height(source.raw)) >> exponent
        return RemainingRows(source, leaving: rows.lowerBound - Int(first) * height, rows.count)
    }
}
