import CZlib
import Geometry
import ImageTypes

/// The pixels of a bitmap in the form of a PNG's IDAT chunk, compressed by zlib.
///
/// Every row has the Average filter, and zlib looks for runs only (Z_RLE): the smallest result and
/// nearly the fastest for small photographs, as `Sources/Documentation/decisions.md` says.
struct PNGPixels {
    /// Channels per pixel: three without, and four with alpha.
    let channels: Int
    private let bitmap: Bitmap

    /// The filter type Average (PNG 9.2).
    private static let averageFilter: UInt8 = 3
    /// The base-2 logarithm of the window, and how much memory zlib uses: its defaults.
    private static let (windowBits, memoryLevel): (Int32, Int32) = (15, 8)

    /// Takes the finest level of `bitmap`.
    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        channels = bitmap.format == .rgb24 ? 3 : 4
    }

    /// The content of the IDAT chunk; nil without enough memory.
    func compressed() -> [UInt8]? {
        var filtered = filtered()
        var stream = z_stream()
        let code = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_RLE,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let limit = Int(deflateBound(&stream, uLong(filtered.count)))
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            filtered.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(limit)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = limit - Int(stream.avail_out)
        }
        return isWhole ? bytes : nil
    }

    /// Every row after its filter type; a byte is the difference to the mean of the bytes of the same
    /// channel to the left and above.
    private func filtered() -> [UInt8] {
        let size = bitmap.levels[0].size
        // Zeros stand for the pixel to the left of the first one, and for the row above the first.
        var row = [UInt8](repeating: 0, count: (1 + size.width) * channels)
        var above = row
        var filtered: [UInt8] = []
        filtered.reserveCapacity(size.height * (1 + size.width * channels))
        for y in 0..<size.height {
            fill(&row, y)
            filtered.append(Self.averageFilter)
            for place in channels..<row.count {
                let mean = (UInt16(row[place - channels]) + UInt16(above[place])) / 2
                filtered.append(row[place] &- UInt8(mean))
            }
            swap(&row, &above)
        }
        return filtered
    }

    /// Writes the samples of row `y` behind the first pixel of `row`.
    private func fill(_ row: inout [UInt8], _ y: Int) {
        let level = bitmap.levels[0]
        let start = level.offset + y * level.stride
        for x in 0..<level.size.width {
            let pixel = bitmap.memory.bytes.load(fromByteOffset: start + 4 * x, as: UInt32.self)
            let place = (1 + x) * channels
            let alpha = channels == 3 ? 255 : pixel >> 24
            row[place] = Self.straight(pixel >> 16 & 255, alpha)
            row[place + 1] = Self.straight(pixel >> 8 & 255, alpha)
            row[place + 2] = Self.straight(pixel & 255, alpha)
            if channels == 4 { row[place + 3] = UInt8(alpha) }
        }
    }

    /// A sample that is not multiplied by alpha, as PNG wants it.
    @inline(__always)
    private static func straight(_ value: UInt32, _ alpha: UInt32) -> UInt8 {
        if alpha == 255 { return UInt8(value) }
        return alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
    }
}
