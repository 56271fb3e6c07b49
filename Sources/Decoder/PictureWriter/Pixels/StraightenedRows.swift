import Geometry
import Glibc
import ImageTypes
import RasterPipeline

/// The rows of a picture that is rotated by any angle, resampled once from its full resolution.
///
/// The filter is Lanczos with three lobes, on the encoded values: straightening changes no size, so
/// that linear light would change next to nothing but the ringing at bright edges. Colours are
/// weighted by alpha. Beyond the picture's edge its last pixels repeat.
final class StraightenedRows {
    private let kind: PixelKind
    private let geometry: EditGeometry
    /// The whole turned picture as pixels of `kind`.
    private let turned: ScratchMemory
    private let progress: () -> Void
    private let (cosine, sine): (Double, Double)
    /// The weights for each phase: six, whose sum is 1.
    private let weights: [Float]

    private static let taps = 6
    private static let phases = 1024

    init(
        _ stored: StoredPixels, _ geometry: EditGeometry, _ kind: PixelKind,
        _ progress: @escaping () -> Void
    ) throws(DecodeFailure) {
        (self.kind, self.geometry, self.progress) = (kind, geometry, progress)
        let radians = geometry.angle * .pi / 180
        (cosine, sine) = (cos(radians), sin(radians))
        weights = Self.makeWeights()
        let size = geometry.turned
        let rowLength = size.width * kind.bytesPerPixel
        turned = try ScratchMemory(bytes: rowLength * size.height)
        let samples = try ScratchMemory(bytes: size.width * 16)
        for y in 0..<size.height {
            if y % 64 == 0 { progress() }
            stored.copyRow(
                y, columns: 0..<size.width, turned: geometry.orientation, to: samples.base)
            PixelKind.convert(
                samples.base, stored.layout, to: turned.base + y * rowLength, count: size.width)
        }
    }

    private static func makeWeights() -> [Float] {
        func kernel(_ x: Double) -> Double {
            guard x != 0 else { return 1 }
            guard abs(x) < 3 else { return 0 }
            let angle = Double.pi * x
            return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
        }
        return (0..<phases).flatMap { phase -> [Float] in
            let fraction = Double(phase) / Double(phases)
            let values = (0..<taps).map { kernel(Double($0) - 2 - fraction) }
            let sum = values.reduce(0, +)
            return values.map { Float($0 / sum) }
        }
    }

    /// Writes row `y` of the straightened picture.
    func copyRow(_ y: Int, to target: UnsafeMutableRawPointer) {
        progress()
        switch kind {
        case .rgba8: resample(y, UInt8.self, most: 255, target, hasAlpha: true)
        case .cmyk8: resample(y, UInt8.self, most: 255, target, hasAlpha: false)
        case .rgba16: resample(y, UInt16.self, most: 65535, target, hasAlpha: true)
        // Such pictures are not written.
        case .rgbaFloat: break
        }
    }

    private func resample<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ y: Int, _: Sample.Type, most: Float, _ target: UnsafeMutableRawPointer, hasAlpha: Bool
    ) {
        let (rect, size) = (geometry.rect, geometry.turned)
        let source = turned.base.assumingMemoryBound(to: Sample.self)
        let result = target.assumingMemoryBound(to: Sample.self)
        let (middleX, middleY) = (Double(size.width) / 2, Double(size.height) / 2)
        let down = Double(rect.y + y) + 0.5 - middleY
        weights.withUnsafeBufferPointer { weights in
            for x in 0..<rect.width {
                let across = Double(rect.x + x) + 0.5 - middleX
                let sourceX = middleX + across * cosine + down * sine - 0.5
                let sourceY = middleY - across * sine + down * cosine - 0.5
                let sum = sum(source, sourceX, sourceY, size, weights, hasAlpha, most)
                let alpha = min(max(sum[3], 0), most)
                for channel in 0..<3 {
                    var value = sum[channel]
                    if hasAlpha { value = alpha > 0 ? value * most / alpha : 0 }
                    result[x * 4 + channel] = Sample(min(max(value, 0), most).rounded())
                }
                result[x * 4 + 3] = Sample(alpha.rounded())
            }
        }
    }

    /// The filtered samples at a place, premultiplied if `hasAlpha`.
    private func sum<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafeMutablePointer<Sample>, _ x: Double, _ y: Double, _ size: PixelSize,
        _ weights: UnsafeBufferPointer<Float>, _ hasAlpha: Bool, _ most: Float
    ) -> SIMD4<Float> {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let column = Int(left)
        let row = Int(top)
        let phaseX = min(Int((x - left) * Double(Self.phases)), Self.phases - 1) * Self.taps
        let phaseY = min(Int((y - top) * Double(Self.phases)), Self.phases - 1) * Self.taps
        var total = SIMD4<Float>.zero
        for tapY in 0..<Self.taps {
            let line = min(max(row + tapY - 2, 0), size.height - 1) * size.width
            var lineTotal = SIMD4<Float>.zero
            for tapX in 0..<Self.taps {
                let place = (line + min(max(column + tapX - 2, 0), size.width - 1)) * 4
                var pixel = SIMD4<Float>(
                    Float(source[place]), Float(source[place + 1]), Float(source[place + 2]),
                    Float(source[place + 3]))
                if hasAlpha {
                    let alpha = pixel[3]
                    if alpha != most {
                        pixel *= alpha / most
                        pixel[3] = alpha
                    }
                }
                lineTotal += pixel * weights[phaseX + tapX]
            }
            total += lineTotal * weights[phaseY + tapY]
        }
        return total
    }
}
