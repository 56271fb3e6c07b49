import CCodecs
import Geometry
import Glibc
import ImageTypes

/// SVG and gzipped SVG, by librsvg; nothing outside of the file is ever loaded.
///
/// A drawing has no pixels of its own. Its size is taken in CSS pixels times a whole power of two,
/// so that the longer side has at least 4096 and at most 16384; parts of it are painted up to sixteen
/// times as fine, which is as near as one can get, unless its library needs too much for that.
struct SVGCodec: StillCodec {
    static let format = PictureFormat.svg
    static var isAvailable: Bool { ccodecs_has_svg() != 0 }

    let size: PixelSize
    /// It is painted at any size.
    let deepestReduction = 6
    /// As `PictureInfo.detail`.
    let detail: Int
    private let drawing: SVGDrawing
    /// As `size`, with its fractions.
    private let width: Double
    private let height: Double

    /// Pixels of the longer side.
    private static let (least, most) = (4096.0, 16384.0)
    private static let mostDetail = 4
    /// The longer side of all of a drawing that has layers, each of which its library makes as large as
    /// that whatever part is painted: a third of a gigabyte.
    private static let mostOfLayers = 12800.0

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

    /// What it is drawn by, unpacked.
    private static func text(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> [UInt8] {
        if let text = try GzipText.whole(bytes) { return text }
        guard bytes.count <= GzipText.limit else { throw GzipText.tooLong }
        return Array(bytes)
    }

    /// How much finer than the picture parts can be.
    private static func detail(longerSide: Double, hasLayers: Bool) -> Int {
        guard hasLayers else { return mostDetail }
        return (0...mostDetail).last { longerSide * Double(1 << $0) <= mostOfLayers } ?? 0
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        let scale = 1 / Double(1 << exponent)
        return try SVGRows(
            drawing, PixelRect(size.reduced(by: exponent)), width * scale, height * scale)
    }

    /// Starts painting a part.
    func rows(of part: PicturePart) throws(DecodeFailure) -> any RowSource {
        let scale = Double(1 << detail) / Double(1 << part.exponent)
        let finest = PixelSize(width: size.width << detail, height: size.height << detail)
        let level = PixelRect(finest.reduced(by: part.exponent))
        guard part.exponent <= detail + deepestReduction, !part.rect.isEmpty,
            part.rect.intersection(level) == part.rect
        else { throw .damaged(reason: "there is no such part") }
        return try SVGRows(drawing, part.rect, width * scale, height * scale)
    }

    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> any PictureDecoder
    {
        TiledSVG(try SVGCodec(bytes))
    }
}

/// A gzip file, of which no more is unpacked than a drawing may have.
enum GzipText {
    /// In bytes.
    static let limit = 64 << 20
    static let tooLong = DecodeFailure.damaged(reason: "it is more than 64 MiB of text")

    /// Its beginning, enough to tell what it is; nil where it is none.
    static func start(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        isGzip(bytes) ? unpack(bytes, PictureFormat.signatureLength).text : nil
    }

    /// All of it; nil where it is no gzip file.
    static func whole(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> [UInt8]? {
        guard isGzip(bytes) else { return nil }
        let (text, isWhole) = unpack(bytes, limit)
        guard isWhole else {
            throw text.count == limit ? tooLong : .damaged(reason: "it cannot be unpacked")
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
            guard let source = bytes.baseAddress, let target = buffer.baseAddress else { return }
            length = ccodecs_gunzip(
                source.assumingMemoryBound(to: UInt8.self), bytes.count, target, limit, &isWhole)
        }
        return (text, isWhole != 0)
    }
}

extension [UInt8] {
    /// Whether a drawing's source names something that is painted apart and then laid on the rest, or may
    /// do so in letters that are written in another way.
    fileprivate var hasLayers: Bool {
        let words = [
            "opacity", "mask", "filter", "mix-blend-mode", "isolation", "&#", "\\", "<!ENTITY",
            "\0",
        ].map {
            Array($0.utf8)
        }
        return withUnsafeBytes { bytes in
            words.contains { word in
                bytes.indices.contains { place in
                    bytes[place] == word[0] && bytes[place...].starts(with: word)
                        // Of fills, strokes and stops it needs none.
                        && (place == 0 || bytes[place - 1] != UInt8(ascii: "-"))
                }
            }
        }
    }
}

/// Owns a drawing in the hands of the library.
private final class SVGDrawing {
    private let raw: OpaquePointer

    init(_ text: [UInt8]) throws(DecodeFailure) {
        guard let raw = ccodecs_svg_create(text, text.count) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        self.raw = raw
        let longer = max(size.width, size.height)
        guard size.width > 0, size.height > 0 else { throw failure }
        guard Self.sizes.contains(longer) else {
            throw .damaged(reason: "its size makes no sense")
        }
    }

    /// The longer sides that there are, in CSS pixels; what is outside could become infinite or nothing.
    private static let sizes = 1e-9...1e15

    deinit { ccodecs_svg_destroy(raw) }

    var failure: DecodeFailure { .damaged(reason: String(cString: ccodecs_svg_message(raw))) }

    /// In CSS pixels.
    var size: (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        ccodecs_svg_size(raw, &width, &height)
        return (width, height)
    }

    /// Paints a part of the drawing at a size.
    func paint(
        _ width: Double, _ height: Double, _ part: PixelRect,
        into words: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        ccodecs_svg_paint(
            raw, width, height, Int32(part.x), Int32(part.y), Int32(part.width),
            Int32(part.height), words) != 0
    }
}

/// The rows of a part of a drawing at some size, painted in bands: each is a pass over the whole
/// drawing.
private final class SVGRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.premultipliedWords
    let color = ColorSource.standard
    private(set) var isComplete = true
    private let drawing: SVGDrawing
    private let part: PixelRect
    private let width: Double
    private let height: Double
    private let bandHeight: Int
    private let band: UnsafeMutablePointer<UInt32>
    private var y = 0

    /// Bytes of a band.
    private static let bandLength = 64 << 20

    init(
        _ drawing: SVGDrawing, _ part: PixelRect, _ width: Double, _ height: Double
    ) throws(DecodeFailure) {
        (self.drawing, self.part, self.width, self.height) = (drawing, part, width, height)
        size = part.size
        bandHeight = min(max(Self.bandLength / (size.width * 4), 1), size.height)
        band = .allocate(capacity: size.width * bandHeight)
        // What cannot be painted at all shows at once.
        guard paint() else { throw drawing.failure }
    }

    deinit { band.deallocate() }

    private func paint() -> Bool {
        let rows = min(bandHeight, size.height - y)
        band.update(repeating: 0, count: size.width * rows)
        let rect = PixelRect(x: part.x, y: part.y + y, width: part.width, height: rows)
        return drawing.paint(width, height, rect, into: band)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            let inside = y % bandHeight
            if inside == 0, y > 0, !paint() { isComplete = false }
            row.copyMemory(from: band + inside * size.width, byteCount: size.width * 4)
            y += 1
        }
        return rows.count
    }
}
