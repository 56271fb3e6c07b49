import CCodecs
import Geometry
import ImageTypes

/// What cameras' sensors saw, by LibRaw: first the picture that the camera put in, then the developed
/// one, with the camera's white balance.
struct RAWCodec: StillCodec {
    static let format = PictureFormat.raw
    static var isAvailable: Bool { ccodecs_has_raw() != 0 }

    let size: PixelSize
    let orientation: Orientation
    let taken: Int?
    let deepestReduction: Int
    /// The weakest reduction that the camera's own picture does for; nil where it has none.
    let quickestReduction: Int?
    private let bytes: UnsafeRawBufferPointer

    /// Farther the camera's picture is not reduced.
    private static let deepestPreview = 5

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let file = try RAWFile(bytes)
        orientation = file.orientation
        let preview = file.previewSize
        let size = try file.measure()
        self.size = size
        taken = Exif(tiff: bytes).taken
        quickestReduction = preview.flatMap { preview in
            (1...Self.deepestPreview).first { exponent in
                let reduced = size.reduced(by: exponent)
                return RAWPreview.fits(preview, size) && preview.width >= reduced.width
                    && preview.height >= reduced.height
            }
        }
        // LibRaw halves by itself, which is all there is without the camera's picture.
        deepestReduction = quickestReduction == nil ? 1 : Self.deepestPreview
    }

    func preview() throws(DecodeFailure) -> StillPreview? {
        guard let quickestReduction else { return nil }
        return StillPreview(
            exponent: quickestReduction, rows: try rows(reducedBy: quickestReduction))
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        let file = try RAWFile(bytes)
        if exponent > 0, let quickestReduction, exponent >= quickestReduction {
            return try file.preview(size.reduced(by: exponent))
        }
        let halvings = min(exponent, 1)
        try file.develop(isHalf: halvings == 1)
        let rows = RAWRows(file, size.reduced(by: halvings))
        // Between the half and the camera's picture there is the half, made smaller.
        return exponent == halvings
            ? rows : try ScaledRows(try RowStream(rows), to: size.reduced(by: exponent))
    }
}

/// Owns a camera's file in the hands of the library.
private final class RAWFile {
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let raw = ccodecs_raw_create(bytes.bytes, bytes.count) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        self.raw = raw
        if ccodecs_raw_is_open(raw) == 0 { throw failure }
    }

    deinit { ccodecs_raw_destroy(raw) }

    var failure: DecodeFailure {
        let reason = String(cString: ccodecs_raw_message(raw))
        return reason.isEmpty ? .cutShort : .damaged(reason: reason)
    }

    /// What the developed picture's size will be; nothing can be asked of the file any more.
    func measure() throws(DecodeFailure) -> PixelSize {
        var (width, height) = (Int32(0), Int32(0))
        guard ccodecs_raw_measure(raw, &width, &height) != 0, width > 0, height > 0 else {
            throw failure
        }
        return PixelSize(width: Int(width), height: Int(height))
    }

    var orientation: Orientation {
        Orientation(rawValue: UInt8(clamping: ccodecs_raw_orientation(raw))) ?? .upright
    }

    var isWhole: Bool { ccodecs_raw_is_whole(raw) != 0 }

    /// The size of the camera's picture.
    var previewSize: PixelSize? {
        withPreview { try? JPEGCodec($0).size } ?? nil
    }

    /// The camera's picture, made so small.
    func preview(_ size: PixelSize) throws(DecodeFailure) -> any RowSource {
        let result = withPreview { bytes in
            Result { () throws(DecodeFailure) in try RAWPreview.rows(bytes, size) }
        }
        guard let result else { throw .cutShort }
        return try result.get()
    }

    private func withPreview<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T? {
        var length = 0
        return ccodecs_raw_preview(raw, &length).map {
            body(UnsafeRawBufferPointer(start: $0, count: length))
        }
    }

    func develop(isHalf: Bool) throws(DecodeFailure) {
        guard ccodecs_raw_develop(raw, isHalf ? 1 : 0) != 0 else { throw failure }
    }

    /// The developed picture's samples, with their number a pixel.
    var pixels: (samples: UnsafeBufferPointer<UInt16>, size: PixelSize, count: Int) {
        var (width, height, count) = (Int32(0), Int32(0), Int32(0))
        let start = ccodecs_raw_pixels(raw, &width, &height, &count)
        let size = PixelSize(width: Int(width), height: Int(height))
        return (
            UnsafeBufferPointer(start: start, count: size.width * size.height * Int(count)), size,
            Int(count)
        )
    }
}

/// The developed picture's rows.
private final class RAWRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.rgb16
    let color = ColorSource.standard
    var isComplete: Bool { file.isWhole }
    private let file: RAWFile
    private var y = 0

    init(_ file: RAWFile, _ size: PixelSize) { (self.file, self.size) = (file, size) }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let (samples, own, count) = file.pixels
        guard !own.isEmpty else { return 0 }
        for row in rows {
            let target = row.assumingMemoryBound(to: UInt16.self)
            // Where LibRaw counts an edge otherwise, the last pixels are repeated.
            let line = min(y, own.height - 1) * own.width
            for x in 0..<size.width {
                let place = (line + min(x, own.width - 1)) * count
                for color in 0..<3 {
                    target[3 * x + color] = samples[place + (count == 3 ? color : 0)]
                }
            }
            y += 1
        }
        return rows.count
    }
}

/// The camera's own picture.
private enum RAWPreview {
    /// How much wider or narrower it may be than what the sensor saw.
    private static let tolerance = 0.02

    /// Whether it shows all that the sensor saw.
    static func fits(_ preview: PixelSize, _ size: PixelSize) -> Bool {
        let shape = Double(preview.width) * Double(size.height)
        let wanted = Double(size.width) * Double(preview.height)
        return abs(shape / wanted - 1) < tolerance
    }

    /// Decodes it, made so small.
    static func rows(
        _ bytes: UnsafeRawBufferPointer, _ size: PixelSize
    ) throws(DecodeFailure) -> ScaledRows {
        let jpeg = try JPEGCodec(bytes)
        _ = try PictureDecoders.firstExponent(for: jpeg.size)
        let exponent =
            (0...jpeg.deepestReduction).last {
                let reduced = jpeg.size.reduced(by: $0)
                return reduced.width >= size.width && reduced.height >= size.height
            } ?? 0
        return try ScaledRows(try RowStream(try jpeg.rows(reducedBy: exponent)), to: size)
    }
}
