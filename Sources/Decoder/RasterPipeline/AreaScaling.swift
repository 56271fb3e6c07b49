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
    /// The next source row, and the target row that is being summed.
    private var sourceRow = 0
    private var targetRow = 0
    /// The finished target rows, tightly packed.
    private(set) var pixels: [UInt32] = []

    /// A range of source pixels; the first and the last have a weight, all between weigh 1.
    private struct Span {
        var first: Int
        var last: Int
        var firstWeight: Float
        var lastWeight: Float

        /// The range of `length` source pixels that target pixel `index` of `count` covers.
        init(_ index: Int, of count: Int, over length: Int) {
            let start = Double(index) * Double(length) / Double(count)
            let end = Double(index + 1) * Double(length) / Double(count)
            first = min(Int(start), length - 1)
            last = max(first, min(length - 1, Int(end.rounded(.up)) - 1))
            firstWeight = Float(min(end, Double(first + 1)) - start)
            lastWeight = Float(end - Double(last))
        }
    }

    /// `target` must not be larger than `source`.
    init(from source: PixelSize, to target: PixelSize, format: PixelFormat) {
        self.source = source
        self.target = target
        self.format = format
        columns = (0..<target.width).map { Span($0, of: target.width, over: source.width) }
        sums = [SIMD4<Float>](repeating: .zero, count: target.width)
        pixels.reserveCapacity(target.width * target.height)
    }

    mutating func add(_ row: UnsafeBufferPointer<UInt32>) {
        // Without scaling the pixels stay unchanged.
        guard source != target else { return pixels.append(contentsOf: row) }
        let means = means(of: row)
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
        }
    }

    private func means(of row: UnsafeBufferPointer<UInt32>) -> [SIMD4<Float>] {
        let tables = SRGBTables.shared
        return columns.map { span in
            var sum = value(row[span.first], tables) * span.firstWeight
            var weight = span.firstWeight
            guard span.last > span.first else { return sum / weight }
            for x in (span.first + 1)..<span.last { sum += value(row[x], tables) }
            sum += value(row[span.last], tables) * span.lastWeight
            weight += Float(span.last - span.first - 1) + span.lastWeight
            return sum / weight
        }
    }

    @inline(__always)
    private func value(_ pixel: UInt32, _ tables: SRGBTables) -> SIMD4<Float> {
        let (b, g, r) = (Int(pixel & 255), Int(pixel >> 8 & 255), Int(pixel >> 16 & 255))
        switch format {
        case .rgb24: return SIMD4(tables.linear[b], tables.linear[g], tables.linear[r], 255)
        case .argb32: return SIMD4(Float(b), Float(g), Float(r), Float(pixel >> 24))
        }
    }

    private mutating func finishRow() {
        let tables = SRGBTables.shared
        for x in 0..<target.width {
            let sum = sums[x]
            let pixel: UInt32
            switch format {
            case .rgb24:
                pixel =
                    0xFF00_0000 | tables.encoded(sum.z) << 16 | tables.encoded(sum.y) << 8
                    | tables.encoded(sum.x)
            case .argb32:
                let bytes = (sum + 0.5).clamped(
                    lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                pixel =
                    UInt32(bytes.w) << 24 | UInt32(bytes.z) << 16 | UInt32(bytes.y) << 8
                    | UInt32(bytes.x)
            }
            pixels.append(pixel)
            sums[x] = .zero
        }
        targetRow += 1
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

    @inline(__always)
    func encoded(_ linear: Float) -> UInt32 {
        let step = Int(linear * Float(Self.steps) + 0.5)
        return UInt32(encodedValues[min(max(step, 0), Self.steps)])
    }
}
