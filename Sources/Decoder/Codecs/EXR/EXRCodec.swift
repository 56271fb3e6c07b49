import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import RasterPipeline
import Threads

/// OpenEXR, by OpenEXRCore: the first flat part of the file, in its display window.
///
/// Other layers, the pixel aspect ratio and deep data are ignored.
struct EXRCodec: LibraryCodec, ReducibleCodec {
    static let format = PictureFormat.openEXR
    static var isAvailable: Bool { ccodecs_open_exr() != nil }

    let size: PixelSize
    /// The number of mipmap levels whose sizes are exactly the halved sizes of the picture.
    let coarsestMipLevel: Int
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let file = try EXRFile(bytes)
        size = file.window.size
        // The whole data window is decoded, even if the display window is a small part of it, and
        // each of its pixels counts as `pixelCost` pixels.
        _ = try DecodeSettings.finestMipLevel(
            for: file.window.dataSize, most: DecodeSettings.limits.pixels / Self.pixelCost)
        var deepest = 0
        while file.window.isAllData,
            let level = file.size(ofLevel: deepest + 1), level == size.reduced(by: deepest + 1),
            !level.isEmpty, deepest < Self.usefulReduction
        {
            deepest += 1
        }
        coarsestMipLevel = deepest
    }

    /// The memory of a float pixel, as a multiple of an ordinary pixel.
    private static let pixelCost = 4
    /// The deepest reduction that is worth offering.
    private static let usefulReduction = 5

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        try EXRRows(try EXRFile(bytes), level: mipLevel)
    }
}

/// Owns an OpenEXRCore context, which reads one file.
final class EXRFile {
    let window: EXRWindow
    let hasAlpha: Bool
    let primaries: ColorEncoding.Primaries
    private let library: ccodecs_exr_library
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        var info = ccodecs_exr_info()
        guard let library = ccodecs_open_exr()?.pointee,
            let raw = library.create(bytes.bytes, bytes.count, &info)
        else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        let reason = String(cString: library.message(raw))
        guard reason.isEmpty else {
            library.destroy(raw)
            throw LibraryMessage.damaged(reason)
        }
        (self.library, self.raw) = (library, raw)
        window = EXRWindow(info)
        hasAlpha = info.has_alpha != 0
        primaries = ColorEncoding.Primaries(info)
    }

    deinit { library.destroy(raw) }

    /// The size of the data at a level, in pixels; nil if the level does not exist.
    func size(ofLevel level: Int) -> PixelSize? {
        var (width, height) = (Int32(0), Int32(0))
        guard library.level_size(raw, Int32(level), &width, &height) != 0 else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Why no chunk could be decoded.
    var failure: DecodeFailure {
        library.is_compression_unsupported(raw) != 0
            ? .damaged(
                reason: localized("this version of OpenEXR does not support its compression"))
            : .cutShort
    }

    /// Decodes a level on all processors; returns how many of its chunks were decoded.
    ///
    /// `pixels` must be zeros: tightly packed rows with three floats per pixel, four with alpha.
    func decode(level: Int, to pixels: UnsafeMutablePointer<Float>) -> (found: Int, count: Int) {
        let chunks = EXRChunks(
            library: library, raw: raw, level: Int32(level), pixels: pixels,
            count: Int(library.chunks(raw, Int32(level))))
        defer { chunks.missing.deallocate() }
        SerialDecode.workers.run(chunks.bands) { chunks.decode(band: $0) }
        let found = (0..<chunks.bands).reduce(chunks.count) { $0 - chunks.missing[$1] }
        guard found > 0 else { return (0, chunks.count) }
        library.finish(
            raw, Int32(level), PrimaryMatrix.luminance(of: primaries), pixels)
        return (found, chunks.count)
    }
}

/// Decodes the chunks of a level to pixels, in bands of chunks that run in parallel.
///
/// `@unchecked Sendable`: each band decodes its own chunks into its own pixels. The position of a
/// chunk's pixels follows from the chunk's number alone: the library
/// (`exr_read_scanline_chunk_info`, `exr_read_tile_chunk_info`) refuses a chunk whose coordinates
/// in the file are not the requested ones. Each band has its own counter of missing chunks. The
/// library can read one file on several threads. All memory is lent until all bands are done.
private struct EXRChunks: @unchecked Sendable {
    let library: ccodecs_exr_library
    let raw: OpaquePointer
    let level: Int32
    let pixels: UnsafeMutablePointer<Float>
    let count: Int
    let bands: Int
    /// The number of chunks that could not be decoded, by band.
    let missing: UnsafeMutablePointer<Int>

    /// Chunks per band, which share the memory of one thread.
    private static let bandLength = 16

    init(
        library: ccodecs_exr_library, raw: OpaquePointer, level: Int32,
        pixels: UnsafeMutablePointer<Float>, count: Int
    ) {
        self.library = library
        (self.raw, self.level, self.pixels, self.count) = (raw, level, pixels, count)
        bands = (count + Self.bandLength - 1) / Self.bandLength
        missing = .allocate(capacity: max(bands, 1))
        missing.initialize(repeating: 0, count: max(bands, 1))
    }

    func decode(band: Int) {
        let first = band * Self.bandLength
        let end = min(first + Self.bandLength, count)
        missing[band] = Int(library.decode(raw, level, Int32(first), Int32(end), pixels))
    }
}

extension ColorEncoding.Primaries {
    /// The file's primaries; ITU-R BT.709, OpenEXR's default, if they are missing or invalid.
    fileprivate init(_ info: ccodecs_exr_info) {
        let values = info.chromaticities
        // Rounded to the digits of single precision, so that standard primaries are recognized.
        func chromaticity(_ x: Float, _ y: Float) -> Chromaticity {
            Chromaticity((Double(x) * 1e6).rounded() / 1e6, (Double(y) * 1e6).rounded() / 1e6)
        }
        self.init(
            white: chromaticity(values.6, values.7), red: chromaticity(values.0, values.1),
            green: chromaticity(values.2, values.3), blue: chromaticity(values.4, values.5))
        let all = [white, red, green, blue]
        let isSane = all.allSatisfy { abs($0.x) < 10 && abs($0.y) < 10 && $0.y != 0 }
        if !isSane || white.y <= 0 { self = .bt709 }
    }
}
