package import Geometry
package import ImageTypes

/// The pixels of a small upright picture in sRGB, in rows without gaps.
package struct UprightPixels {
    private let pixels: [UInt32]
    private let size: PixelSize
    private let format: PixelFormat

    /// `pixels` has `size.width * size.height` pixels of `format`, row by row.
    package init(_ pixels: [UInt32], _ size: PixelSize, _ format: PixelFormat) {
        (self.pixels, self.size, self.format) = (pixels, size, format)
    }

    /// Writes the pixels to sealed memory, in the screen's colours and with mip levels.
    ///
    /// `orientation` is the one that the memory reports. With `withSRGBCopy`, the memory contains
    /// the pixels in sRGB too. The caller owns the returned descriptor. Throws `.unreadable` without
    /// enough memory.
    package func seal(
        orientation: Orientation, withSRGBCopy: Bool
    ) throws(DecodeFailure) -> Int32 {
        let store = try PixelStore(size: size, from: 0, withSRGBCopy: withSRGBCopy)
        let converter = RowConverter(
            format == .rgb24 ? .bgrx8 : .premultipliedBGRA8, .standard)
        pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<size.height {
                let row = base + y * size.width
                converter.convert(
                    row, to: store.row(y, of: store.levels[0]), width: size.width, y: y)
                if let copy = store.sRGBCopy {
                    store.row(y, of: copy).update(from: row, count: size.width)
                }
            }
        }
        for (fine, coarse) in zip(store.levels, store.levels.dropFirst()) {
            Reduction.reduce(rows: 0..<coarse.size.height, of: coarse, from: fine, in: store)
        }
        return try store.seal(as: format, orientation: orientation)
    }
}
