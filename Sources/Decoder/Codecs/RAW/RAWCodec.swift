import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// Camera RAW files, by LibRaw.
///
/// The camera's embedded preview is shown first, then the picture developed with the camera's white
/// balance.
struct RAWCodec: LibraryCodec, OrientedCodec, CapturedCodec, ReducibleCodec, PreviewCodec {
    static let format = PictureFormat.raw
    static var isAvailable: Bool { ccodecs_open_raw() != nil }

    let size: PixelSize
    let orientation: Orientation
    let capture: Capture
    let coarsestMipLevel: Int
    /// The finest mip level that the embedded preview covers; nil without a usable preview.
    let embeddedMipLevel: Int?
    private let bytes: UnsafeRawBufferPointer

    /// The coarsest mip level that is made from the embedded preview.
    private static let coarsestPreviewLevel = 5

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let file = try RAWFile(bytes)
        orientation = file.orientation
        let preview = file.previewSize
        let size = try file.measure()
        self.size = size
        capture = Exif(tiff: bytes).capture
        embeddedMipLevel = preview.flatMap { preview in
            (1...Self.coarsestPreviewLevel).first { mipLevel in
                let reduced = size.reduced(by: mipLevel)
                return RAWPreview.fits(preview, size) && preview.width >= reduced.width
                    && preview.height >= reduced.height
            }
        }
        // Without a preview only LibRaw's decode at half size is faster.
        coarsestMipLevel = embeddedMipLevel == nil ? 1 : Self.coarsestPreviewLevel
    }

    func preview() throws(DecodeFailure) -> StillPreview? {
        guard let embeddedMipLevel else { return nil }
        return StillPreview(
            mipLevel: embeddedMipLevel, rows: try rows(reducedBy: embeddedMipLevel))
    }

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        let file = try RAWFile(bytes)
        if mipLevel > 0, let embeddedMipLevel, mipLevel >= embeddedMipLevel {
            return try file.preview(size.reduced(by: mipLevel))
        }
        let halvings = min(mipLevel, 1)
        try file.develop(isHalf: halvings == 1)
        let rows = RAWRows(file, size.reduced(by: halvings))
        // Levels between half size and the preview are scaled down from half size.
        return mipLevel == halvings
            ? rows : try ScaledRows(try RowStream(rows), to: size.reduced(by: mipLevel))
    }
}

/// Owns the library's decoder of one camera file.
private final class RAWFile {
    private let library: ccodecs_raw_library
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let library = ccodecs_open_raw()?.pointee,
            let raw = library.create(bytes.bytes, bytes.count)
        else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        (self.library, self.raw) = (library, raw)
        if library.is_open(raw) == 0 { throw failure }
    }

    deinit { library.destroy(raw) }

    var failure: DecodeFailure {
        let reason = String(cString: library.message(raw))
        return reason.isEmpty ? .cutShort : LibraryMessage.damaged(reason)
    }

    /// The size of the developed picture; afterwards the file cannot be decoded any more.
    func measure() throws(DecodeFailure) -> PixelSize {
        var (width, height) = (Int32(0), Int32(0))
        guard library.measure(raw, &width, &height) != 0, width > 0, height > 0 else {
            throw failure
        }
        return PixelSize(width: Int(width), height: Int(height))
    }

    var orientation: Orientation {
        Orientation(rawValue: UInt8(clamping: library.orientation(raw))) ?? .upright
    }

    var isWhole: Bool { library.is_whole(raw) != 0 }

    /// The size of the embedded preview as stored; nil without a preview.
    var previewSize: PixelSize? {
        withPreview { try? JPEGCodec($0).size } ?? nil
    }

    /// The embedded preview, scaled down to `size`.
    func preview(_ size: PixelSize) throws(DecodeFailure) -> any RowSource {
        let result = withPreview { bytes in
            Result { () throws(DecodeFailure) in try RAWPreview.rows(bytes, size) }
        }
        guard let result else { throw .cutShort }
        return try result.get()
    }

    private func withPreview<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T? {
        var length = 0
        return library.preview(raw, &length).map {
            body(UnsafeRawBufferPointer(start: $0, count: length))
        }
    }

    func develop(isHalf: Bool) throws(DecodeFailure) {
        guard library.develop(raw, isHalf ? 1 : 0) != 0 else { throw failure }
    }

    /// The developed picture's samples and size, and the number of samples per pixel (1 or 3).
    var pixels: (samples: UnsafeBufferPointer<UInt16>, size: PixelSize, count: Int) {
        var (width, height, count) = (Int32(0), Int32(0), Int32(0))
        let start = library.pixels(raw, &width, &height, &count)
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
        let (samples, developed, count) = file.pixels
        guard !developed.isEmpty else { return 0 }
        for row in rows {
            let target = row.assumingMemoryBound(to: UInt16.self)
            // If LibRaw's picture is smaller than measured, the last pixels are repeated.
            let line = min(y, developed.height - 1) * developed.width
            for x in 0..<size.width {
                let index = (line + min(x, developed.width - 1)) * count
                for color in 0..<3 {
                    target[3 * x + color] = samples[index + (count == 3 ? color : 0)]
                }
            }
            y += 1
        }
        return rows.count
    }
}

/// The JPEG preview that the camera has embedded.
private enum RAWPreview {
    /// Tolerance of the ratio between the aspect ratios of the preview and the sensor.
    private static let tolerance = 0.02

    /// Whether the preview shows the whole picture of the sensor, as its aspect ratio tells.
    static func fits(_ preview: PixelSize, _ size: PixelSize) -> Bool {
        let shape = Double(preview.width) * Double(size.height)
        let wanted = Double(size.width) * Double(preview.height)
        return abs(shape / wanted - 1) < tolerance
    }

    /// Decodes the preview, scaled down to `size`.
    static func rows(
        _ bytes: UnsafeRawBufferPointer, _ size: PixelSize
    ) throws(DecodeFailure) -> ScaledRows {
        let jpeg = try JPEGCodec(bytes)
        _ = try DecodeSettings.finestMipLevel(for: jpeg.size)
        let mipLevel =
            (0...jpeg.coarsestMipLevel).last {
                let reduced = jpeg.size.reduced(by: $0)
                return reduced.width >= size.width && reduced.height >= size.height
            } ?? 0
        return try ScaledRows(try RowStream(try jpeg.checkedRows(reducedBy: mipLevel)), to: size)
    }
}
