import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// TIFF and BigTIFF, by libtiff: the first page that is not a reduced copy of another page.
struct TIFFCodec: LibraryCodec, OrientedCodec, CapturedCodec, ReducibleCodec, RowByRowCodec,
    ConvertingCodec
{
    static let format = PictureFormat.tiff
    static var isAvailable: Bool { ccodecs_open_tiff() != nil }

    let size: PixelSize
    let orientation: Orientation
    let capture: Capture
    /// The number of reduced copies in the file with exactly the halved sizes (pyramidal TIFF).
    let coarsestMipLevel: Int
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let file = try TIFFFile(bytes)
        size = file.size(reducedBy: 0)
        orientation = file.orientation
        capture = Exif(tiff: bytes).capture
        var deepest = 0
        while file.size(reducedBy: deepest + 1) == size.reduced(by: deepest + 1) { deepest += 1 }
        coarsestMipLevel = deepest
    }

    /// True for pages that only libtiff's own colour conversion can read.
    var convertsSamples: Bool {
        guard let file = try? TIFFFile(bytes), (try? file.start(0)) != nil else { return false }
        return file.layout == .bgrx8 || file.layout == .premultipliedBGRA8
    }

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        try TIFFRows(bytes, mipLevel)
    }
}

/// Owns the library's decoder of one TIFF.
private final class TIFFFile {
    private let library: ccodecs_tiff_library
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let library = ccodecs_open_tiff()?.pointee,
            let raw = library.create(bytes.bytes, bytes.count)
        else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        (self.library, self.raw) = (library, raw)
        if size(reducedBy: 0).isEmpty { throw failure }
    }

    deinit { library.destroy(raw) }

    var failure: DecodeFailure {
        let reason = String(cString: library.message(raw))
        return reason.isEmpty ? .cutShort : LibraryMessage.damaged(reason)
    }

    var orientation: Orientation {
        Orientation(rawValue: UInt8(clamping: library.orientation(raw))) ?? .upright
    }

    var layout: SampleLayout {
        switch library.layout(raw) {
        case CCODECS_TIFF_GRAY8: .gray8
        case CCODECS_TIFF_GRAY16: .gray16
        case CCODECS_TIFF_RGB16: .rgb16
        case CCODECS_TIFF_RGBA8: .rgba8
        case CCODECS_TIFF_RGBA16: .rgba16
        case CCODECS_TIFF_CMYK8: .cmyk8
        case CCODECS_TIFF_RGB_FLOAT: .rgbFloat
        case CCODECS_TIFF_RGBA_FLOAT: .rgbaFloat
        case CCODECS_TIFF_BGRX8: .bgrx8
        case CCODECS_TIFF_PREMULTIPLIED_BGRA8: .premultipliedBGRA8
        default: .rgb8
        }
    }

    var profile: [UInt8]? {
        var length = 0
        return library.profile(raw, &length).map {
            Array(UnsafeBufferPointer(start: $0, count: length))
        }
    }

    func size(reducedBy mipLevel: Int) -> PixelSize {
        var (width, height) = (UInt32(0), UInt32(0))
        library.size(raw, Int32(mipLevel), &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }

    func start(_ mipLevel: Int) throws(DecodeFailure) {
        guard library.start(raw, Int32(mipLevel)) != 0 else { throw failure }
    }

    /// Decodes the next row; false if data is missing.
    func read(_ row: UnsafeMutableRawPointer) -> Bool { library.read_row(raw, row) != 0 }
}

/// The rows of a page.
private final class TIFFRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let peak: Float
    private(set) var isComplete = true
    private let file: TIFFFile

    init(_ bytes: UnsafeRawBufferPointer, _ mipLevel: Int) throws(DecodeFailure) {
        file = try TIFFFile(bytes)
        try file.start(mipLevel)
        (size, layout) = (file.size(reducedBy: mipLevel), file.layout)
        color = file.profile.map(ColorSource.profile) ?? .standard
        let isFloat = layout == .rgbFloat || layout == .rgbaFloat
        peak = isFloat ? try Self.peak(bytes, mipLevel) : 1
    }

    /// The brightest linear value, measured by decoding all rows, since the file does not have it.
    private static func peak(
        _ bytes: UnsafeRawBufferPointer, _ mipLevel: Int
    ) throws(DecodeFailure) -> Float {
        let file = try TIFFFile(bytes)
        try file.start(mipLevel)
        let (size, samples) = (file.size(reducedBy: mipLevel), file.layout.bytesPerPixel / 4)
        let row = UnsafeMutableBufferPointer<Float>.allocate(capacity: size.width * samples)
        defer { row.deallocate() }
        guard let base = row.baseAddress else { return 1 }
        var peak = LinearPeak()
        for _ in 0..<size.height {
            guard file.read(base) else { break }
            peak.add(base, pixels: size.width, samples: samples)
        }
        return peak.value
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows where !file.read(row) { isComplete = false }
        return rows.count
    }
}
