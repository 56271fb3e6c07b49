import CCodecs
import Geometry
import ImageTypes
import Threads

/// OpenEXR, by OpenEXRCore: the first part that is flat, in its display window.
///
/// Layers beyond the first, the shape of pixels and what is deep are left alone.
struct EXRCodec: StillCodec {
    static let format = PictureFormat.openEXR
    static var isAvailable: Bool { ccodecs_has_exr() != 0 }

    let size: PixelSize
    /// As many as there are levels of exactly the halved sizes.
    let deepestReduction: Int
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let file = try EXRFile(bytes)
        size = file.window.size
        // What is decoded is all the data, of which the display may be a small part, to as much memory
        // as so many pixels take elsewhere.
        _ = try PictureDecoders.firstExponent(
            for: file.window.dataSize, most: PictureDecoders.limits.pixels / Self.pixelCost)
        var deepest = 0
        while file.window.isAllData,
            let level = file.size(ofLevel: deepest + 1), level == size.reduced(by: deepest + 1),
            !level.isEmpty, deepest < Self.usefulReduction
        {
            deepest += 1
        }
        deepestReduction = deepest
    }

    /// A pixel of floats takes as much memory as so many others.
    private static let pixelCost = 4
    /// Smaller reductions than this nobody needs.
    private static let usefulReduction = 5

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        try EXRRows(try EXRFile(bytes), level: exponent)
    }
}

/// Owns a file in the hands of the library.
final class EXRFile {
    let window: EXRWindow
    let hasAlpha: Bool
    let primaries: ColorEncoding.Primaries
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        var info = ccodecs_exr_info()
        guard let raw = ccodecs_exr_create(bytes.bytes, bytes.count, &info) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        let reason = String(cString: ccodecs_exr_message(raw))
        guard reason.isEmpty else {
            ccodecs_exr_destroy(raw)
            throw .damaged(reason: reason)
        }
        self.raw = raw
        window = EXRWindow(info)
        hasAlpha = info.has_alpha != 0
        primaries = ColorEncoding.Primaries(info)
    }

    deinit { ccodecs_exr_destroy(raw) }

    /// Of the data; nil where there is no such level.
    func size(ofLevel level: Int) -> PixelSize? {
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_exr_level_size(raw, Int32(level), &width, &height) != 0 else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Why nothing of it could be decoded.
    var failure: DecodeFailure {
        ccodecs_exr_is_unknown(raw) != 0
            ? .damaged(reason: "its compression is none that this version of OpenEXR can unpack")
            : .cutShort
    }

    /// Decodes a level into zeros, rows of three or, with alpha, four floats a pixel, on all
    /// processors; what part of its pieces was there.
    func decode(level: Int, to pixels: UnsafeMutablePointer<Float>) -> (found: Int, count: Int) {
        let pieces = EXRPieces(
            raw: raw, level: Int32(level), pixels: pixels,
            count: Int(ccodecs_exr_chunks(raw, Int32(level))))
        defer { pieces.missing.deallocate() }
        SerialDecode.workers.run(pieces.bands) { pieces.decode(band: $0) }
        let found = (0..<pieces.bands).reduce(pieces.count) { $0 - pieces.missing[$1] }
        guard found > 0 else { return (0, pieces.count) }
        ccodecs_exr_finish(
            raw, Int32(level), PrimaryMatrix.luminance(of: primaries), pixels)
        return (found, pieces.count)
    }
}

/// The pieces of a level on their way to pixels.
///
/// `@unchecked Sendable`: each band decodes pieces of its own into pixels of their own, whose place
/// follows from the piece's number: what the file says of it counts for nothing, since the library
/// (`exr_read_scanline_chunk_info`, `exr_read_tile_chunk_info`) refuses a chunk whose coordinates are
/// not those that were asked for. Each band counts for itself, the library reads one file on several
/// threads, and all is lent until all bands are done.
private struct EXRPieces: @unchecked Sendable {
    let raw: OpaquePointer
    let level: Int32
    let pixels: UnsafeMutablePointer<Float>
    let count: Int
    let bands: Int
    /// Pieces by band that could not be decoded.
    let missing: UnsafeMutablePointer<Int>

    /// So many pieces share a thread's memory.
    private static let bandLength = 16

    init(raw: OpaquePointer, level: Int32, pixels: UnsafeMutablePointer<Float>, count: Int) {
        (self.raw, self.level, self.pixels, self.count) = (raw, level, pixels, count)
        bands = (count + Self.bandLength - 1) / Self.bandLength
        missing = .allocate(capacity: max(bands, 1))
        missing.initialize(repeating: 0, count: max(bands, 1))
    }

    func decode(band: Int) {
        let first = band * Self.bandLength
        let end = min(first + Self.bandLength, count)
        missing[band] = Int(ccodecs_exr_decode(raw, level, Int32(first), Int32(end), pixels))
    }
}

extension ColorEncoding.Primaries {
    /// Those of ITU-R BT.709 where the file does not tell, as OpenEXR has it.
    fileprivate init(_ info: ccodecs_exr_info) {
        let places = info.chromaticities
        // As many digits as single precision has, so that the usual ones are told.
        func place(_ x: Float, _ y: Float) -> Chromaticity {
            Chromaticity((Double(x) * 1e6).rounded() / 1e6, (Double(y) * 1e6).rounded() / 1e6)
        }
        self.init(
            white: place(places.6, places.7), red: place(places.0, places.1),
            green: place(places.2, places.3), blue: place(places.4, places.5))
        let all = [white, red, green, blue]
        let isSane = all.allSatisfy { abs($0.x) < 10 && abs($0.y) < 10 && $0.y != 0 }
        if !isSane || white.y <= 0 { self = .bt709 }
    }
}
