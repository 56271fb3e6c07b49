import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// WebP stills and animations, by libwebp.
struct WebPCodec: LibraryCodec, OrientedCodec, CapturedCodec, AnimatedCodec,
    StraightAlphaCodec, PlanarCodec
{
    static let format = PictureFormat.webP
    static var isAvailable: Bool { ccodecs_open_webp() != nil }
    let size: PixelSize
    let orientation: Orientation
    let capture: Capture
    let isAnimated: Bool
    private let library: ccodecs_webp_library
    private let bytes: UnsafeRawBufferPointer
    private let info: ccodecs_webp_info
    private let color: ColorSource

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let library = ccodecs_open_webp()?.pointee else {
            throw Self.failure(CCODECS_WEBP_DAMAGED)
        }
        (self.library, self.bytes) = (library, bytes)
        var info = ccodecs_webp_info()
        let status = library.read_info(bytes.bytes, bytes.count, &info)
        guard status == CCODECS_WEBP_FINE else { throw Self.failure(status) }
        size = info.size
        self.info = info
        let chunks = RIFFChunks(bytes)
        isAnimated =
            info.is_animated != 0 && chunks.lazy.filter { $0.name == "ANMF" }.prefix(2).count == 2
        let exif = chunks.exif.map { Exif(tiff: $0) } ?? Exif()
        (orientation, capture) = (exif.orientation, exif.capture)
        color = chunks.first("ICCP").map { .profile(Array($0)) } ?? .standard
    }

    private var hasAlpha: Bool { info.has_alpha != 0 }
    private var hasFrames: Bool { info.is_animated != 0 }

    static func failure(_ status: ccodecs_webp_status) -> DecodeFailure {
        switch status {
        case CCODECS_WEBP_CUT_SHORT: .cutShort
        case CCODECS_WEBP_NO_MEMORY: .unreadable(reason: localized("there is not enough memory"))
        default: .damaged(reason: localized("libwebp cannot decode the file"))
        }
    }

    /// Premultiplied only without a profile, because colour conversion needs straight alpha.
    private func layout(hasAlpha: Bool) -> SampleLayout {
        guard hasAlpha else { return .bgrx8 }
        return color == .standard ? .premultipliedBGRA8 : .rgba8
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        guard !hasFrames else { return try CanvasRows(firstOf: frames()) }
        return WebPRows(library, bytes, info, layout(hasAlpha: hasAlpha), color)
    }

    func straightRows() throws(DecodeFailure) -> any RowSource {
        guard !hasFrames else {
            return try CanvasRows(firstOf: WebPFrames(library, bytes, size, .rgba8, color))
        }
        return WebPRows(library, bytes, info, hasAlpha ? .rgba8 : .bgrx8, color)
    }

    var mayHavePlanes: Bool {
        info.is_lossy != 0 && !hasAlpha && !hasFrames && RowConverter.showsUnchanged(color)
    }

    func planeSource() throws(DecodeFailure) -> (any PlaneSource)? {
        try WebPPlanes(library, bytes, info)
    }

    func frames() throws(DecodeFailure) -> any FrameSource {
        // Frames need not cover the canvas, so the layout has alpha.
        try WebPFrames(library, bytes, size, layout(hasAlpha: true), color)
    }
}

/// Owns the library's decoder of one picture.
private final class WebPRows: PlacedRows {
    let layout: SampleLayout
    let color: ColorSource
    private let bytes: UnsafeRawBufferPointer
    private let info: ccodecs_webp_info
    private let library: ccodecs_webp_library
    /// Nil before `begin`.
    private var raw: OpaquePointer?
    private var y = 0

    init(
        _ library: ccodecs_webp_library, _ bytes: UnsafeRawBufferPointer,
        _ info: ccodecs_webp_info, _ layout: SampleLayout, _ color: ColorSource
    ) {
        self.library = library
        (self.bytes, self.info, self.layout, self.color) = (bytes, info, layout, color)
    }

    deinit { library.destroy(raw) }

    var size: PixelSize { info.size }

    var isComplete: Bool { raw.map { library.status($0) == CCODECS_WEBP_FINE } ?? true }

    func begin(_ place: RowPlace?) throws(DecodeFailure) {
        let stride = place?.stride ?? 0
        guard
            let raw = library.create(
                bytes.bytes, bytes.count, info, layout.webPPixels,
                place?.base.assumingMemoryBound(to: UInt8.self), Int32(stride),
                stride * size.height)
        else { throw WebPCodec.failure(CCODECS_WEBP_NO_MEMORY) }
        self.raw = raw
        guard library.begin(raw) != 0 else {
            throw WebPCodec.failure(library.status(raw))
        }
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        guard let raw else { return 0 }
        let end = min(Int(library.decode(raw, Int32(y + rows.count))), size.height)
        let count = max(0, min(rows.count, end - y))
        for row in rows.prefix(count) {
            guard let source = library.row(raw, Int32(y)) else { return 0 }
            if row != source { row.copyMemory(from: source, byteCount: size.width * 4) }
            y += 1
        }
        return count
    }
}

/// Owns the library's decoder of one animation.
private final class WebPFrames: FrameSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let loops: Int
    private let library: ccodecs_webp_library
    private let raw: OpaquePointer
    /// The repaired copy of a truncated file.
    private let repaired: UnsafeMutableRawBufferPointer?
    /// The end time of the previous frame in milliseconds.
    private var time = 0

    init(
        _ library: ccodecs_webp_library, _ bytes: UnsafeRawBufferPointer, _ size: PixelSize,
        _ layout: SampleLayout, _ color: ColorSource
    ) throws(DecodeFailure) {
        let repaired = RIFFChunks(bytes).repaired(after: "ANMF")
        let whole = repaired.map { UnsafeRawBufferPointer($0) } ?? bytes
        var loops = Int32(0)
        guard
            let raw = library.frames_create(
                whole.bytes, whole.count, layout.webPPixels, &loops)
        else {
            repaired?.deallocate()
            throw repaired == nil ? WebPCodec.failure(CCODECS_WEBP_DAMAGED) : .cutShort
        }
        (self.library, self.raw) = (library, raw)
        (self.repaired, self.loops) = (repaired, Int(loops))
        (self.size, self.layout, self.color) = (size, layout, color)
    }

    deinit {
        library.frames_destroy(raw)
        repaired?.deallocate()
    }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        guard library.frames_has_more(raw) != 0 else { return nil }
        var end = Int32(0)
        guard let pixels = library.frames_next(raw, &end) else {
            throw WebPCodec.failure(CCODECS_WEBP_DAMAGED)
        }
        canvas.copyMemory(from: pixels, byteCount: size.width * size.height * 4)
        defer { time = Int(end) }
        return Double(Int(end) - time)
    }

    func rewind() {
        library.frames_rewind(raw)
        time = 0
    }
}

extension ccodecs_webp_info {
    var size: PixelSize { PixelSize(width: Int(width), height: Int(height)) }
}

extension SampleLayout {
    fileprivate var webPPixels: ccodecs_webp_pixels {
        switch self {
        case .bgrx8: CCODECS_WEBP_BGRA
        case .premultipliedBGRA8: CCODECS_WEBP_PREMULTIPLIED_BGRA
        default: CCODECS_WEBP_RGBA
        }
    }
}
