import CCodecs
import Geometry
import ImageTypes

/// TIFF and BigTIFF, by libtiff: the first page that is no smaller copy of another.
struct TIFFCodec: StillCodec {
    static let format = PictureFormat.tiff
    static var isAvailable: Bool { ccodecs_has_tiff() != 0 }

    let size: PixelSize
    let orientation: Orientation
    let taken: Int?
    /// As many as there are copies of exactly the halved sizes, as in a pyramid.
    let deepestReduction: Int
    var streaming: RowStreaming? { .rowByRow }
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let file = try TIFFFile(bytes)
        size = file.size(reducedBy: 0)
        orientation = file.orientation
        taken = Exif(tiff: bytes).taken
        var deepest = 0
        while file.size(reducedBy: deepest + 1) == size.reduced(by: deepest + 1) { deepest += 1 }
        deepestReduction = deepest
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        try TIFFRows(bytes, exponent)
    }
}

/// Owns a TIFF in the hands of the library.
private final class TIFFFile {
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let raw = ccodecs_tiff_create(bytes.bytes, bytes.count) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        self.raw = raw
        if size(reducedBy: 0).isEmpty { throw failure }
    }

    deinit { ccodecs_tiff_destroy(raw) }

    var failure: DecodeFailure {
        let reason = String(cString: ccodecs_tiff_message(raw))
        return reason.isEmpty ? .cutShort : .damaged(reason: reason)
    }

    var orientation: Orientation {
        Orientation(rawValue: UInt8(clamping: ccodecs_tiff_orientation(raw))) ?? .upright
    }

    var layout: SampleLayout {
        switch ccodecs_tiff_layout(raw) {
        case CCODECS_TIFF_GRAY8: .gray8
        case CCODECS_TIFF_GRAY16: .gray16
        case CCODECS_TIFF_RGB16: .rgb16
        case CCODECS_TIFF_RGBA8: .rgba8
        case CCODECS_TIFF_RGBA16: .rgba16
        case CCODECS_TIFF_CMYK8: .cmyk8
        case CCODECS_TIFF_RGB_FLOAT: .rgbFloat
        case CCODECS_TIFF_RGBA_FLOAT: .rgbaFloat
        case CCODECS_TIFF_OPAQUE_WORDS: .opaqueWords
        case CCODECS_TIFF_PREMULTIPLIED_WORDS: .premultipliedWords
        default: .rgb8
        }
    }

    var profile: [UInt8]? {
        var length = 0
        return ccodecs_tiff_profile(raw, &length).map {
            Array(UnsafeBufferPointer(start: $0, count: length))
        }
    }

    func size(reducedBy exponent: Int) -> PixelSize {
        var (width, height) = (UInt32(0), UInt32(0))
        ccodecs_tiff_size(raw, Int32(exponent), &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }

    func start(_ exponent: Int) throws(DecodeFailure) {
        guard ccodecs_tiff_start(raw, Int32(exponent)) != 0 else { throw failure }
    }

    /// Decodes the next row; false where something of it is missing.
    func read(_ row: UnsafeMutableRawPointer) -> Bool { ccodecs_tiff_read_row(raw, row) != 0 }
}

/// A page's rows.
private final class TIFFRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let peak: Float
    private(set) var isComplete = true
    private let file: TIFFFile

    init(_ bytes: UnsafeRawBufferPointer, _ exponent: Int) throws(DecodeFailure) {
        file = try TIFFFile(bytes)
        try file.start(exponent)
        (size, layout) = (file.size(reducedBy: exponent), file.layout)
        color = file.profile.map(ColorSource.profile) ?? .standard
        let isLight = layout == .rgbFloat || layout == .rgbaFloat
        peak = isLight ? try Self.peak(bytes, exponent) : 1
    }

    /// The brightest light of all rows, which nothing in the file tells.
    private static func peak(
        _ bytes: UnsafeRawBufferPointer, _ exponent: Int
    ) throws(DecodeFailure) -> Float {
        let file = try TIFFFile(bytes)
        try file.start(exponent)
        let (size, samples) = (file.size(reducedBy: exponent), file.layout.bytesPerPixel / 4)
        let row = UnsafeMutableBufferPointer<Float>.allocate(capacity: size.width * samples)
        defer { row.deallocate() }
        guard let base = row.baseAddress else { return 1 }
        var peak = LightPeak()
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
