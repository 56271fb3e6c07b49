package import Geometry
package import ImageTypes

/// Collects the rows of a small picture in memory, upright and in the screen's colours, until `seal`
/// completes the memory with mip levels and seals it.
package final class UprightPixels {
    private let store: PixelStore
    private let format: PixelFormat
    private let orientation: Orientation
    private let writer: OrientedWriter
    /// Writes the pixels in sRGB too; nil without a copy in sRGB.
    private let copyWriter: OrientedWriter?
    private let converter: RowConverter
    /// One converted row.
    private let row: UnsafeMutableBufferPointer<UInt32>
    private var y = 0

    /// Allocates the memory for a picture of `size`, in pixels after orientation.
    ///
    /// The memory reports `orientation`. With `withSRGBCopy`, it contains the pixels in sRGB too. Throws
    /// `.unreadable` without enough memory.
    package init(
        _ size: PixelSize, _ format: PixelFormat, _ orientation: Orientation, withSRGBCopy: Bool
    ) throws(DecodeFailure) {
        store = try PixelStore(size: size, from: 0, withSRGBCopy: withSRGBCopy)
        // All pages in one call, which takes less time than a page fault for each.
        store.prefault { true }
        (self.format, self.orientation) = (format, orientation)
        writer = OrientedWriter(store, orientation: orientation)
        copyWriter = store.sRGBCopy.map { [store] in
            OrientedWriter(store, $0, orientation: orientation)
        }
        converter = RowConverter(
            format == .rgb24 ? .bgrx8 : .premultipliedBGRA8, .standard)
        row = .allocate(capacity: orientation.upright(size).width)
    }

    deinit { row.deallocate() }

    /// Adds the next row as stored, from the top down, in sRGB.
    ///
    /// Each row has the stored width, and there are as many rows as the stored height.
    package func add(_ pixels: UnsafeBufferPointer<UInt32>) {
        precondition(pixels.count == row.count && y < orientation.upright(store.size).height)
        guard let source = pixels.baseAddress, let target = row.baseAddress else { return }
        converter.convert(source, to: target, width: row.count, y: y)
        writer.write([target], count: 1, from: y)
        if let copyWriter {
            target.update(from: source, count: row.count)
            copyWriter.write([target], count: 1, from: y)
        }
        y += 1
    }

    /// Seals the memory once all rows are added; the caller owns the returned descriptor.
    ///
    /// Call this once; nothing may be added afterwards.
    package func seal() throws(DecodeFailure) -> Int32 {
        for (fine, coarse) in zip(store.levels, store.levels.dropFirst()) {
            Reduction.reduce(rows: 0..<coarse.size.height, of: coarse, from: fine, in: store)
        }
        return try store.seal(as: format, orientation: orientation)
    }
}
