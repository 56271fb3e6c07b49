package import Geometry
package import ImageTypes
import SceneModel

/// A reduction of a whole picture in the middle between two of its levels, for frames in motion.
///
/// A frame reads from the nearest level at or above the size shown, just above a half of one nearly four
/// pixels for each of its own: more than memory gives in the time. From three quarters it is two, and
/// there are none between them that it does not look at.
///
/// All it needs are values, so that it can be made on a thread that nobody waits for.
package struct ThreeQuarterLevel: Sendable {
    private let bitmap: Bitmap
    private let means: FilterSpace
    private let exponent: Int
    private let size: PixelSize

    /// The finest that is not too large; nil where little of the surface is filled at the sizes that it
    /// is for, where the picture is not there in full, and where its pixels let something through.
    ///
    /// It has `most` bytes at most. Where no more than `fewestShown` device pixels are seen of a picture,
    /// every frame is on time without.
    package init?(
        of bitmap: Bitmap, on surface: PixelSize, filterSpace means: FilterSpace,
        most: Int = 128 << 20,
        fewestShown: Int = 1 << 20
    ) {
        // Between a level and the next one.
        let pairs = zip(bitmap.levels, bitmap.levels.dropFirst())
        guard bitmap.format == .rgb24, bitmap.levels[0].exponent == 0,
            let (_, coarser) = pairs.first(where: { finer, coarser in
                coarser.exponent == finer.exponent + 1
                    && Self.size(of: bitmap.size, exponent: coarser.exponent).bytes <= most
            })
        else { return nil }
        // At the least of those sizes, upright and turned.
        let shown = [coarser.size, coarser.size.transposed].map { size in
            min(size.width, surface.width) * min(size.height, surface.height)
        }
        guard shown.contains(where: { $0 > fewestShown }) else { return nil }
        self.bitmap = bitmap
        self.means = means
        exponent = coarser.exponent
        size = Self.size(of: bitmap.size, exponent: exponent)
    }

    /// Whole pixels only: what is cut off at the far edges is less than two of the picture's.
    private static func size(of picture: PixelSize, exponent: Int) -> PixelSize {
        PixelSize(
            width: max(1, (picture.width * 3) >> (exponent + 1)),
            height: max(1, (picture.height * 3) >> (exponent + 1)))
    }

    /// Paints it; nil when it was cancelled, or there is no memory for it.
    package func make(
        concurrently: Painter.Concurrency, until cancellation: PaintingCancellation
    ) -> Bitmap? {
        guard let memory = OwnedPixels(size: size) else { return nil }
        var level = memory.level(exponent: exponent)
        level.isIntermediate = true
        let whole = bitmap.size
        let item = PictureItem(
            source: .init(picture: 0, revision: 0), size: whole,
            placement: Placement(
                center: Point(
                    x: Double(whole.width) / 2 * level.scale,
                    y: Double(whole.height) / 2 * level.scale), zoom: level.scale))
        let isWhole = Painter().paintSharp(
            Scene(size: size.size, scale: 1, backdrop: 1, items: [.picture(item)]),
            into: memory.canvas, filterSpace: means, bitmap: { _ in bitmap },
            concurrently: concurrently, until: cancellation)
        guard isWhole else { return nil }
        return Bitmap(size: whole, format: .rgb24, levels: [level], memory: memory)
    }
}

extension PixelSize {
    fileprivate var bytes: Int { width * height * 4 }
}
