import CLinux
import Geometry
import Glibc
import ImageTypes

/// Memory for pixels of the kind that frames and decoded pictures are in: a memfd, all of it present.
///
/// `@unchecked Sendable`: base and length never change; the pieces of work that a bench writes it in, and
/// reads it in, are done one after another, and the threads of one write rows of their own.
final class SharedPixels: PixelMemory, @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let length: Int
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }
    var mutableBytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: length)
    }

    /// Traps where there is no memory: then there is nothing to measure.
    init(length: Int) {
        self.length = length
        let descriptor = clinux_memfd_create("vitrine-bench")
        defer { close(descriptor) }
        guard descriptor >= 0, ftruncate(descriptor, length) == 0,
            let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else { fatalError("no memory for pixels: \(String(cString: strerror(errno)))") }
        self.base = base
        memset(base, 0x55, length)
    }

    deinit { munmap(base, length) }
}

extension Bitmap {
    /// A picture of noise with all its reductions, which are noise of their own: what is in a pixel
    /// makes no difference to how long it takes.
    static func noise(_ size: PixelSize, format: PixelFormat = .rgb24) -> Bitmap {
        var levels: [Level] = []
        var length = 0
        var exponent = 0
        repeat {
            let reduced = size.reduced(by: exponent)
            let stride = Bitmap.Level.stride(ofWidth: reduced.width)
            levels.append(
                Level(exponent: exponent, size: reduced, stride: stride, offset: length))
            length += stride * reduced.height
            exponent += 1
        } while levels.last.map { max($0.size.width, $0.size.height) > 256 } ?? false
        let memory = SharedPixels(length: length)
        let words = memory.mutableBytes.bindMemory(to: UInt32.self)
        var state: UInt32 = 1
        for index in words.indices {
            // Numerical Recipes' linear congruence; the low bits are poor, the high ones will do.
            state = state &* 1_664_525 &+ 1_013_904_223
            words[index] = 0xFF00_0000 | state >> 8
            // Alpha like noise, and no colour brighter than it.
            if format == .argb32 { words[index] = state & 0xFF7F_7F7F | 0x8000_0000 }
        }
        return Bitmap(size: size, format: format, levels: levels, memory: memory)
    }
}
