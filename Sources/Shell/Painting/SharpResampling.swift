import CCairo
import CPainting
import Geometry
import Glibc
import ImageTypes
import Synchronization

/// What the channels of a pixel stand for where several make one.
package enum FilterSpace: Sendable {
    /// Light, as sRGB has it: right, and what fine bright detail needs.
    case light
    /// The numbers as they are stored: as most programs do it, darker where it is fine.
    case numbers
}

/// Raised by any thread to make a sharp paint end soon; the paint itself notes where it lacks memory.
///
/// `@unchecked Sendable`: the number behind the pointer is only touched by atomic operations.
package final class PaintingCancellation: @unchecked Sendable {
    /// What C looks at.
    let flag: UnsafeMutablePointer<Int32>
    private let lack = Atomic(false)

    package init() {
        flag = .allocate(capacity: 1)
        flag.initialize(to: 0)
    }

    deinit { flag.deallocate() }

    /// A part was left out, since there was no memory for it.
    func lackMemory() { lack.store(true, ordering: .relaxed) }
    var lacksMemory: Bool { lack.load(ordering: .relaxed) }

    package func cancel() { cpainting_raise(flag) }
    package var isCancelled: Bool { cpainting_is_raised(flag) != 0 }
}

/// Interpolation of a level into whole device pixels for a frame that stays, where it is not turned.
///
/// A picture that is made smaller goes through Lanczos' window of three lobes, as wide as a device
/// pixel asks for (C. Duchon: Lanczos filtering in one and two dimensions, 1979); one that is made
/// larger through the cubic of Catmull and Rom (1974), which rings less.
struct SharpResampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let columns: Taps
    private let rows: Taps
    private let means: FilterSpace
    private let kernel: PaintingKernel
    private let cancellation: PaintingCancellation

    /// Pixels this many times as large as the picture's look no better for it.
    private static let mostEnlarged = 4.0
    /// Further than a level is from the next one; then the means have too much to do.
    private static let mostReduced = 4.0

    /// For device pixels inside of `seen` only; `matrix` takes device pixels to the level's.
    ///
    /// Nil where bilinear interpolation is what there is to see at rest, too.
    init?(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t, for seen: PixelRect,
        _ means: FilterSpace, _ kernel: PaintingKernel, until cancellation: PaintingCancellation
    ) {
        let isPlaced = [matrix.x0, matrix.y0].allSatisfy { abs($0 - $0.rounded()) < 1e-6 }
        guard Self.gains(from: [matrix.xx, matrix.yy], isPlaced: isPlaced) else { return nil }
        self.bitmap = bitmap
        self.level = level
        self.means = means
        self.kernel = kernel
        self.cancellation = cancellation
        columns = Taps(step: matrix.xx, origin: matrix.x0, for: seen.x..<seen.maxX)
        rows = Taps(step: matrix.yy, origin: matrix.y0, for: seen.y..<seen.maxY)
    }

    /// Whether there is anything to gain where device pixels are so many of the level's, along each axis.
    ///
    /// `isPlaced` says that they begin where the level's do.
    static func gains(from steps: [Double], isPlaced: Bool) -> Bool {
        steps.allSatisfy { (1 / mostEnlarged...mostReduced).contains($0) }
            && !(isPlaced && steps.allSatisfy { abs($0 - 1) < 1e-6 })
    }

    /// Replaces `part` of the canvas, which lies in what was seen; what it holds is of no use when it
    /// was cancelled meanwhile.
    func paint(_ part: PixelRect, into canvas: Canvas) {
        guard let base = bitmap.memory.bytes.baseAddress else { return }
        var source = cpainting_source(
            pixels: base.assumingMemoryBound(to: UInt8.self) + level.offset, stride: level.stride,
            width: Int32(clamping: level.size.width), height: Int32(clamping: level.size.height))
        columns.withTables { columns in
            rows.withTables { rows in
                var (columns, rows) = (columns, rows)
                let result = cpainting_sharp(
                    &source, &columns, &rows, means == .light ? 1 : 0,
                    canvas.memory.assumingMemoryBound(to: UInt8.self), canvas.stride,
                    Int32(part.x), Int32(part.maxX), Int32(part.y), Int32(part.maxY),
                    cancellation.flag, kernel.choice)
                if result < 0 { cancellation.lackMemory() }
            }
        }
    }
}

/// What of a source each pixel of one axis of a target is made of.
struct Taps: Sendable {
    private let begin: Int
    /// Source pixels go by twos, since processors multiply so.
    private let pairs: Int
    private let first: [Int32]
    private let weights: [Int16]
    /// What the weights of a target pixel add up to.
    private static let one = 1 << 14

    /// The middle of device pixel k is `origin` + (k + 1/2) · `step` source pixels from the border.
    init(step: Double, origin: Double, for range: Range<Int>) {
        let reach = step > 1 ? Double(Lanczos.lobes) * step : 2
        let taps = Int(2 * reach) + 1
        // One more where they begin in the middle of a pair.
        let pairs = taps / 2 + 1
        let lanczos = step > 1 ? Lanczos(width: step) : nil
        var first: [Int32] = []
        first.reserveCapacity(range.count)
        var weights = [Int16](repeating: 0, count: range.count * pairs * 2)
        var values = [Double](repeating: 0, count: taps)
        for (number, index) in range.enumerated() {
            let place = origin + (Double(index) + 0.5) * step - 0.5
            let start = (place - reach).rounded(.up)
            let source = Int32(clamping: Int(start))
            let isOdd = source & 1 != 0
            first.append(source & ~1)
            if let lanczos {
                lanczos.fill(&values, from: start - place)
            } else {
                for tap in 0..<taps { values[tap] = Self.catmullRom(start + Double(tap) - place) }
            }
            Self.round(values, into: &weights, from: number * pairs * 2 + (isOdd ? 1 : 0))
        }
        begin = range.lowerBound
        self.pairs = pairs
        self.first = first
        self.weights = weights
    }

    /// As parts of `one`, which they add up to: what is even stays so.
    private static func round(
        _ values: [Double], into weights: inout [Int16], from start: Int
    ) {
        let sum = values.reduce(0, +)
        var (rest, largest) = (one, start)
        for (tap, value) in values.enumerated() {
            let (index, weight) = (start + tap, (value / sum * Double(one)).rounded())
            weights[index] = Int16(weight)
            rest -= Int(weight)
            if weights[index] > weights[largest] { largest = index }
        }
        weights[largest] += Int16(rest)
    }

    func withTables(_ body: (cpainting_taps) -> Void) {
        first.withUnsafeBufferPointer { first in
            weights.withUnsafeBufferPointer { weights in
                body(
                    cpainting_taps(
                        begin: Int32(begin), pairs: Int32(pairs), first: first.baseAddress,
                        weights: weights.baseAddress))
            }
        }
    }

    private static func catmullRom(_ x: Double) -> Double {
        let x = abs(x)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }
}

/// Lanczos' window, as many source pixels wide a lobe.
///
/// Its sines are those of places that lie evenly, so that each comes of the one before by a turn: two
/// multiplications instead of a sine, of which a frame would need a hundred thousand.
private struct Lanczos {
    static let lobes = 3
    private let width: Double
    /// By how far the angles of the two sines grow from one source pixel to the next.
    private let fast, slow: Turn

    /// An angle, as where it points.
    private struct Turn {
        var sine, cosine: Double

        init(_ angle: Double) { (sine, cosine) = (sin(angle), cos(angle)) }

        mutating func turn(by other: Turn) {
            (sine, cosine) = (
                sine * other.cosine + cosine * other.sine,
                cosine * other.cosine - sine * other.sine
            )
        }
    }

    init(width: Double) {
        self.width = width
        fast = Turn(.pi / width)
        slow = Turn(.pi / width / Double(Self.lobes))
    }

    /// The values of source pixels that follow each other, the first `distance` from the middle.
    func fill(_ values: inout [Double], from distance: Double) {
        let lobes = Double(Self.lobes)
        var angle = .pi * distance / width
        var (outer, inner) = (Turn(angle), Turn(angle / lobes))
        for index in values.indices {
            values[index] =
                abs(angle) >= .pi * lobes
                ? 0
                : abs(angle) > 1e-9 ? lobes * outer.sine * inner.sine / (angle * angle) : 1
            outer.turn(by: fast)
            inner.turn(by: slow)
            angle = .pi * (distance + Double(index + 1)) / width
        }
    }
}
