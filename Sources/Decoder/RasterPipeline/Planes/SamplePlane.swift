import Geometry
import ImageTypes

/// Rows of one plane in memory: luma samples of one byte, or pairs of Cb and Cr.
struct SamplePlane {
    /// Row `top`.
    var base: UnsafeMutablePointer<UInt8>
    var top = 0
    /// Bytes from one row to the next.
    var stride: Int
    /// Of the whole plane, in samples.
    var size: PixelSize
    /// 1 or 2.
    var sampleBytes: Int

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + (y - top) * stride }

    // MARK: Reduction

    /// Computes `rows` of this plane from a finer one: means of two or four samples.
    func reduce(_ rows: Range<Int>, from fine: SamplePlane) {
        let halvesRows = fine.size.height > size.height
        for y in rows {
            let upper = fine.row(halvesRows ? 2 * y : y)
            let lower = halvesRows ? fine.row(min(2 * y + 1, fine.size.height - 1)) : upper
            switch (fine.size.width > size.width, sampleBytes) {
            case (false, _): meanRow(upper, lower, to: row(y), count: size.width * sampleBytes)
            case (true, 1): halfRow(upper, lower, to: row(y), width: fine.size.width)
            case (true, _): halfPairs(upper, lower, to: row(y), width: fine.size.width)
            }
        }
    }

    /// The means of two rows.
    private func meanRow(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
        to target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count {
            target[x] = UInt8(truncatingIfNeeded: (UInt16(upper[x]) &+ UInt16(lower[x]) &+ 1) &>> 1)
        }
    }

    /// The means of two rows and of two neighbours, `width` samples of one byte.
    private func halfRow(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
        to target: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        let (even, round) = (SIMD16<UInt16>(repeating: 255), SIMD16<UInt16>(repeating: 2))
        var x = 0
        while x + 16 <= width / 2 {
            let a = UnsafeRawPointer(upper + 2 * x).loadUnaligned(as: SIMD16<UInt16>.self)
            let b = UnsafeRawPointer(lower + 2 * x).loadUnaligned(as: SIMD16<UInt16>.self)
            let sum = (a & even) &+ (a &>> 8) &+ (b & even) &+ (b &>> 8) &+ round
            UnsafeMutableRawPointer(target + x).storeBytes(
                of: SIMD16<UInt8>(truncatingIfNeeded: sum &>> 2), as: SIMD16<UInt8>.self)
            x += 16
        }
        while x < size.width {
            let right = min(2 * x + 1, width - 1)
            target[x] = Self.mean(upper[2 * x], upper[right], lower[2 * x], lower[right])
            x += 1
        }
    }

    /// The same for `width` pairs.
    private func halfPairs(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
        to target: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        let (mask, round) = (
            SIMD8<UInt32>(repeating: 0x00FF_00FF), SIMD8<UInt32>(repeating: 0x0002_0002)
        )
        var x = 0
        // Words of two pairs: Cb and Cr of the left one, then of the right one.
        while x + 8 <= width / 2 {
            let a = UnsafeRawPointer(upper + 4 * x).loadUnaligned(as: SIMD8<UInt32>.self)
            let b = UnsafeRawPointer(lower + 4 * x).loadUnaligned(as: SIMD8<UInt32>.self)
            // Left in the lower half of each word, right in the upper one.
            let blue = (a & mask) &+ (b & mask)
            let red = (a &>> 8 & mask) &+ (b &>> 8 & mask)
            let both = (blue &+ blue &>> 16 &+ round) &>> 2 & 255
            let other = (red &+ red &>> 16 &+ round) &>> 2 & 255
            UnsafeMutableRawPointer(target + 2 * x).storeBytes(
                of: SIMD8<UInt16>(truncatingIfNeeded: both | other &<< 8),
                as: SIMD8<UInt16>.self)
            x += 8
        }
        while x < size.width {
            let right = min(2 * x + 1, width - 1)
            for byte in 0..<2 {
                target[2 * x + byte] = Self.mean(
                    upper[4 * x + byte], upper[2 * right + byte], lower[4 * x + byte],
                    lower[2 * right + byte])
            }
            x += 1
        }
    }

    /// Rounded to nearest.
    private static func mean(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt8 {
        UInt8((Int(a) + Int(b) + Int(c) + Int(d) + 2) / 4)
    }

    // MARK: Orientation

    /// Writes `count` rows as stored, the first of which is row `y`, to their upright positions.
    func write(
        _ rows: [UnsafeMutablePointer<UInt8>], count: Int, from y: Int, _ orientation: Orientation
    ) {
        let stored = orientation.upright(size)
        if sampleBytes == 1 {
            write(rows.prefix(count), UInt8.self, from: y, of: stored, orientation)
        } else {
            write(rows.prefix(count), UInt16.self, from: y, of: stored, orientation)
        }
    }

    private func write<Sample>(
        _ rows: ArraySlice<UnsafeMutablePointer<UInt8>>, _: Sample.Type, from y: Int,
        of stored: PixelSize, _ orientation: Orientation
    ) {
        func samples(_ row: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<Sample> {
            UnsafeMutableRawPointer(row).assumingMemoryBound(to: Sample.self)
        }
        if orientation.isTransposed {
            for x in 0..<stored.width {
                let target = samples(row(orientation.mirrorsRows ? stored.width - 1 - x : x))
                for (index, source) in rows.enumerated() {
                    let column = y + index
                    target[orientation.mirrorsColumns ? stored.height - 1 - column : column] =
                        samples(source)[x]
                }
            }
            return
        }
        for (index, source) in rows.enumerated() {
            let target = samples(
                row(orientation.mirrorsRows ? stored.height - 1 - (y + index) : y + index))
            if orientation.mirrorsColumns {
                for x in 0..<stored.width { target[stored.width - 1 - x] = samples(source)[x] }
            } else {
                target.update(from: samples(source), count: stored.width)
            }
        }
    }
}

extension Orientation {
    /// Whether rows as stored become columns.
    var isTransposed: Bool {
        switch self {
        case .transposed, .rotatedLeft, .transversed, .rotatedRight: true
        case .upright, .mirrored, .upsideDown, .mirroredUpsideDown: false
        }
    }

    /// Whether the upright picture's columns, or rows, are in the reverse of the order as stored.
    var mirrorsColumns: Bool {
        switch self {
        case .mirrored, .upsideDown, .rotatedLeft, .transversed: true
        case .upright, .mirroredUpsideDown, .transposed, .rotatedRight: false
        }
    }

    var mirrorsRows: Bool {
        switch self {
        case .upsideDown, .mirroredUpsideDown, .transversed, .rotatedRight: true
        case .upright, .mirrored, .transposed, .rotatedLeft: false
        }
    }
}

extension ChromaFormat {
    /// The format of an upright picture of `size` pixels, from that of the picture as stored.
    ///
    /// Chroma samples that were centred on their pixels stay there; if the size is no multiple, the incomplete
    /// sample may come first.
    func upright(_ orientation: Orientation, _ size: PixelSize) -> ChromaFormat {
        var format = self
        if orientation.isTransposed {
            format.columnShift = rowShift
            format.rowShift = columnShift
            format.left = top
            format.top = left
        }
        func mirrored(_ edge: Int, _ length: Int, _ shift: Int) -> Int {
            let covered = ((length + (1 << shift) - 1) >> shift) << shift
            return 2 * (length - covered) - edge
        }
        if orientation.mirrorsColumns {
            format.left = mirrored(format.left, size.width, format.columnShift)
        }
        if orientation.mirrorsRows {
            format.top = mirrored(format.top, size.height, format.rowShift)
        }
        return format
    }
}
