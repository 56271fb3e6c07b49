package import Geometry
import Glibc
import WaylandProtocol
package import WaylandServer

/// A copy of a buffer's pixels.
package struct SurfacePixels: Sendable {
    package let size: PixelSize
    /// 0xAARRGGBB, or 0xXXRRGGBB with an undefined first byte, row by row.
    package let values: [UInt32]
    /// The defined bits of a pixel.
    private let mask: UInt32
    /// Whether pixels have 10 bits each of red, green and blue, red in the lowest ones.
    package let isDeep: Bool

    /// Whether the compositor has announced the buffer's format.
    static func canRead(_ buffer: ShmBuffer) -> Bool {
        switch buffer.format {
        case .argb8888, .xrgb8888, .xbgr2101010: true
        default: false
        }
    }

    /// Copies a buffer, or returns nil for a format that the compositor has not announced.
    package init?(_ buffer: ShmBuffer) {
        switch buffer.format {
        case .argb8888: mask = 0xFFFF_FFFF
        case .xrgb8888: mask = 0x00FF_FFFF
        case .xbgr2101010: mask = 0x3FFF_FFFF
        default: return nil
        }
        isDeep = buffer.format == .xbgr2101010
        let size = PixelSize(width: buffer.width, height: buffer.height)
        self.size = size
        let stride = buffer.stride
        values = buffer.withBytes { source in
            [UInt32](unsafeUninitializedCapacity: size.width * size.height) { values, count in
                guard let from = source.baseAddress, let to = values.baseAddress else { return }
                for y in 0..<size.height {
                    memcpy(to + y * size.width, from + y * stride, size.width * 4)
                }
                count = size.width * size.height
            }
        }
    }

    /// Red, green and blue of a pixel, in 8 bits.
    package func color(_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int) {
        let word = values[y * size.width + x]
        return (Int(word >> 16 & 0xFF), Int(word >> 8 & 0xFF), Int(word & 0xFF))
    }

    /// The first row with a difference outside `damage`; nil for equal pixels or unequal sizes.
    package func rowOfDifference(
        from other: SurfacePixels, outside damage: [PixelRect] = []
    ) -> Int? {
        guard size == other.size, isDeep == other.isDeep else { return nil }
        return values.withUnsafeBufferPointer { mine in
            other.values.withUnsafeBufferPointer { theirs in
                (0..<size.height).first { y in
                    uncovered(row: y, by: damage).contains { columns in
                        let start = y * size.width + columns.lowerBound
                        let end = start + columns.count
                        return differ(mine[start..<end], theirs[start..<end])
                    }
                }
            }
        }
    }

    private func differ(
        _ first: Slice<UnsafeBufferPointer<UInt32>>, _ second: Slice<UnsafeBufferPointer<UInt32>>
    ) -> Bool {
        let (first, second) = (
            UnsafeBufferPointer(rebasing: first), UnsafeBufferPointer(rebasing: second)
        )
        guard let left = first.baseAddress, let right = second.baseAddress,
            memcmp(left, right, first.count * 4) != 0
        else { return false }
        // The difference may be in undefined bits.
        return zip(first, second).contains { ($0 ^ $1) & mask != 0 }
    }

    /// The columns of a row that no damage rectangle covers.
    private func uncovered(row y: Int, by damage: [PixelRect]) -> [Range<Int>] {
        var remaining = [0..<size.width]
        for rect in damage where rect.y <= y && y < rect.maxY {
            remaining = remaining.flatMap { columns in
                [
                    columns.clamped(to: Int.min..<rect.x),
                    columns.clamped(to: rect.maxX..<Int.max),
                ].filter { !$0.isEmpty }
            }
        }
        return remaining
    }
}
