import Geometry
import SceneModel

extension Painter {
    /// Clears the pixels of `damage` outside of the window's rounded corners.
    ///
    /// The pixels of `damage` must have been painted just before, since pixels on the arc are
    /// multiplied by their coverage.
    func clearCorners(of scene: Scene, on canvas: Canvas, damage: [PixelRect]) {
        guard scene.cornerRadius > 0 else { return }
        let corners = WindowCorners(
            size: canvas.size, radius: scene.cornerRadius * scene.scale)
        for square in corners.squares {
            for rect in damage {
                let region = rect.intersection(square)
                for y in region.y..<max(region.maxY, region.y) {
                    clear(corners, columns: region.x..<max(region.maxX, region.x), row: y, canvas)
                }
            }
        }
    }

    private func clear(
        _ corners: WindowCorners, columns: Range<Int>, row y: Int, _ canvas: Canvas
    ) {
        let row = canvas.row(y).assumingMemoryBound(to: UInt32.self)
        for x in columns {
            let coverage = corners.coverage(x: x, y: y)
            guard coverage < 1 else { continue }
            row[x] = Self.multiply(row[x], by: UInt32(coverage * 256))
        }
    }

    /// Multiplies the four premultiplied components of a pixel by `factor` / 256.
    private static func multiply(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        let low = ((pixel & 0x00FF_00FF) * factor) >> 8 & 0x00FF_00FF
        let high = (pixel >> 8 & 0x00FF_00FF) * factor & 0xFF00_FF00
        return low | high
    }
}
