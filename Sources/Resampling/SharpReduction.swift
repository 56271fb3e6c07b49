import CResampling
package import Geometry
package import Pictures

/// A part of a picture as it is seen at rest: reduced by a Lanczos-3 filter to just the pixels of the
/// screen that it covers.
package struct SharpReduction: Sendable {
    /// How pieces of the work are run: as `Painter.Concurrency`.
    package typealias Concurrency = (_ count: Int, _ piece: @Sendable (Int) -> Void) -> Void

    private let bitmap: Bitmap
    private let level: Bitmap.Level
    /// The part in pixels of the level.
    private let part: Rect
    /// What comes out, before it is turned.
    private let size: PixelSize
    private let quarterTurns: Int
    private let isLinear: Bool

    /// A level is reduced at least by this: less of its own filter is left to be seen then.
    private static let leastStep = 1.5
    /// Rows that are made between two looks at whether they are still wanted.
    private static let rowsAtOnce = 16

    /// Reduces `part` of the bitmap to `size` pixels, and then turns it clockwise.
    ///
    /// The part is in pixels of the whole picture; `isLinear` averages light instead of bytes. Nil where
    /// it is no reduction, or has pixels that let something through.
    package init?(
        _ bitmap: Bitmap, part: Rect, to size: PixelSize, quarterTurns: Int = 0, isLinear: Bool
    ) {
        guard bitmap.format == .rgb24, !size.isEmpty, part.width.isFinite, part.height.isFinite
        else { return nil }
        let steps = (part.width / Double(size.width), part.height / Double(size.height))
        let least = min(steps.0, steps.1)
        let level =
            bitmap.levels.last { least / Double(1 << $0.exponent) >= Self.leastStep }
            ?? bitmap.levels[0]
        let reduction = Double(1 << level.exponent)
        // Not to the last bit: a picture that is shown pixel by pixel is sharp.
        guard least / reduction > 1 + 1e-6, max(steps.0, steps.1) / reduction < 1000 else {
            return nil
        }
        self.bitmap = bitmap
        self.level = level
        self.part = Rect(
            x: part.x / reduction, y: part.y / reduction, width: part.width / reduction,
            height: part.height / reduction)
        self.size = size
        self.quarterTurns = quarterTurns & 3
        self.isLinear = isLinear
    }

    /// Makes it, in pieces of rows; nil when it was given up, or there is no memory for it.
    package func make(
        concurrently: Concurrency, isAbandoned: @escaping @Sendable () -> Bool
    ) -> Bitmap? {
        let out = quarterTurns.isMultiple(of: 2) ? size : size.transposed
        guard let memory = OwnPixels(length: out.width * out.height * 4) else { return nil }
        let across = LanczosAxis(
            count: size.width, start: part.x, step: part.width / Double(size.width),
            of: level.size.width)
        let down = LanczosAxis(
            count: size.height, start: part.y, step: part.height / Double(size.height),
            of: level.size.height)
        let pieces = (size.height + Self.rowsAtOnce - 1) / Self.rowsAtOnce
        concurrently(pieces) { piece in
            guard !isAbandoned() else { return }
            let first = piece * Self.rowsAtOnce
            makeRows(
                first..<min(first + Self.rowsAtOnce, size.height), across, down, in: memory, out)
        }
        guard !isAbandoned() else { return nil }
        let whole = Bitmap.Level(exponent: 0, size: out, stride: out.width * 4, offset: 0)
        return Bitmap(size: out, format: .rgb24, levels: [whole], memory: memory)
    }

    private func makeRows(
        _ rows: Range<Int>, _ across: LanczosAxis, _ down: LanczosAxis, in memory: OwnPixels,
        _ out: PixelSize
    ) {
        // Only the columns that count are summed up.
        let left = Int(across.first.first ?? 0)
        let width = Int(across.first.last ?? 0) + across.taps - left
        var own = across
        own.shift(by: left)
        guard let base = bitmap.memory.bytes.baseAddress else { return }
        let start = base + level.offset + left * 4
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width * 4) { line in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size.width) { result in
                own.withAxis { axis in
                    for y in rows {
                        reduceRow(y, down, start, width, axis, line, result)
                        put(result, y, in: memory, out)
                    }
                }
            }
        }
    }

    private func reduceRow(
        _ y: Int, _ down: LanczosAxis, _ start: UnsafeRawPointer, _ width: Int,
        _ axis: cresampling_axis, _ line: UnsafeMutableBufferPointer<Float>,
        _ result: UnsafeMutableBufferPointer<UInt32>
    ) {
        var axis = axis
        let first = start + Int(down.first[y]) * level.stride
        let sources = (0..<down.taps).map { row -> UnsafePointer<UInt8>? in
            (first + row * level.stride).assumingMemoryBound(to: UInt8.self)
        }
        down.weights.withUnsafeBufferPointer { weights in
            LinearLight.light.withUnsafeBufferPointer { light in
                LinearLight.bytes.withUnsafeBufferPointer { bytes in
                    cresampling_row(
                        sources, weights.baseAddress.map { $0 + y * down.taps }, Int32(down.taps),
                        width, &axis, result.count, isLinear ? light.baseAddress : nil,
                        bytes.baseAddress, Int32(LinearLight.steps), line.baseAddress,
                        result.baseAddress)
                }
            }
        }
    }

    /// Puts a row where it comes to lie when the whole is turned.
    private func put(
        _ row: UnsafeMutableBufferPointer<UInt32>, _ y: Int, in memory: OwnPixels, _ out: PixelSize
    ) {
        guard let source = row.baseAddress else { return }
        switch quarterTurns {
        case 0: memory.row(y, width: out.width).update(from: source, count: size.width)
        case 1:
            for x in 0..<size.width {
                memory.row(x, width: out.width)[size.height - 1 - y] = row[x]
            }
        case 2:
            let target = memory.row(size.height - 1 - y, width: out.width)
            for x in 0..<size.width { target[size.width - 1 - x] = row[x] }
        default:
            for x in 0..<size.width {
                memory.row(size.width - 1 - x, width: out.width)[y] = row[x]
            }
        }
    }
}
