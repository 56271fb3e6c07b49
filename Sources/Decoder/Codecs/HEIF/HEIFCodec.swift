import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// HEIC: pictures coded with HEVC.
enum HEVCStills: HEIFKind {
    static let format = PictureFormat.heic
    static let coding = CCODECS_HEIF_HEVC
}

/// AVIF: pictures coded with AV1.
enum AV1Stills: HEIFKind {
    static let format = PictureFormat.avif
    static let coding = CCODECS_HEIF_AV1
}

/// The differences between the formats that share the HEIF container.
protocol HEIFKind {
    static var format: PictureFormat { get }
    static var coding: ccodecs_heif_kind { get }
}

/// The primary picture of a HEIF file, by libheif, which rotates, mirrors and crops as required.
struct HEIFCodec<Kind: HEIFKind>: LibraryCodec, OrientedCodec, CapturedCodec, StreamingCodec,
    PlanarCodec
{
    static var format: PictureFormat { Kind.format }
    static var isAvailable: Bool { (ccodecs_open_heif()?.pointee.decodes(Kind.coding) ?? 0) != 0 }
    let size: PixelSize
    let orientation: Orientation
    let capture: Capture
    let streaming: RowStreaming?
    private let bytes: UnsafeRawBufferPointer
    private let hasAlpha: Bool
    /// The colour space by the header.
    private let color: ColorSource
    /// Nil if the picture has no chroma, or it is not known which.
    private let sampling: HEIFSampling?
    /// The grid of a picture that is too large for memory and can be decoded in rows of tiles.
    private let grid: HEIFGrid?

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let picture = try HEIFPicture(header: bytes)
        // EXIF data repeats the orientation, which libheif applies already.
        capture = picture.exif.capture
        (hasAlpha, color) = (picture.hasAlpha, picture.source)
        sampling = picture.isRGB ? nil : HEIFSampling(of: bytes)
        let whole = picture.size
        let found =
            whole.isLarger(than: DecodeSettings.limits.wholePixels) && !picture.hasAlpha
            ? HEIFGrid(bytes).flatMap { grid in grid.held.map { (grid, $0) } } : nil
        if let (grid, held) = found, grid.orientation.upright(grid.size) == whole,
            held <= DecodeSettings.limits.bytes
        {
            (size, orientation, self.grid) = (grid.size, grid.orientation, grid)
            streaming = RowStreaming(held: held)
        } else {
            (size, orientation, grid, streaming) = (whole, .upright, nil, nil)
        }
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        if grid != nil { return try streamedRows(nil, while: { true }) }
        let picture = try HEIFPicture(header: bytes)
        try picture.decode()
        return HEIFRows(picture)
    }

    var mayHavePlanes: Bool {
        grid == nil && !hasAlpha && sampling != nil && RowConverter.showsUnchanged(color)
    }

    func planeSource() throws(DecodeFailure) -> (any PlaneSource)? {
        guard let sampling else { return nil }
        let picture = try HEIFPicture(header: bytes)
        try picture.decode()
        return HEIFPlanes(picture, sampling)
    }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        guard let grid else { return try rows() }
        return try HEIFGridRows(bytes, grid)
    }
}

extension HEIFGrid {
    /// Memory in bytes that decoding in rows of tiles takes; nil if that is not possible.
    fileprivate var held: Int? {
        let size = file(ofTile: 0).withUnsafeBytes { try? HEIFPicture(header: $0).size }
        guard let size, HEIFGridRows.covers(self, size) else { return nil }
        return HEIFGridRows.held(self, size)
    }
}

/// Owns a libheif decoder for the primary picture of a HEIF file, or of a file made for one tile.
final class HEIFPicture {
    let size: PixelSize
    private(set) var layout = SampleLayout.bgrx8
    private(set) var color = ColorSource.standard
    private let library: ccodecs_heif_library
    private let raw: OpaquePointer

    /// The longest EXIF data that is read, in bytes.
    private static let exifLimit = 16 << 20

    /// Parses the headers.
    init(header bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let library = ccodecs_open_heif()?.pointee,
            let raw = library.create(bytes.bytes, bytes.count)
        else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        do throws(DecodeFailure) {
            try Self.check(library, raw)
        } catch {
            library.destroy(raw)
            throw error
        }
        (self.library, self.raw) = (library, raw)
        var (width, height) = (Int32(0), Int32(0))
        library.size(raw, &width, &height)
        size = PixelSize(width: Int(width), height: Int(height))
    }

    var hasAlpha: Bool { library.has_alpha(raw) != 0 }
    var bits: Int { Int(library.bits(raw)) }
    /// Whether the file stores red, green and blue.
    var isRGB: Bool { library.is_rgb(raw) != 0 }

    deinit { library.destroy(raw) }

    /// Throws the error that libheif has reported, if any.
    private static func check(
        _ library: ccodecs_heif_library, _ raw: OpaquePointer
    ) throws(DecodeFailure) {
        if library.is_cut_short(raw) != 0 { throw .cutShort }
        let reason = String(cString: library.message(raw))
        guard reason.isEmpty else { throw LibraryMessage.damaged(reason) }
    }

    var exif: Exif {
        let length = library.exif(raw, nil)
        guard (5...Self.exifLimit).contains(length) else { return Exif() }
        var data = [UInt8](repeating: 0, count: length)
        guard library.exif(raw, &data) == length else { return Exif() }
        let start = data.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return data.withUnsafeBytes { Exif(tiff: $0.dropping(4).dropping(start)) }
    }

    var isComplete: Bool { library.is_complete(raw) != 0 }

    func decode() throws(DecodeFailure) {
        guard library.decode(raw) == 0 else {
            try Self.check(library, raw)
            throw .damaged(reason: localized("libheif cannot decode the picture"))
        }
        color = source
        layout = SampleLayout(bits: bits, hasAlpha: hasAlpha, color)
    }

    /// The colour space; an ICC profile takes precedence over code points.
    ///
    /// In some files it is known only after `decode`.
    var source: ColorSource {
        let length = library.profile(raw, nil)
        if length > 0 {
            var profile = [UInt8](repeating: 0, count: length)
            if library.profile(raw, &profile) == length { return .profile(profile) }
        }
        var (primaries, transfer) = (Int32(0), Int32(0))
        guard library.code_points(raw, &primaries, &transfer) != 0 else { return .standard }
        return ColorSource(primaries: primaries, transfer: transfer)
    }

    /// Reads a decoded row; `layout` must have alpha if the picture has alpha.
    func readRow(_ y: Int, as layout: SampleLayout, to row: UnsafeMutableRawPointer) {
        let samples =
            switch layout {
            case .bgrx8: CCODECS_HEIF_BGRX8
            case .rgba8: CCODECS_HEIF_8
            default: CCODECS_HEIF_16
            }
        library.read_row(raw, Int32(y), samples, row)
    }

    /// Whether all samples have 8 bits.
    var hasBytes: Bool { library.has_bytes(raw) != 0 }

    /// Computes row `y` of luma: bytes if `hasBytes`, and 16 bits elsewhere.
    func readLuma(_ y: Int, to row: UnsafeMutableRawPointer) {
        library.read_luma(raw, Int32(y), row)
    }

    /// Computes row `y` of chroma in the same way.
    func readChroma(_ y: Int, _ format: ChromaFormat, to row: UnsafeMutableRawPointer) {
        library.read_chroma(
            raw, Int32(y), Int32(format.columnShift), Int32(format.rowShift), row)
    }
}

/// The rows of a decoded picture.
private final class HEIFRows: RowSource {
    private let picture: HEIFPicture
    private var y = 0

    init(_ picture: HEIFPicture) { self.picture = picture }

    var size: PixelSize { picture.size }
    var layout: SampleLayout { picture.layout }
    var color: ColorSource { picture.color }
    var isComplete: Bool { picture.isComplete }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            picture.readRow(y, as: layout, to: row)
            y += 1
        }
        return rows.count
    }
}

extension ColorSource {
    /// The colour space of ITU-T H.273 code points; `.standard` if they are unknown.
    init(primaries: Int32, transfer: Int32) {
        let encoding = ColorEncoding(primaries: Int(primaries), transfer: Int(transfer))
        self = encoding.map(Self.encoded) ?? .standard
    }
}

extension SampleLayout {
    /// The layout for samples of `bits` bits; high-range transfer functions always get 16 bits.
    init(bits: Int, hasAlpha: Bool, _ color: ColorSource) {
        var isDeep = bits > 8
        if case .encoded(let encoding) = color, encoding.transfer.isHighRange { isDeep = true }
        self = isDeep ? (hasAlpha ? .rgba16 : .rgb16) : (hasAlpha ? .rgba8 : .bgrx8)
    }
}
