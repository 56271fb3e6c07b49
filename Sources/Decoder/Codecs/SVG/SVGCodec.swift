import CCodecs
import Geometry
import Glibc
import ImageTypes
import Localization
import RasterPipeline

/// SVG and gzipped SVG, by librsvg; nothing outside of the file is ever loaded.
///
/// A drawing has no pixels of its own. Its size in CSS pixels is multiplied by a power of two, so
/// that the longer side has at least 4096 and at most 16384 pixels. Tiles are rendered at up to 16
/// times that resolution, which suffices at the largest zoom, unless librsvg needs too much memory.
struct SVGCodec: LibraryCodec {
    static let format = PictureFormat.svg
    static var isAvailable: Bool { ccodecs_open_svg() != nil }

    let size: PixelSize
    /// A drawing can be rendered at any size.
    let coarsestMipLevel = 6
    /// The value of `PictureInfo.detail`.
    let detail: Int
    private let drawing: SVGDrawing
    /// The exact `size`, before it is rounded up.
    private let width: Double
    private let height: Double

    /// The least and the most pixels of the longer side.
    private static let (least, most) = (4096.0, 16384.0)
    private static let mostDetail = 4
    /// The most pixels of the longer side, at full detail, of a drawing with layers.
    ///
    /// librsvg makes each layer as large as the whole drawing, whatever tile is rendered: a third
    /// of a gigabyte at this limit.
    private static let longestSideWithLayers = 12800.0

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        let text = try Self.text(bytes)
        let drawing = try SVGDrawing(text)
        self.drawing = drawing
        let (width, height) = drawing.size
        var scale = 1.0
        while max(width, height) * scale < Self.least { scale *= 2 }
        while max(width, height) * scale > Self.most { scale /= 2 }
        (self.width, self.height) = (width * scale, height * scale)
        detail = Self.detail(longerSide: max(self.width, self.height), hasLayers: text.hasLayers)
        size = PixelSize(
            width: max(Int(self.width.rounded(.up)), 1),
            height: max(Int(self.height.rounded(.up)), 1))
    }

    /// The source of the drawing, decompressed.
    private static func text(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> [UInt8] {
        if let text = try GzipText.whole(bytes) { return text }
        guard bytes.count <= GzipText.limit else { throw GzipText.tooLong }
        return Array(bytes)
    }

    /// How often the resolution of tiles can be doubled.
    private static func detail(longerSide: Double, hasLayers: Bool) -> Int {
        guard hasLayers else { return mostDetail }
        return (0...mostDetail).last { longerSide * Double(1 << $0) <= longestSideWithLayers } ?? 0
    }

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        let scale = 1 / Double(1 << mipLevel)
        return try SVGRows(
            drawing, PixelRect(size.reduced(by: mipLevel)), width * scale, height * scale)
    }

    /// Starts rendering a tile.
    func rows(of tile: PictureTile) throws(DecodeFailure) -> any RowSource {
        let scale = Double(1 << detail) / Double(1 << tile.mipLevel)
        let finest = PixelSize(width: size.width << detail, height: size.height << detail)
        let level = PixelRect(finest.reduced(by: tile.mipLevel))
        guard tile.mipLevel <= detail + coarsestMipLevel, !tile.rect.isEmpty,
            tile.rect.intersection(level) == tile.rect
        else { throw .damaged(reason: localized("the requested tile does not exist")) }
        return try SVGRows(drawing, tile.rect, width * scale, height * scale)
    }

    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> any PictureDecoder
    {
        TiledSVG(try SVGCodec(bytes))
    }
}

/// Decompresses gzip files, up to the largest source that a drawing may have.
enum GzipText {
    /// Maximum length of the text in bytes.
    static let limit = PictureFormat.longestDrawing
    static let tooLong = DecodeFailure.damaged(reason: localized("it is more than 64 MiB of text"))

    /// Whether `bytes` are gzip, and their text is SVG.
    static func isSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isGzip(bytes) && PictureFormat.isSVG { unpack(bytes, $0).text }
    }

    /// The whole text; nil if `bytes` is not gzip.
    static func whole(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> [UInt8]? {
        guard isGzip(bytes) else { return nil }
        let (text, isWhole) = unpack(bytes, limit)
        guard isWhole else {
            throw text.count == limit
                ? tooLong : .damaged(reason: localized("the gzip data is corrupt or cut short"))
        }
        return text
    }

    private static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0x1F, 0x8B, 8])
    }

    private static func unpack(
        _ bytes: UnsafeRawBufferPointer, _ limit: Int
    ) -> (text: [UInt8], isWhole: Bool) {
        var isWhole: Int32 = 0
        let text = [UInt8](unsafeUninitializedCapacity: limit) { buffer, length in
            guard let library = ccodecs_open_zlib()?.pointee, let source = bytes.baseAddress,
                let target = buffer.baseAddress
            else { return }
            length = library.gunzip(
                source.assumingMemoryBound(to: UInt8.self), bytes.count, target, limit, &isWhole)
        }
        return (text, isWhole != 0)
    }
}

extension [UInt8] {
    /// Whether a drawing's source may use features that are rendered to a layer of their own.
    ///
    /// References, escapes and entities count as well, since they can hide the name of a feature.
    fileprivate var hasLayers: Bool {
        let names = [
            "opacity", "mask", "filter", "mix-blend-mode", "isolation", "&#", "\\", "<!ENTITY",
            "\0",
        ].map {
            Array($0.utf8)
        }
        return withUnsafeBytes { bytes in
            names.contains { name in
                bytes.indices.contains { offset in
                    bytes[offset] == name[0] && bytes[offset...].starts(with: name)
                        // The opacity of a fill, a stroke or a stop needs no layer.
                        && (offset == 0 || bytes[offset - 1] != UInt8(ascii: "-"))
                }
            }
        }
    }
}

/// Owns the library's representation of a drawing.
private final class SVGDrawing {
    private let library: ccodecs_svg_library
    private let raw: OpaquePointer

    init(_ text: [UInt8]) throws(DecodeFailure) {
        guard let library = ccodecs_open_svg()?.pointee,
            let raw = library.create(text, text.count)
        else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        (self.library, self.raw) = (library, raw)
        let longer = max(size.width, size.height)
        guard size.width > 0, size.height > 0 else { throw failure }
        guard Self.sizes.contains(longer) else {
            throw .damaged(reason: localized("the size of the drawing is out of range"))
        }
    }

    /// The valid lengths of the longer side in CSS pixels; others could overflow or vanish.
    private static let sizes = 1e-9...1e15

    deinit { library.destroy(raw) }

    var failure: DecodeFailure { LibraryMessage.damaged(String(cString: library.message(raw))) }

    /// In CSS pixels.
    var size: (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        library.size(raw, &width, &height)
        return (width, height)
    }

    /// Renders `rect` of the drawing at `width` × `height` pixels; false on failure.
    ///
    /// The pixels are premultiplied, in rows without gaps.
    func paint(
        _ width: Double, _ height: Double, _ rect: PixelRect,
        into pixels: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        library.paint(
            raw, width, height, Int32(rect.x), Int32(rect.y), Int32(rect.width),
            Int32(rect.height), pixels) != 0
    }
}

/// The rows of a region of a drawing at a given size.
///
/// The rows are rendered in bands, because each call of the library goes through the whole drawing.
private final class SVGRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.premultipliedBGRA8
    let color = ColorSource.standard
    private(set) var isComplete = true
    private let drawing: SVGDrawing
    private let region: PixelRect
    private let width: Double
    private let height: Double
    private let bandHeight: Int
    private let band: UnsafeMutablePointer<UInt32>
    private var y = 0

    /// Bytes of a band.
    private static let bandLength = 64 << 20

    init(
        _ drawing: SVGDrawing, _ region: PixelRect, _ width: Double, _ height: Double
    ) throws(DecodeFailure) {
        (self.drawing, self.region, self.width, self.height) = (drawing, region, width, height)
        size = region.size
        bandHeight = min(max(Self.bandLength / (size.width * 4), 1), size.height)
        band = .allocate(capacity: size.width * bandHeight)
        // A drawing that cannot be rendered at all is reported at once.
        guard paint() else { throw drawing.failure }
    }

    deinit { band.deallocate() }

    private func paint() -> Bool {
        let rows = min(bandHeight, size.height - y)
        band.update(repeating: 0, count: size.width * rows)
        let rect = PixelRect(x: region.x, y: region.y + y, width: region.width, height: rows)
        return drawing.paint(width, height, rect, into: band)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            let bandRow = y % bandHeight
            if bandRow == 0, y > 0, !paint() { isComplete = false }
            row.copyMemory(from: band + bandRow * size.width, byteCount: size.width * 4)
            y += 1
        }
        return rows.count
    }
}
