package import Geometry
package import ImageTypes
import SceneModel

/// The three-quarter level of a picture: halfway between two of its levels, for frames in motion.
///
/// A frame samples from the nearest level at or above the size shown. Just above a zoom of 1/2 that
/// level has almost four source pixels per output pixel, more than memory bandwidth allows in a
/// frame period. The three-quarter level has two, and bilinear interpolation skips none of them.
///
/// All inputs are values, so that a background thread can make the level.
package struct ThreeQuarterLevel: Sendable {
    private let bitmap: Bitmap
    private let filterSpace: FilterSpace
    private let mipLevel: Int
    private let size: PixelSize

    /// Chooses the finest three-quarter level of at most `most` bytes.
    ///
    /// Nil if the picture covers at most `minimumVisiblePixels` device pixels of the surface at the zooms
    /// that the level is for, since every frame is then on time without it. Nil also if the bitmap
    /// lacks full resolution or is not opaque.
    package init?(
        of bitmap: Bitmap, on surface: PixelSize, filterSpace: FilterSpace,
        most: Int = 128 << 20,
        minimumVisiblePixels: Int = 1 << 20
    ) {
        // Each level with the next coarser one.
        let pairs = zip(bitmap.levels, bitmap.levels.dropFirst())
        guard bitmap.format == .rgb24, bitmap.levels[0].mipLevel == 0,
            let (_, coarser) = pairs.first(where: { finer, coarser in
                coarser.mipLevel == finer.mipLevel + 1
                    && Self.size(of: bitmap.size, mipLevel: coarser.mipLevel).bytes <= most
            })
        else { return nil }
        // At the smallest of those zooms, upright and rotated by a right angle.
        let shown = [coarser.size, coarser.size.transposed].map { size in
            min(size.width, surface.width) * min(size.height, surface.height)
        }
        guard shown.contains(where: { $0 > minimumVisiblePixels }) else { return nil }
        self.bitmap = bitmap
        self.filterSpace = filterSpace
        mipLevel = coarser.mipLevel
        size = Self.size(of: bitmap.size, mipLevel: mipLevel)
    }

    /// Rounded down to whole pixels: at the far edges less than two picture pixels are cut off.
    private static func size(of picture: PixelSize, mipLevel: Int) -> PixelSize {
        PixelSize(
            width: max(1, (picture.width * 3) >> (mipLevel + 1)),
            height: max(1, (picture.height * 3) >> (mipLevel + 1)))
    }

    /// Paints the level; nil if cancelled or out of memory.
    package func make(
        concurrently: Painter.Concurrency, until cancellation: PaintingCancellation
    ) -> Bitmap? {
        guard let memory = OwnedPixels(size: size) else { return nil }
        var level = memory.level(mipLevel: mipLevel)
        level.isThreeQuarter = true
        let whole = bitmap.size
        let item = PictureItem(
            source: .init(picture: 0, revision: 0), size: whole,
            placement: Placement(
                center: Point(
                    x: Double(whole.width) / 2 * level.scale,
                    y: Double(whole.height) / 2 * level.scale), zoom: level.scale))
        let isWhole = Painter().paintSharp(
            Scene(size: size.size, scale: 1, backdrop: 1, items: [.picture(item)]),
            into: memory.canvas, filterSpace: filterSpace, bitmap: { _ in bitmap },
            concurrently: concurrently, until: cancellation)
        guard isWhole else { return nil }
        return Bitmap(size: whole, format: .rgb24, levels: [level], memory: memory)
    }
}

extension PixelSize {
    fileprivate var bytes: Int { width * height * 4 }
}
