import CMath

/// A width and a height in logical pixels, or in any other real-valued space.
package struct Size: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    package static let zero = Size(width: 0, height: 0)

    package static func * (size: Size, factor: Double) -> Size {
        Size(width: size.width * factor, height: size.height * factor)
    }

    /// Width and height exchanged, as after a quarter turn.
    package var transposed: Size { Size(width: height, height: width) }
}

/// A width and a height in whole pixels, of a picture or of a buffer.
package struct PixelSize: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package static let zero = PixelSize(width: 0, height: 0)

    /// The size, in device pixels, of the buffer for a surface of `size` logical pixels.
    ///
    /// `scale` is device pixels per logical pixel. Sides are rounded half away from zero, as
    /// wp_fractional_scale_v1 requires, and clamped to 1…10⁹; NaN becomes 1.
    package init(covering size: Size, scale: Double) {
        func side(_ length: Double) -> Int {
            let pixels = (length * scale).rounded(.toNearestOrAwayFromZero)
            return max(1, Int(clamping: min(pixels, PixelRect.largestCoordinate)))
        }
        width = side(size.width)
        height = side(size.height)
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    package var longestSide: Int { max(width, height) }

    /// Whether the area is larger than `pixels`; cannot overflow.
    package func isLarger(than pixels: Int) -> Bool { height > 0 && width > pixels / height }

    /// Width and height exchanged, as after a quarter turn.
    package var transposed: PixelSize { PixelSize(width: height, height: width) }

    package var size: Size { Size(width: Double(width), height: Double(height)) }

    /// The size of mip level `mipLevel`, which is halved that often.
    ///
    /// Sides are rounded up, so that no edge pixel is lost.
    package func reduced(by mipLevel: Int) -> PixelSize {
        let round = (1 << mipLevel) - 1
        return PixelSize(
            width: max(1, (width + round) >> mipLevel), height: max(1, (height + round) >> mipLevel)
        )
    }
}
