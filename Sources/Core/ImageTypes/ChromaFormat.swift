package import Geometry

/// How the planes of a `.planes` bitmap are sampled, and how their samples become red, green and blue.
package struct ChromaFormat: Hashable, Sendable {
    /// The weights of red and blue in luma.
    package enum Matrix: UInt8, Hashable, Sendable, CaseIterable {
        /// ITU-R BT.601; that of JPEG.
        case bt601 = 0
        case bt709 = 1
        /// ITU-R BT.2020 with non-constant luminance.
        case bt2020 = 2

        package var red: Double { [0.299, 0.2126, 0.2627][Int(rawValue)] }
        package var blue: Double { [0.114, 0.0722, 0.0593][Int(rawValue)] }
    }

    package var matrix: Matrix
    /// Whether samples are 0 to 255, and not luma 16 to 235 and chroma 16 to 240.
    package var isFullRange: Bool
    /// Picture pixels per chroma sample along each axis, as powers of two, 0 to 2.
    package var columnShift, rowShift: Int
    /// The edges of the chroma planes, from those of the picture, in half picture pixels.
    ///
    /// 0 puts the first sample in the middle of the pixels that it stands for.
    package var left, top: Int

    package init(
        matrix: Matrix = .bt601, isFullRange: Bool = true, columnShift: Int, rowShift: Int,
        left: Int = 0, top: Int = 0
    ) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        (self.columnShift, self.rowShift, self.left, self.top) = (columnShift, rowShift, left, top)
    }

    package static let shifts = 0...2
    /// Planes of which only the luma counts: chroma has no colours, and as few samples as there can be.
    package static let gray = ChromaFormat(
        columnShift: shifts.upperBound, rowShift: shifts.upperBound)
    package var isGray: Bool { self == .gray }
    /// The largest distance of an edge, in half picture pixels.
    package static let edges = -6...6

    /// The chroma plane of mip level `mipLevel`: picture pixels per sample, as powers of two.
    ///
    /// A plane is reduced only where its level has as few samples: chroma of half the size serves levels
    /// 0 and 1.
    package func shifts(at mipLevel: Int) -> (column: Int, row: Int) {
        (max(columnShift, mipLevel), max(rowShift, mipLevel))
    }

    /// The size in samples of the chroma plane of mip level `mipLevel`, for a picture of `size` pixels.
    package func samples(of size: PixelSize, at mipLevel: Int) -> PixelSize {
        let shifts = shifts(at: mipLevel)
        return PixelSize(
            width: size.reduced(by: shifts.column).width,
            height: size.reduced(by: shifts.row).height)
    }
}
