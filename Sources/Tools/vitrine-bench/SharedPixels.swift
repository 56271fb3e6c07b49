import CLinux
import Geometry
import Glibc
import ImageTypes
import ImageWire
import SystemCalls

/// Memory for pixels as frames and decoded pictures use it: a memfd with all pages present.
///
/// `@unchecked Sendable`: base and length never change. A bench writes and reads the memory in
/// steps, one after another, and the threads of one step write disjoint rows.
final class SharedPixels: PixelMemory, @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let length: Int
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }
    var mutableBytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: length)
    }

    /// Traps if there is no memory, since nothing can be measured then.
    init(length: Int) {
        self.length = length
        do throws(SystemError) {
            let descriptor = try reporting { clinux_memfd_create("vitrine-bench") }
            defer { close(descriptor) }
            try reporting { ftruncate(descriptor, length) }
            base = try mapShared(descriptor, length: length)
        } catch { fatalError("no memory for pixels: \(error)") }
        memset(base, 0x55, length)
    }

    deinit { munmap(base, length) }
}

extension Bitmap {
    /// A picture of noise with all its levels.
    ///
    /// The levels are independent noise, since pixel values do not affect the duration.
    static func noise(_ size: PixelSize, format: PixelFormat = .rgb24) -> Bitmap {
        var levels: [Level] = []
        var length = 0
        var mipLevel = 0
        repeat {
            let levelSize = size.reduced(by: mipLevel)
            let stride = Bitmap.Level.stride(ofWidth: levelSize.width)
            levels.append(
                Level(mipLevel: mipLevel, size: levelSize, stride: stride, offset: length))
            length += stride * levelSize.height
            mipLevel += 1
        } while levels.last.map { max($0.size.width, $0.size.height) > 256 } ?? false
        let memory = SharedPixels(length: length)
        let pixels = memory.mutableBytes.bindMemory(to: UInt32.self)
        var state: UInt32 = 1
        for index in pixels.indices {
            // The linear congruential generator of Numerical Recipes; the low bits are poor, the
            // high bits are good enough.
            state = state &* 1_664_525 &+ 1_013_904_223
            pixels[index] = 0xFF00_0000 | state >> 8
            // Random alpha of at least 0x80, and no colour brighter than alpha.
            if format == .argb32 { pixels[index] = state & 0xFF7F_7F7F | 0x8000_0000 }
        }
        return Bitmap(size: size, format: format, levels: levels, memory: memory)
    }

    /// A photograph of planes of noise, with half as many chroma samples along each axis, and all its
    /// levels.
    static func planes(
        _ size: PixelSize, _ format: ChromaFormat = ChromaFormat(columnShift: 1, rowShift: 1)
    ) -> Bitmap {
        let levels = PixelLayout.levels(of: size, chroma: format)
        let memory = SharedPixels(length: PixelLayout.end(of: levels))
        var state: UInt32 = 1
        for index in memory.mutableBytes.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            memory.mutableBytes[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
        return Bitmap(size: size, format: .planes, chroma: format, levels: levels, memory: memory)
    }
}
