import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Codecs
@testable import ImageWire
@testable import RasterPipeline

/// A decoded picture in sealed memory, whose pixels are read in double precision.
struct SealedPicture {
    let header: PixelHeader
    let bytes: [UInt8]

    /// Closes the descriptor.
    init(_ memory: Int32) throws {
        defer { close(memory) }
        bytes = try #require(TestFile.read("/proc/self/fd/\(memory)"))
        header = try PixelHeader(
            checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: bytes.count)
    }

    /// Decodes a file in this process.
    static func decoded(
        _ file: [UInt8], asPlanes: Bool
    ) throws -> (pixels: SealedPicture, message: String?) {
        try file.withUnsafeBytes { bytes in
            var decoder = try PictureDecoders.open(bytes)
            let sink = FinalSink(acceptsPlanes: asPlanes)
            let message = try decoder.decode(for: PixelSize(width: 100, height: 100), to: sink)
            return (try SealedPicture(sink.memory), message)
        }
    }

    /// Expects that the readable parts of truncated files are the same as planes and as pixels, with the same
    /// message; `ratio` is the least one, in decibels.
    static func expectReadableParts(of file: [UInt8], ratio least: Double) throws {
        for length in [file.count / 3, file.count * 2 / 3, file.count - 3] {
            let cut = Array(file.prefix(length))
            let planes = try decoded(cut, asPlanes: true)
            let pixels = try decoded(cut, asPlanes: false)
            #expect(planes.message == pixels.message && planes.message != nil)
            let ratio = planes.pixels.ratio(to: pixels.pixels, level: 0)
            #expect(ratio >= least, "\(length) of \(file.count): \(ratio) dB")
        }
    }

    /// Red, green and blue of a pixel of a level, 0…255.
    func color(_ x: Int, _ y: Int, level index: Int) -> [Double] {
        let level = header.levels[index]
        guard let format = header.chroma, let chroma = level.chroma else {
            let place = level.offset + y * level.stride + x * 4
            return [2, 1, 0].map { Double(bytes[place + $0]) }
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
    func ratio(to other: SealedPicture, level index: Int) -> Double {
        let size = header.levels[index].size
        var sum = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (a, b) = (color(x, y, level: index), other.color(x, y, level: index))
                for channel in 0..<3 {
                    sum += (a[channel] - b[channel]) * (a[channel] - b[channel])
                }
            }
        }
        let mean = sum / Double(size.width * size.height * 3)
        return mean == 0 ? 100 : min(100, 10 * log10(255 * 255 / mean))
    }
}

extension ChromaFormat {
    /// Red, green and blue, 0…255, of luma and of chroma around 0, by the definition in ITU-T H.273, 8.3.
    fileprivate func color(_ luma: Double, _ cb: Double, _ cr: Double) -> [Double] {
        let light = isFullRange ? luma : (luma - 16) * 255 / 219
        let scale = isFullRange ? 1.0 : 255.0 / 224
        let red = light + 2 * (1 - matrix.red) * cr * scale
        let blue = light + 2 * (1 - matrix.blue) * cb * scale
        let green =
            (light - matrix.red * red - matrix.blue * blue) / (1 - matrix.red - matrix.blue)
        return [red, green, blue].map { min(max($0.rounded(), 0), 255) }
    }
}

/// Keeps the final memory of a decoding.
final class FinalSink: DecodeSink {
    let acceptsPlanes: Bool
    private(set) var memory: Int32 = -1

    init(acceptsPlanes: Bool) { self.acceptsPlanes = acceptsPlanes }

    func shouldContinue() -> Bool { true }

    func deliver(_ memory: Int32, isFinal: Bool) {
        guard isFinal else {
            close(memory)
            return
        }
        self.memory = memory
    }
}
