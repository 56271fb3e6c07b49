import SeededRandom
import Geometry
import ImageTypes

/// A random picture of planes with one level, whose planes lie between guard pages.
struct PlanarPicture {
    let bitmap: Bitmap
    /// Rows of samples: one byte each, and Cb and Cr.
    let luma: [[UInt8]], chroma: [[(cb: UInt8, cr: UInt8)]]
    let format: ChromaFormat

    /// Samples of noise.
    init(_ size: PixelSize, _ format: ChromaFormat, using random: inout SeededGenerator) {
        func sample() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
        self.init(
            size, format, luma: { _, _ in sample() }, chroma: { _, _ in (sample(), sample()) },
            at: .random(using: &random))
    }

    init(
        _ size: PixelSize, _ format: ChromaFormat, luma lumaAt: (Int, Int) -> UInt8,
        chroma chromaAt: (Int, Int) -> (cb: UInt8, cr: UInt8),
        at memoryEnd: GuardedMemory.End = .last
    ) {
        self.format = format
        let chromaSize = format.samples(of: size, at: 0)
        luma = (0..<size.height).map { y in (0..<size.width).map { lumaAt($0, y) } }
        chroma = (0..<chromaSize.height).map { y in
            (0..<chromaSize.width).map { chromaAt($0, y) }
        }
        let stride = Bitmap.Level.stride(ofWidth: size.width, bytesPerPixel: 1)
        let chromaStride = Bitmap.Level.stride(ofWidth: chromaSize.width, bytesPerPixel: 2)
        let end = stride * size.height
        var bytes = [UInt8](repeating: 0, count: end + chromaStride * chromaSize.height)
        for y in 0..<size.height {
            bytes.replaceSubrange(y * stride..<y * stride + size.width, with: luma[y])
        }
        for y in 0..<chromaSize.height {
            for (x, both) in chroma[y].enumerated() {
                let place = end + y * chromaStride + x * 2
                (bytes[place], bytes[place + 1]) = both
            }
        }
        let words = Swift.stride(from: 0, to: bytes.count, by: 4).map { index in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << (8 * $1) }
        }
        bitmap = Bitmap(
            size: size, format: .planes, chroma: format,
            levels: [
                .init(
                    mipLevel: 0, size: size, stride: stride, offset: 0,
                    chroma: .init(size: chromaSize, stride: chromaStride, offset: end))
            ], memory: GuardedMemory(words, at: memoryEnd))
    }

    /// A random format.
    static func randomFormat(_ random: inout SeededGenerator) -> ChromaFormat {
        ChromaFormat(
            matrix: ChromaFormat.Matrix.allCases.randomElement(using: &random) ?? .bt601,
            isFullRange: Bool.random(using: &random),
            columnShift: Int.random(in: ChromaFormat.shifts, using: &random),
            rowShift: Int.random(in: ChromaFormat.shifts, using: &random),
            left: Int.random(in: ChromaFormat.edges, using: &random),
            top: Int.random(in: ChromaFormat.edges, using: &random))
    }

    /// The red, green and blue (0…255, not rounded) at a position in picture pixels from the upper left
    /// corner, by bilinear interpolation of each plane in double precision.
    func color(at place: Point) -> [Double] {
        func mixed(_ x: Double, _ y: Double, _ value: (Int, Int) -> Double, _ size: PixelSize)
            -> Double
        {
            func clamped(_ value: Double, _ count: Int) -> Double {
                min(max(value, 0), Double(count - 1))
            }
            let (u, v) = (clamped(x - 0.5, size.width), clamped(y - 0.5, size.height))
            let (left, top) = (Int(u), Int(v))
            let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
            let (across, down) = (u - Double(left), v - Double(top))
            let upper = value(left, top) * (1 - across) + value(right, top) * across
            let lower = value(left, bottom) * (1 - across) + value(right, bottom) * across
            return upper * (1 - down) + lower * down
        }
        let size = bitmap.size
        let y = mixed(place.x, place.y, { Double(luma[$1][$0]) }, size)
        let chromaSize = PixelSize(width: chroma[0].count, height: chroma.count)
        let x = (place.x - Double(format.left) / 2) / Double(1 << format.columnShift)
        let row = (place.y - Double(format.top) / 2) / Double(1 << format.rowShift)
        let cb = mixed(x, row, { Double(chroma[$1][$0].cb) }, chromaSize)
        let cr = mixed(x, row, { Double(chroma[$1][$0].cr) }, chromaSize)
        return format.color(y: format.luma(of: y), cb: cb, cr: cr)
    }
}

extension ChromaFormat {
    /// Luma from 0, which is black, to 255, which is white.
    func luma(of sample: Double) -> Double {
        isFullRange ? sample : (sample - 16) * 255 / 219
    }

    /// The red, green and blue (0…255, not rounded) of luma (0…255) and of samples of chroma.
    func color(y: Double, cb: Double, cr: Double) -> [Double] {
        let (red, blue) = (matrix.red, matrix.blue)
        let range = isFullRange ? 255.0 : 224
        let (pb, pr) = ((cb - 128) / range, (cr - 128) / range)
        let (r, b) = (y + 255 * 2 * (1 - red) * pr, y + 255 * 2 * (1 - blue) * pb)
        let g = (y - red * r - blue * b) / (1 - red - blue)
        return [r, g, b].map { min(max($0, 0), 255) }
    }
}
