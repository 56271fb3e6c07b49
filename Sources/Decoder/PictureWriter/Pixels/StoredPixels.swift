import Codecs
import Geometry
import ImageTypes
import RasterPipeline

/// All pixels of a picture as its file stores them, in memory.
final class StoredPixels {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    /// Whether no data of the picture is missing.
    let isComplete: Bool
    private let memory: ScratchMemory

    private static let rowsAtOnce = 16

    /// Decodes a picture; throws `.tooLarge` beyond the limits.
    ///
    /// `progress` is called often.
    init(
        _ picture: NativePicture, _ progress: () -> Void
    ) throws(DecodeFailure) {
        let limits = DecodeSettings.limits
        let rows = try picture.rows()
        (size, layout, color) = (rows.size, rows.layout, rows.color)
        let rowLength = size.width * layout.bytesPerPixel
        guard !size.isLarger(than: limits.pixels), rowLength * size.height <= limits.bytes else {
            throw .tooLarge(width: size.width, height: size.height, most: limits.pixels)
        }
        let memory = try ScratchMemory(bytes: rowLength * size.height)
        self.memory = memory
        var y = 0
        while y < size.height {
            let count = min(Self.rowsAtOnce, size.height - y)
            let places = (0..<count).map { memory.base + (y + $0) * rowLength }
            let read = rows.read(places)
            progress()
            y += max(0, read)
            if read < count { break }
        }
        isComplete = y == size.height && rows.isComplete
    }

    /// Whether no visible pixel has a colour.
    var isGray: Bool {
        let rowLength = size.width * layout.bytesPerPixel
        return (0..<size.height).allSatisfy {
            layout.isGray(memory.base + $0 * rowLength, pixels: size.width)
        }
    }

    /// Copies the pixels of a row of the turned picture to `target`.
    ///
    /// `columns` are columns of the turned picture.
    func copyRow(
        _ y: Int, columns: Range<Int>, turned orientation: Orientation,
        to target: UnsafeMutableRawPointer
    ) {
        let (pixel, row) = (layout.bytesPerPixel, size.width * layout.bytesPerPixel)
        let (right, bottom) = ((size.width - 1) * pixel, (size.height - 1) * row)
        // The offset of the first pixel of the turned picture, and the steps to the right and down.
        let (start, across, down) =
            switch orientation {
            case .upright: (0, pixel, row)
            case .mirrored: (right, -pixel, row)
            case .upsideDown: (right + bottom, -pixel, -row)
            case .mirroredUpsideDown: (bottom, pixel, -row)
            case .transposed: (0, row, pixel)
            case .rotatedLeft: (bottom, -row, pixel)
            case .transversed: (right + bottom, -row, -pixel)
            case .rotatedRight: (right, row, -pixel)
            }
        let source = memory.base + (start + y * down + columns.lowerBound * across)
        guard across != pixel else {
            target.copyMemory(from: source, byteCount: columns.count * pixel)
            return
        }
        switch pixel {
        case 1: gather(UInt8.self, source, across, columns.count, target)
        case 2: gather(UInt16.self, source, across, columns.count, target)
        case 4: gather(UInt32.self, source, across, columns.count, target)
        case 8: gather(UInt64.self, source, across, columns.count, target)
        default:
            for index in 0..<columns.count {
                (target + index * pixel).copyMemory(from: source + index * across, byteCount: pixel)
            }
        }
    }

    private func gather<Pixel: BitwiseCopyable>(
        _: Pixel.Type, _ source: UnsafeMutableRawPointer, _ step: Int, _ count: Int,
        _ target: UnsafeMutableRawPointer
    ) {
        for index in 0..<count {
            (target + index * MemoryLayout<Pixel>.size).storeBytes(
                of: source.loadUnaligned(fromByteOffset: index * step, as: Pixel.self),
                as: Pixel.self)
        }
    }
}
