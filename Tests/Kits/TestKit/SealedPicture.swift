import Geometry
import Glibc
import ImageTypes
package import ImageWire

/// A decoded picture in sealed memory, whose pixels are read in double precision.
package struct SealedPicture {
    package let header: PixelHeader
    package let bytes: [UInt8]

    /// Throws where the header contradicts itself or the length of the bytes.
    package init(_ bytes: [UInt8]) throws(WireError) {
        self.bytes = bytes
        header = try PixelHeader(
            checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: bytes.count)
    }

    /// Red, green and blue of a pixel of a level, 0…255.
    private func color(_ x: Int, _ y: Int, level index: Int) -> SIMD3<Double> {
        let level = header.levels[index]
        guard let format = header.chroma, let chroma = level.chroma else {
            let place = level.offset + y * level.stride + x * 4
            return SIMD3(
                Double(bytes[place + 2]), Double(bytes[place + 1]), Double(bytes[place]))
        }
        let shifts = format.shifts(at: level.mipLevel)
        func place(_ pixel: Int, _ edge: Int, _ shift: Int, _ count: Int) -> (Int, Int, Double) {
            let picture = (Double(pixel) + 0.5) * Double(1 << level.mipLevel)
            let exact = (picture - Double(edge) / 2) / Double(1 << shift) - 0.5
            let sample = min(max(exact, 0), Double(count - 1))
            return (Int(sample), min(Int(sample) + 1, count - 1), sample - sample.rounded(.down))
        }
        let (left, right, across) = place(x, format.left, shifts.column, chroma.size.width)
        let (upper, lower, down) = place(y, format.top, shifts.row, chroma.size.height)
        func sample(_ byte: Int) -> Double {
            func value(_ x: Int, _ y: Int) -> Double {
                Double(bytes[chroma.offset + y * chroma.stride + x * 2 + byte])
            }
            let above = value(left, upper) * (1 - across) + value(right, upper) * across
            let below = value(left, lower) * (1 - across) + value(right, lower) * across
            return above * (1 - down) + below * down - 128
        }
        return format.color(
            Double(bytes[level.offset + y * level.stride + x]), sample(0), sample(1))
    }

    /// The peak signal to noise ratio to the same level of another picture, in decibels.
    package func ratio(to other: SealedPicture, level index: Int) -> Double {
        let size = header.levels[index].size
        var sum = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let difference = color(x, y, level: index) - other.color(x, y, level: index)
                sum += (difference * difference).sum()
            }
        }
        let mean = sum / Double(size.width * size.height * 3)
        return mean == 0 ? 100 : min(100, 10 * log10(255 * 255 / mean))
    }
}

extension ChromaFormat {
    /// Red, green and blue, 0…255, of luma and of chroma around 0, by the definition in ITU-T H.273, 8.3.
    fileprivate func color(_ luma: Double, _ cb: Double, _ cr: Double) -> SIMD3<Double> {
        let light = isFullRange ? luma : (luma - 16) * 255 / 219
        let scale = isFullRange ? 1.0 : 255.0 / 224
        let red = light + 2 * (1 - matrix.red) * cr * scale
        let blue = light + 2 * (1 - matrix.blue) * cb * scale
        let green =
            (light - matrix.red * red - matrix.blue * blue) / (1 - matrix.red - matrix.blue)
        return SIMD3(red, green, blue).rounded(.toNearestOrAwayFromZero)
            .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    }
}
