import CCodecs
import Geometry
import Pictures

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
        (size, orientation) = (file.size, file.orientation)
        taken = Exif(tiff: bytes).taken
        let size = size
        quickestReduction = file.previewSize.flatMap { preview in
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
        // Between the two there is the half, made smaller.
        try file.develop(isHalf: exponent > 0)
        return RAWRows(file, size.reduced(by: exponent))
    }
}

/// Owns a camera's file in the hands of the library.
private final class RAWFile {
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard
            let raw = ccodecs_raw_create(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        else { throw .unreadable(reason: "there is not enough memory") }
        self.raw = raw
        if size.isEmpty { throw failure }
    }

    deinit { ccodecs_raw_destroy(raw) }

    var failure: DecodeFailure {
        let reason = String(cString: ccodecs_raw_message(raw))
        return reason.isEmpty ? .cutShort : .damaged(reason: reason)
    }

    var size: PixelSize {
        var (width, height) = (Int32(0), Int32(0))
        ccodecs_raw_size(raw, &width, &height)
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
            Result { () throws(DecodeFailure) in try RAWPreview(bytes, size) }
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

/// The camera's own picture, made smaller.
private final class RAWPreview: RowSource {
    let size: PixelSize
    let layout = SampleLayout.opaqueWords
    let color = ColorSource.standard
    let isComplete: Bool
    private let pixels: [UInt32]
    private var y = 0

    /// How much wider or narrower it may be than what the sensor saw.
    private static let tolerance = 0.02

    /// Whether it shows all that the sensor saw.
    static func fits(_ preview: PixelSize, _ size: PixelSize) -> Bool {
        let shape = Double(preview.width) * Double(size.height)
        let wanted = Double(size.width) * Double(preview.height)
        return abs(shape / wanted - 1) < tolerance
    }

    init(_ bytes: UnsafeRawBufferPointer, _ size: PixelSize) throws(DecodeFailure) {
        self.size = size
        let jpeg = try JPEGCodec(bytes)
        _ = try PictureDecoders.firstExponent(for: jpeg.size)
        let exponent =
            (0...jpeg.deepestReduction).last {
                let reduced = jpeg.size.reduced(by: $0)
                return reduced.width >= size.width && reduced.height >= size.height
            } ?? 0
        let rows = try RowStream(try jpeg.rows(reducedBy: exponent))
        var scaling = AreaScaling(from: rows.size, to: size, format: .rgb24)
        var row = [UInt32](repeating: 0xFF00_0000, count: rows.size.width)
        for _ in 0..<rows.size.height {
            row.withUnsafeMutableBufferPointer { buffer in
                if let base = buffer.baseAddress { _ = rows.read(base) }
                scaling.add(UnsafeBufferPointer(buffer))
            }
        }
        (pixels, isComplete) = (scaling.pixels, rows.isComplete)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            let target = row.assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width { target[x] = pixels[y * size.width + x] }
            y += 1
        }
        return rows.count
    }
}
