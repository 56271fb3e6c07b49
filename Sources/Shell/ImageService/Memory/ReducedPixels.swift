package import Geometry
import Glibc
package import ImageTypes
import Threads

/// Memory of its own with a copy of the coarse mip levels of a picture.
///
/// Not on the heap, which would keep the memory of threads that have ended. `@unchecked Sendable`: the memory is
/// written by the initializer alone, and unmapped with the last reference.
private final class ReducedPixels: PixelMemory, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let length: Int

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    /// Nil without memory for the copy, and for nothing to copy.
    init?(copying source: UnsafeRawBufferPointer) {
        guard let start = source.baseAddress,
            let base = mmap(
                nil, source.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != MAP_FAILED
        else { return nil }
        (self.base, length) = (base, source.count)
        memcpy(base, start, length)
    }

    deinit { Thread.unmap(base, length) }
}

extension Bitmap {
    /// A copy of the mip levels that fit into `size`; nil if there are no finer ones, or no memory.
    package func reduced(to size: PixelSize) -> Bitmap? {
        let fits = levels.firstIndex {
            $0.size.width <= size.width && $0.size.height <= size.height
        }
        return (fits ?? levels.indices.last).flatMap { copy(from: $0) }
    }

    /// A copy of the mip levels from the coarsest one on whose longest side has at least `side` pixels; nil
    /// if there are no finer ones, or no memory.
    package func reduced(covering side: Int) -> Bitmap? {
        levels.lastIndex { $0.size.longestSide >= side }.flatMap { copy(from: $0) }
    }

    /// A copy of the mip levels that show the picture as large as it fits into `target`; nil if there are no
    /// finer ones, or no memory.
    package func reduced(fitting target: PixelSize) -> Bitmap? {
        copy(from: Self.index(fitting: target, in: levels, of: size))
    }

    /// A copy of the mip levels from number `first` on; nil if these are all, and without memory.
    private func copy(from first: Int) -> Bitmap? {
        guard first > 0 else { return nil }
        let kept = levels[first...]
        // A chroma plane of a finer level, which lies before these levels, may be shared with them.
        let start = kept.map { min($0.offset, $0.chroma?.offset ?? .max) }.min() ?? 0
        let end = kept.map(\.end).max() ?? 0
        guard
            let copy = ReducedPixels(
                copying: UnsafeRawBufferPointer(rebasing: memory.bytes[start..<end]))
        else { return nil }
        return Bitmap(
            size: self.size, format: format, chroma: chroma,
            levels: kept.map {
                var level = $0
                level.offset -= start
                level.chroma?.offset -= start
                return level
            }, memory: copy)
    }
}
