import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// JPEG, by libjpeg-turbo.
struct JPEGCodec: OrientedCodec, CapturedCodec, ProgressiveCodec, RowByRowCodec, PreviewCodec,
    EmbeddedPreviewCodec, ParallelCodec, PlanarCodec, FileCodec
{
    static let format = PictureFormat.jpeg
    let coarsestMipLevel = JPEGCodec.blockMipLevel
    private let header: JPEGHeader
    private let bytes: UnsafeRawBufferPointer
    /// The bytes of the file.
    var file: UnsafeRawBufferPointer { bytes }
    /// Whether the library alone reads the file, as it does where its version is not the headers'.
    private let isLibraryAlone: Bool

    var size: PixelSize { header.size }
    var orientation: Orientation { header.exif.orientation }
    var capture: Capture { header.exif.capture }
    var isReductionQuick: Bool { !header.isProgressive }
    var streaming: RowStreaming? { RowStreaming(held: header.coefficientBytes) }

    /// Other colour spaces than grey and YCbCr have no DC preview.
    ///
    /// In a serial decode their colours are converted on all processors.
    var mayBeIndexed: Bool { header.isGrayOrYCC && header.canBeIndexed || header.hasRestarts }

    /// Whether the colours of a preview are known: a profile of greys applies to YCbCr only if all pixels
    /// are grey.
    private var mayHavePreviews: Bool { header.layout.isGray || !header.color.isGrayProfile }

    /// Whether the program's own reader decodes the entropy-coded data: the loaded libjpeg has the version
    /// of its headers at build time.
    static var readsCoefficients: Bool { ccodecs_jpeg_library_is_known() != 0 }

    /// The mip level at which a block of 8 × 8 samples is one sample.
    static let blockMipLevel = 3

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        try self.init(bytes, isLibraryAlone: false)
    }

    init(_ bytes: UnsafeRawBufferPointer, isLibraryAlone: Bool) throws(DecodeFailure) {
        header = try JPEGHeader(bytes, isLibraryAlone: isLibraryAlone)
        (self.bytes, self.isLibraryAlone) = (bytes, isLibraryAlone)
    }

    /// Takes the header of a file that was read before.
    private init(_ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader) {
        (self.bytes, self.header, isLibraryAlone) = (bytes, header, false)
    }

    static func decoder(_ file: ReceivedFile) throws(DecodeFailure) -> any PictureDecoder {
        let header = try JPEGHeader(file)
        if let tiled = TiledJPEG(file.descriptor, header) { return tiled }
        let bytes = try file.whole()
        return try JPEGCodec(bytes, header.isSound ? header : JPEGHeader(bytes))
            .decoder(fileLength: bytes.count)
    }

    /// Pictures below both limits decode too quickly to be worth a second thread.
    private static let (slowPixels, slowBytes) = (2_000_000, 1_000_000)

    var previewsConcurrently: Bool {
        size.width * size.height >= Self.slowPixels || bytes.count >= Self.slowBytes
    }

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try JPEGRows(header: bytes, isLibraryAlone: isLibraryAlone)
        try rows.start(mipLevel: mipLevel)
        return rows
    }

    /// Colours of another profile are converted pixel by pixel.
    var mayHavePlanes: Bool {
        header.planes != nil && RowConverter.showsUnchanged(header.color, as: header.layout)
    }

    func planeSource() throws(DecodeFailure) -> (any PlaneSource)? {
        let planes = try JPEGPlanes(try JPEGRows(header: bytes, isLibraryAlone: isLibraryAlone))
        // The index was made for those of the header.
        guard planes.format == header.planes else { throw Self.differs }
        return planes
    }

    func indexed(
        while isWanted: () -> Bool, until isEnough: (Double) -> Bool
    ) -> (index: any RowIndex, preview: StillPreview?)? {
        // With restart markers the picture is complete before a preview could be seen.
        if header.hasRestarts,
            let restarts = JPEGRestarts(bytes, isLibraryAlone: isLibraryAlone)
        {
            return (restarts, nil)
        }
        guard header.isGrayOrYCC, !isLibraryAlone,
            let (scan, dcImage) = JPEGScan.read(bytes, while: isWanted, until: isEnough)
        else { return nil }
        guard let dcImage, mayHavePreviews else { return (scan, nil) }
        guard dcImage.size == size else { return nil }
        return (
            scan,
            StillPreview(mipLevel: Self.blockMipLevel, rows: JPEGDCRows(dcImage, header.color))
        )
    }

    /// Smaller files need no embedded preview: a reduced decode takes at most 30 ms.
    ///
    /// Measured on the slowest machine that was tried.
    private static let embeddedBytes = 2_500_000

    func embedded() -> [() -> StillPreview?] {
        guard bytes.count >= Self.embeddedBytes, mayHavePreviews else { return [] }
        return EmbeddedJPEG.all(in: bytes, of: size).map { embedded in
            { try? embedded.preview(of: size, header.color, isGray: header.layout.isGray) }
        }
    }

    /// A preview of a progressive JPEG, made of the DC coefficients in its first scans.
    func preview() throws(DecodeFailure) -> StillPreview? {
        guard !isReductionQuick, header.isGrayOrYCC, mayHavePreviews,
            size.width * size.height >= Self.slowPixels, let dcImage = JPEGDCImage(bytes),
            dcImage.size == size
        else { return nil }
        return StillPreview(mipLevel: Self.blockMipLevel, rows: JPEGDCRows(dcImage, header.color))
    }
}

/// Owns the library's decoder of one JPEG.
final class JPEGRows: RowSource {
    let raw: OpaquePointer
    private(set) var size: PixelSize
    let layout: SampleLayout
    private(set) var color: ColorSource
    private(set) var isGray: Bool

    /// Reads the header; `bytes` has to outlive the decoder.
    ///
    /// `isLibraryAlone` tells that the library alone reads the data.
    convenience init(
        header bytes: UnsafeRawBufferPointer, isLibraryAlone: Bool = false
    ) throws(DecodeFailure) {
        try self.init(ccodecs_jpeg_create(bytes.bytes, bytes.count))
        if isLibraryAlone { useLibraryAlone() }
    }

    /// Reads the header of a file, whose data is read block by block.
    ///
    /// The caller keeps the descriptor, which has to stay open.
    convenience init(file descriptor: Int32) throws(DecodeFailure) {
        try self.init(ccodecs_jpeg_create_file(descriptor))
    }

    private init(_ raw: OpaquePointer?) throws(DecodeFailure) {
        guard let raw else { throw .unreadable(reason: localized("there is not enough memory")) }
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_read_header(raw, &width, &height) == 0 else {
            let reason = String(cString: ccodecs_jpeg_message(raw))
            ccodecs_jpeg_destroy(raw)
            throw reason.isEmpty ? .cutShort : LibraryMessage.damaged(reason)
        }
        self.raw = raw
        size = PixelSize(width: Int(width), height: Int(height))
        layout = [1: .gray8, 4: .cmyk8][ccodecs_jpeg_channels(raw)] ?? .bgrx8
        isGray = layout.isGray
        var length = 0
        color =
            ccodecs_jpeg_profile(raw, &length).map {
                .profile(Array(UnsafeBufferPointer(start: $0, count: length)))
            } ?? .standard
    }

    deinit { ccodecs_jpeg_destroy(raw) }

    /// Sets the colour space if the file declares none.
    func assume(_ color: ColorSource) {
        if self.color == .standard { self.color = color }
    }

    /// Tells that all pixels are grey.
    func assumeGray() { isGray = true }

    var isComplete: Bool { ccodecs_jpeg_warnings(raw) == 0 }

    /// Makes the library read the data by itself; call it before `start`.
    func useLibraryAlone() { ccodecs_jpeg_use_library_alone(raw) }

    func start(mipLevel: Int) throws(DecodeFailure) {
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_start(raw, 1 << Int32(mipLevel), &width, &height) == 0 else {
            throw LibraryMessage.damaged(String(cString: ccodecs_jpeg_message(raw)))
        }
        size = PixelSize(width: Int(width), height: Int(height))
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        var targets = rows.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
        return max(0, Int(ccodecs_jpeg_read_rows(raw, &targets, Int32(targets.count))))
    }
}

extension JPEGRows {
    /// Moves a decoder that was just started to an MCU row.
    ///
    /// Throws `.cutShort` if decoding cannot start there.
    func enter(_ index: OpaquePointer, at row: Int32) throws(DecodeFailure) {
        guard ccodecs_jpeg_enter(raw, index, row) == 0 else { throw .cutShort }
    }

    /// The `rows` of a reduced picture, for a decoder whose header was read.
    ///
    /// Decoding starts at the last MCU row of the index that lies above `rows`.
    func start(
        at rows: Range<Int>, of index: OpaquePointer, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource {
        try start(mipLevel: mipLevel)
        let height = Int(ccodecs_jpeg_mcu_height(raw)) >> mipLevel
        // Chroma is interpolated across MCU rows, so decoding starts one MCU row earlier.
        let wanted = max(0, rows.lowerBound / height - 1)
        let first = ccodecs_jpeg_index_before(index, Int32(wanted))
        try enter(index, at: first)
        return RemainingRows(self, leaving: rows.lowerBound - Int(first) * height, rows.count)
    }
}
