import CCairo
import CPainting
import Geometry
import Glibc
import ImageTypes
import Synchronization

/// The space in which a filter averages pixels.
package enum FilterSpace: Sendable {
    /// Linear light, by the transfer function of sRGB: correct, and needed for fine bright detail.
    case linear
    /// The encoded values as stored: usual in most programs; fine detail becomes darker.
    case encoded
}

/// Cancels a sharp paint from any thread, and records whether the paint ran out of memory.
///
/// `@unchecked Sendable`: the number behind the pointer is accessed only by atomic operations.
package final class PaintingCancellation: @unchecked Sendable {
    /// The flag that the C kernels poll.
    let flag: UnsafeMutablePointer<Int32>
    private let lack = Atomic(false)

    package init() {
        flag = .allocate(capacity: 1)
        flag.initialize(to: 0)
    }

    deinit { flag.deallocate() }

    /// Records that a region was not painted for lack of memory.
    func reportOutOfMemory() { lack.store(true, ordering: .relaxed) }
    var isOutOfMemory: Bool { lack.load(ordering: .relaxed) }

    package func cancel() { cpainting_raise(flag) }
    package var isCancelled: Bool { cpainting_is_raised(flag) != 0 }
}

/// High-quality resampling of an unrotated level into whole device pixels, for a frame at rest.
///
/// Reduction uses a Lanczos filter of three lobes, scaled to the device pixel (C. Duchon: Lanczos
/// filtering in one and two dimensions, 1979). Enlargement uses the cubic of Catmull and Rom
/// (1974), which rings less.
struct SharpResampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let filter: Filter
    /// Filters the chroma plane; nil if the picture is filtered as pixels.
    private let chromaFilter: Filter?
    private let filterSpace: FilterSpace
    private let kernel: PaintingKernel
    private let cancellation: PaintingCancellation

    /// At larger enlargements the filter looks no better than bilinear interpolation.
    private static let maximumEnlargement = 4.0
    /// More than the factor between two levels; at larger reductions the filter averages too many
    /// pixels.
    private static let maximumReduction = 4.0

    /// `matrix` maps device pixels to level pixels; only device pixels inside `visible` can be
    /// painted.
    ///
    /// Nil if bilinear interpolation looks as good at rest.
    init?(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t,
        for visible: PixelRect,
        _ filterSpace: FilterSpace, _ kernel: PaintingKernel,
        until cancellation: PaintingCancellation
    ) {
        let isPlaced = [matrix.x0, matrix.y0].allSatisfy { abs($0 - $0.rounded()) < 1e-6 }
        guard Self.gains(from: [matrix.xx, matrix.yy], isPlaced: isPlaced) else { return nil }
        self.bitmap = bitmap
        self.level = level
        self.filterSpace = filterSpace
        self.kernel = kernel
        self.cancellation = cancellation
        let columns = cpainting_axis(step: matrix.xx, origin: matrix.x0)
        let rows = cpainting_axis(step: matrix.yy, origin: matrix.y0)
        filter = Filter(columns, rows, for: visible)
        chromaFilter = cpainting_planes(level, of: bitmap).flatMap { planes in
            let siting = planes.siting
            // Chroma with as many samples as luma has detail that only pixels keep in linear light.
            guard siting.column_scale < 1 || siting.row_scale < 1 else { return nil }
            return Filter(
                columns.scaled(by: siting.column_scale, edge: siting.column_edge),
                rows.scaled(by: siting.row_scale, edge: siting.row_edge), for: visible)
        }
    }

    /// Whether the filter gains anything over bilinear interpolation.
    ///
    /// `steps` are level pixels per device pixel along each axis. `isPlaced` says that device
    /// pixels begin at the boundaries of level pixels.
    static func gains(from steps: [Double], isPlaced: Bool) -> Bool {
        steps.allSatisfy { (1 / maximumEnlargement...maximumReduction).contains($0) }
            && !(isPlaced && steps.allSatisfy { abs($0 - 1) < 1e-6 })
    }

    /// Replaces `region` of the canvas, which must lie inside the visible rectangle.
    ///
    /// The contents of `region` are invalid if the paint was cancelled meanwhile.
    func paint(_ region: PixelRect, into canvas: Canvas) {
        if var source = cpainting_source(level, of: bitmap) {
            paint(region, into: canvas, from: &source, filter)
        } else if let chromaFilter, var planes = cpainting_planes(level, of: bitmap) {
            paint(region, into: canvas, from: &planes, chromaFilter)
        } else {
            paintPlanes(region, into: canvas)
        }
    }

    /// Filters each plane, and makes pixels of the results.
    ///
    /// Chroma is filtered at its own resolution in encoded values: pictures with fewer samples of chroma have
    /// lost the detail that linear light would keep, and interpolating those samples first would blur them.
    private func paint(
        _ region: PixelRect, into canvas: Canvas, from planes: inout cpainting_planes,
        _ chromaFilter: Filter
    ) {
        filter.withTables { luma in
            chromaFilter.withTables { chroma in
                refine(region, of: canvas) { refinement in
                    cpainting_sharp_planar(&planes, luma, chroma, refinement)
                }
            }
        }
    }

    /// Target columns whose source pixels are made together: a multiple of the tiles of the kernel, and few
    /// enough for the pixels to stay in a processor's cache.
    private static let madeColumns = 288

    /// Makes pixels of what `region` needs of the planes, some columns after others.
    private func paintPlanes(_ region: PixelRect, into canvas: Canvas) {
        let down = filter.rows.range(for: region.y..<region.maxY, in: level.size.height)
        var moved = filter
        moved.rows = filter.rows.moved(by: down.lowerBound)
        for x in stride(from: region.x, to: region.maxX, by: Self.madeColumns) {
            let end = min(x + Self.madeColumns, region.maxX)
            let across = filter.columns.range(for: x..<end, in: level.size.width)
            let used = PixelRect(
                x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
            let part = PixelRect(x: x, y: region.y, width: end - x, height: region.height)
            moved.columns = filter.columns.moved(by: used.x)
            let isMade = bitmap.withPixels(in: used, of: level, kernel) { pixels in
                var source = cpainting_source(
                    pixels: pixels.row(0).assumingMemoryBound(to: UInt8.self),
                    stride: pixels.stride, width: Int32(clamping: used.width),
                    height: Int32(clamping: used.height))
                paint(part, into: canvas, from: &source, moved)
            }
            if !isMade { cancellation.reportOutOfMemory() }
        }
    }

    private func paint(
        _ region: PixelRect, into canvas: Canvas, from source: inout cpainting_source,
        _ filter: Filter
    ) {
        filter.withTables { filter in
            refine(region, of: canvas) { cpainting_sharp(&source, filter, $0) }
        }
    }

    private func refine(
        _ region: PixelRect, of canvas: Canvas,
        _ body: (UnsafePointer<cpainting_refinement>) -> Int32
    ) {
        let refinement = cpainting_refinement(
            target: canvas.memory.assumingMemoryBound(to: UInt8.self), stride: canvas.stride,
            x: Int32(region.x), end: Int32(region.maxX), top: Int32(region.y),
            bottom: Int32(region.maxY), is_linear_light: filterSpace == .linear ? 1 : 0,
            flag: cancellation.flag, kernel: kernel.choice)
        let result = withUnsafePointer(to: refinement) { body($0) }
        if result < 0 { cancellation.reportOutOfMemory() }
    }
}

extension cpainting_axis {
    /// The same axis of a plane in which a position is at `scale` · position − `edge`.
    fileprivate func scaled(by scale: Double, edge: Double) -> cpainting_axis {
        cpainting_axis(step: step * scale, origin: origin * scale - edge)
    }
}

/// The filters of both axes of a plane.
private struct Filter: Sendable {
    var columns, rows: Taps

    init(_ columns: cpainting_axis, _ rows: cpainting_axis, for visible: PixelRect) {
        self.columns = Taps(columns, for: visible.x..<visible.maxX)
        self.rows = Taps(rows, for: visible.y..<visible.maxY)
    }

    func withTables(_ body: (UnsafePointer<cpainting_filter>) -> Void) {
        columns.withTables { columns in
            rows.withTables { rows in
                withUnsafePointer(to: cpainting_filter(columns: columns, rows: rows)) { body($0) }
            }
        }
    }
}

/// The filter taps of each target pixel along one axis.
private struct Taps: Sendable {
    private let begin: Int
    /// The number of pairs of source pixels per target pixel: SIMD instructions multiply and add
    /// pairs.
    private let pairs: Int
    private var first: [Int32]
    private let weights: [Int16]
    /// The fixed-point 1: the sum of the weights of a target pixel.
    private static let one = 1 << 14

    /// `axis` maps device pixels, of which the taps are for those in `range`, to source pixels.
    init(_ axis: cpainting_axis, for range: Range<Int>) {
        let (step, origin) = (axis.step, axis.origin)
        let reach = step > 1 ? Double(Lanczos.lobes) * step : 2
        let taps = Int(clamping: 2 * reach) + 1
        let lanczos = step > 1 ? Lanczos(width: step) : nil
        let isShortened = lanczos?.canLeaveOutOne(of: taps) ?? false
        // One more pair, for taps that begin with the second pixel of a pair.
        let pairs = (isShortened ? taps - 1 : taps) / 2 + 1
        var first: [Int32] = []
        first.reserveCapacity(range.count)
        var weights = [Int16](repeating: 0, count: range.count * pairs * 2)
        var values = [Double](repeating: 0, count: taps)
        for (number, index) in range.enumerated() {
            let center = origin + (Double(index) + 0.5) * step - 0.5
            let start = (center - reach).rounded(.up)
            var source = Int32(clamping: start)
            if let lanczos {
                lanczos.fill(&values, from: start - center)
            } else {
                for tap in 0..<taps { values[tap] = Self.catmullRom(start + Double(tap) - center) }
            }
            var kept = 0..<taps
            if isShortened, source & 1 != 0 {
                kept = Self.leaveOutOne(of: &values)
                source += Int32(kept.lowerBound)
            }
            first.append(source & ~1)
            let place = number * pairs * 2 + Int(source & 1)
            Self.round(values[kept], into: &weights, from: place)
        }
        begin = range.lowerBound
        self.pairs = pairs
        self.first = first
        self.weights = weights
    }

    /// Adds the smaller one of the outermost values to its neighbour; returns the range of the other values.
    private static func leaveOutOne(of values: inout [Double]) -> Range<Int> {
        let last = values.count - 1
        if abs(values[0]) < abs(values[last]) {
            values[1] += values[0]
            return 1..<values.count
        }
        values[last - 1] += values[last]
        return 0..<last
    }

    /// Rounds the values to fixed-point weights with the sum `one`, so that areas of one colour do
    /// not change.
    private static func round(
        _ values: ArraySlice<Double>, into weights: inout [Int16], from start: Int
    ) {
        let sum = values.reduce(0, +)
        var (remainder, largest) = (one, start)
        for (index, value) in zip(start..., values) {
            let weight = (value / sum * Double(one)).rounded()
            weights[index] = Int16(clamping: Int(clamping: weight))
            remainder -= Int(weights[index])
            if weights[index] > weights[largest] { largest = index }
        }
        weights[largest] += Int16(clamping: remainder)
    }

    /// The source pixels inside 0..<`length` that a range of target pixels needs, from an even one on.
    ///
    /// Source pixels outside repeat the outermost pixel, which is always part of the range.
    func range(for targets: Range<Int>, in length: Int) -> Range<Int> {
        let used = first[(targets.lowerBound - begin)..<(targets.upperBound - begin)]
        let start = min(max(Int(used.min() ?? 0), 0), (length - 1) & ~1)
        let end = min(Int(used.max() ?? 0) + 2 * pairs, length)
        return start..<max(end, start + 1)
    }

    /// The same taps, for a source without its first `offset` pixels, which are an even number.
    func moved(by offset: Int) -> Taps {
        var taps = self
        for index in taps.first.indices { taps.first[index] -= Int32(clamping: offset) }
        return taps
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

/// The Lanczos kernel, with lobes of `width` source pixels.
///
/// The source pixels are evenly spaced, so each sine is computed from the previous one by a
/// rotation: two multiplications instead of a sine, of which a frame would need a hundred thousand.
private struct Lanczos {
    static let lobes = 3
    private let width: Double
    /// The increments of the angles of both sines from one source pixel to the next.
    private let fast, slow: Phasor

    /// An angle as a unit vector.
    private struct Phasor {
        var sine, cosine: Double

        init(_ angle: Double) { (sine, cosine) = (sin(angle), cos(angle)) }

        mutating func rotate(by other: Phasor) {
            (sine, cosine) = (
                sine * other.cosine + cosine * other.sine,
                cosine * other.cosine - sine * other.sine
            )
        }
    }

    init(width: Double) {
        self.width = width
        fast = Phasor(.pi / width)
        slow = Phasor(.pi / width / Double(Self.lobes))
    }

    /// Whether leaving out the smaller outer one of `taps` taps saves a pair of source pixels: taps that begin with
    /// the second pixel of a pair then need no more pairs than others.
    ///
    /// The weight left out is less than 1/256: beside an edge between black and white, one step of 255 in encoded
    /// values, and up to 13 steps in linear light, where the filter rings more than that.
    func canLeaveOutOne(of taps: Int) -> Bool {
        // The further tap is at least this far from the middle, and the smaller weight is not above its weight.
        let angle = .pi * Double(taps - 1) / 2 / width
        let inner = angle / Double(Self.lobes)
        return taps.isMultiple(of: 2)
            && abs(sin(angle) * sin(inner) / (angle * inner)) / width < 1.0 / 256
    }

    /// Fills in the values of consecutive source pixels, the first at `distance` source pixels from
    /// the middle.
    func fill(_ values: inout [Double], from distance: Double) {
        let lobes = Double(Self.lobes)
        var angle = .pi * distance / width
        var (outer, inner) = (Phasor(angle), Phasor(angle / lobes))
        for index in values.indices {
            values[index] =
                abs(angle) >= .pi * lobes
                ? 0
                : abs(angle) > 1e-9 ? lobes * outer.sine * inner.sine / (angle * angle) : 1
            outer.rotate(by: fast)
            inner.rotate(by: slow)
            angle = .pi * (distance + Double(index + 1)) / width
        }
    }
}
