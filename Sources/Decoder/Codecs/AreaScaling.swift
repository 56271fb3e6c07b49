import Geometry
import Glibc
import ImageTypes

/// Scales a picture down, row by row: each pixel is the mean of the area that it stands for.
///
/// Opaque pixels are averaged as light, so that fine bright detail keeps its brightness; those with
/// alpha are averaged as they are, premultiplied. Rows have to come from the top down, all of them.
struct AreaScaling {
    private let source: PixelSize
    private let target: PixelSize
    private let format: PixelFormat
    /// Which part of a row each target pixel stands for.
    private let columns: [Span]
    /// The current row's sums so far, as B, G, R, A.
    private var sums: [SIMD4<Float>]
    /// The next row that comes, and the row that is being summed up.
    private var sourceRow = 0
    private var targetRow = 0
    /// The finished rows, one after another without gaps.
    private(set) var pixels: [UInt32] = []

    /// Source pixels with the weights of the first and the last; those between weigh 1.
    private struct Span {
        var first: Int
        var last: Int
        var firstWeight: Float
        var lastWeight: Float

        /// What target pixel `index` of `count` stands for among `length` source pixels.
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
        // What is as large as that already stays as it is.
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
            // The last row takes what rounding has left of it.
            guard end <= bottom || sourceRow == source.height else { return }
            finishRow()
        }
    }

    private func means(of row: UnsafeBufferPointer<UInt32>) -> [SIMD4<Float>] {
        let tables = Light.tables
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
    private func value(_ pixel: UInt32, _ tables: Light) -> SIMD4<Float> {
        let (b, g, r) = (Int(pixel & 255), Int(pixel >> 8 & 255), Int(pixel >> 16 & 255))
        switch format {
        case .rgb24: return SIMD4(tables.light[b], tables.light[g], tables.light[r], 255)
        case .argb32: return SIMD4(Float(b), Float(g), Float(r), Float(pixel >> 24))
        }
    }

    private mutating func finishRow() {
        let tables = Light.tables
        for x in 0..<target.width {
            let sum = sums[x]
            let word: UInt32
            switch format {
            case .rgb24:
                word =
                    0xFF00_0000 | tables.encoded(sum.z) << 16 | tables.encoded(sum.y) << 8
                    | tables.encoded(sum.x)
            case .argb32:
                let bytes = (sum + 0.5).clamped(
                    lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                word =
                    UInt32(bytes.w) << 24 | UInt32(bytes.z) << 16 | UInt32(bytes.y) << 8
                    | UInt32(bytes.x)
            }
            pixels.append(word)
            sums[x] = .zero
        }
        targetRow += 1
    }
}

/// From sRGB's values to light and back, by tables.
///
/// Source of the curve: IEC 61966-2-1.
private struct Light {
    static let tables = Light()

    /// The light, 0…1, of each of the 256 values.
    let light: [Float]
    /// The value of each light, in steps fine enough for the darkest ones to come back as they were.
    private let values: [UInt8]

    private static let steps = 16383

    private init() {
        light = (0..<256).map { index in
            let value = Double(index) / 255
            return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
        values = (0...Self.steps).map { index in
            let light = Double(index) / Double(Self.steps)
            let value =
                light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8(value * 255 + 0.5)
        }
    }

    @inline(__always)
    func encoded(_ light: Float) -> UInt32 {
        let step = Int(light * Float(Self.steps) + 0.5)
        return UInt32(values[min(max(step, 0), Self.steps)])
    }
}
