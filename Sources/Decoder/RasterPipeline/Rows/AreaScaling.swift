import Geometry
import Glibc
import ImageTypes

/// Scales a picture down row by row: each target pixel is the mean of the source area it covers.
///
/// Opaque pixels are averaged in linear light, so that fine bright detail keeps its brightness.
/// Pixels with alpha are averaged in encoded values, premultiplied. All rows have to be added, from
/// the top down.
struct AreaScaling {
    private let source: PixelSize
    private let target: PixelSize
    private let format: PixelFormat
    /// The source columns that each target column covers.
    private let columns: [Span]
    /// Weighted sums of the current target row so far, as B, G, R, A.
    private var sums: [SIMD4<Float>]
    /// The source row that is being added, in linear light, and the means of its parts.
    private var (values, means): ([SIMD4<Float>], [SIMD4<Float>])
    /// Room for one finished target row.
    private var finished: [UInt32]
    /// The next source row, and the target row that is being summed.
    private var sourceRow = 0
    private var targetRow = 0

    /// A range of source pixels; the first and the last have a weight, all between weigh 1.
    private struct Span {
        var first: Int
        var last: Int
        var firstWeight: Float
        var lastWeight: Float
        /// 1 divided by the sum of all weights.
        var scale: Float

        /// The range of `length` source pixels that target pixel `index` of `count` covers.
        init(_ index: Int, of count: Int, over length: Int) {
            let start = Double(index) * Double(length) / Double(count)
            let end = Double(index + 1) * Double(length) / Double(count)
            first = min(Int(start), length - 1)
            last = max(first, min(length - 1, Int(end.rounded(.up)) - 1))
            firstWeight = Float(min(end, Double(first + 1)) - start)
            lastWeight = Float(end - Double(last))
            let weight =
                last > first ? firstWeight + Float(last - first - 1) + lastWeight : firstWeight
            scale = 1 / weight
        }
    }

    /// `target` must not be larger than `source`.
    init(from source: PixelSize, to target: PixelSize, format: PixelFormat) {
        self.source = source
        self.target = target
        self.format = format
        columns = (0..<target.width).map { Span($0, of: target.width, over: source.width) }
        sums = [SIMD4<Float>](repeating: .zero, count: target.width)
        values = [SIMD4<Float>](repeating: .zero, count: source.width)
        means = sums
        finished = [UInt32](repeating: 0, count: target.width)
    }

    /// Adds the next source row, and passes each target row that it completes to `receive`.
    mutating func add(
        _ row: UnsafeBufferPointer<UInt32>, _ receive: (UnsafeBufferPointer<UInt32>) -> Void
    ) {
        // Without scaling the pixels stay unchanged.
        guard source != target else { return receive(row) }
        computeMeans(of: row)
        let (top, bottom) = (Double(sourceRow), Double(sourceRow + 1))
        sourceRow += 1
        let scale = Double(target.height) / Double(source.height)
        while targetRow < target.height {
            let start = Double(targetRow) / scale
            let end = Double(targetRow + 1) / scale
            let share = Float((min(end, bottom) - max(start, top)) * scale)
            if share > 0 {
                for x in 0..<target.width { sums[x] += means[x] * share }
            }
            // The last source row completes the target row, whatever rounding has left over.
            guard end <= bottom || sourceRow == source.height else { return }
            finishRow()
            finished.withUnsafeBufferPointer(receive)
        }
    }

    private mutating func computeMeans(of row: UnsafeBufferPointer<UInt32>) {
        let (format, tables) = (format, SRGBTables.shared)
        values.withUnsafeMutableBufferPointer { values in
            tables.linear.withUnsafeBufferPointer { linear in
                if format.isOpaque {
                    for (x, pixel) in row.enumerated() {
                        values[x] = SIMD4(
                            linear[Int(pixel & 255)], linear[Int(pixel >> 8 & 255)],
                            linear[Int(pixel >> 16 & 255)], 255)
                    }
                } else {
                    for (x, pixel) in row.enumerated() {
                        values[x] = SIMD4(
                            Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255),
                            Float(pixel >> 24))
                    }
                }
            }
            let values = UnsafeBufferPointer(values)
            means.withUnsafeMutableBufferPointer { means in
                columns.withUnsafeBufferPointer { columns in
                    for (column, span) in columns.enumerated() {
                        var sum = values[span.first] * span.firstWeight
                        if span.last > span.first {
                            for x in (span.first + 1)..<span.last { sum += values[x] }
                            sum += values[span.last] * span.lastWeight
                        }
                        means[column] = sum * span.scale
                    }
                }
            }
        }
    }

    private mutating func finishRow() {
        let (format, tables) = (format, SRGBTables.shared)
        sums.withUnsafeMutableBufferPointer { sums in
            finished.withUnsafeMutableBufferPointer { finished in
                if format.isOpaque {
                    for (x, sum) in sums.enumerated() { finished[x] = tables.encoded(sum) }
                } else {
                    for (x, sum) in sums.enumerated() {
                        let bytes = SIMD4<UInt32>(rounding: sum, below: 256)
                        finished[x] = bytes.w << 24 | bytes.z << 16 | bytes.y << 8 | bytes.x
                    }
                }
            }
            sums.update(repeating: .zero)
        }
        targetRow += 1
    }
}

extension SIMD4<UInt32> {
    /// The nearest integers from 0 to `limit` - 1, and 0 for a NaN.
    ///
    /// `limit` is at most 2²³.
    @inline(__always)
    fileprivate init(rounding values: SIMD4<Float>, below limit: Float) {
        let most = SIMD4<Float>(repeating: limit - 1)
        let positive = values.replacing(with: 0, where: .!(values .>= 0))
        let clamped = positive.replacing(with: most, where: positive .> most)
        // From 2²³ on, a Float has no fraction, and its lowest bits are an integer.
        let base = Float(1 << 23)
        self = unsafeBitCast(clamped + base, to: SIMD4<UInt32>.self) &- base.bitPattern
    }
}

/// Tables of the sRGB transfer function, in both directions.
///
/// Source: IEC 61966-2-1.
private struct SRGBTables {
    static let shared = SRGBTables()

    /// Linear light, 0…1, of each of the 256 encoded values.
    let linear: [Float]
    /// Encoded values by linear light, in steps fine enough for a round trip of dark values.
    private let encodedValues: [UInt8]

    private static let steps = 16383

    private init() {
        linear = (0..<256).map { index in
            let value = Double(index) / 255
            return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
        encodedValues = (0...Self.steps).map { index in
            let linear = Double(index) / Double(Self.steps)
            let value =
                linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
            return UInt8(value * 255 + 0.5)
        }
    }

    /// The opaque pixel of a mean in linear light, as B, G, R.
    @inline(__always)
    func encoded(_ linear: SIMD4<Float>) -> UInt32 {
        let steps = SIMD4<UInt32>(
            rounding: linear * Float(Self.steps), below: Float(Self.steps + 1))
        return encodedValues.withUnsafeBufferPointer { values in
            0xFF00_0000 | UInt32(values[Int(steps.z)]) << 16 | UInt32(values[Int(steps.y)]) << 8
                | UInt32(values[Int(steps.x)])
        }
    }
}
