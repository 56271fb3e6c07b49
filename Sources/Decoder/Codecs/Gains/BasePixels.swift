import Geometry
import ImageTypes
import ImageWire
import RasterPipeline

/// The upright pixels of a decoded picture, read from its sealed memory at the size of its gain map.
final class BasePixels {
    private let pixels: MappedPixels
    private let level: Bitmap.Level
    /// The size of the map in pixels, upright.
    private let size: PixelSize

    /// Maps the memory with this descriptor, which the caller keeps; nil for memory that is not that of pixels.
    init?(_ descriptor: Int32, at size: PixelSize) {
        guard let pixels = MappedPixels(descriptor) else { return nil }
        let levels = pixels.header.levels
        level = levels.last { $0.size.width >= size.width } ?? levels[0]
        (self.pixels, self.size) = (pixels, size)
    }

    /// The red, green and blue of the pixel under a pixel of the map.
    func pixel(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
        let column = min(x * level.size.width / size.width, level.size.width - 1)
        let row = min(y * level.size.height / size.height, level.size.height - 1)
        let memory = pixels.bytes
        let place = level.offset + row * level.stride
        guard let chroma = pixels.header.chroma, let plane = level.chroma else {
            let at = place + column * 4
            return (Int(memory[at + 2]), Int(memory[at + 1]), Int(memory[at]))
        }
        let at =
            plane.offset + (row * plane.size.height / level.size.height) * plane.stride
            + (column * plane.size.width / level.size.width) * 2
        return chroma.color(
            luma: Int(memory[place + column]), blue: Int(memory[at]), red: Int(memory[at + 1]))
    }
}

extension ChromaFormat {
    /// The red, green and blue of a sample of each plane; by the definition of each matrix.
    fileprivate func color(
        luma: Int, blue: Int, red: Int
    ) -> (red: Int, green: Int, blue: Int) {
        let (lumaScale, chromaScale) = isFullRange ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
        let light = Double(luma - (isFullRange ? 0 : 16)) * lumaScale
        let (cb, cr) = (Double(blue - 128) * chromaScale, Double(red - 128) * chromaScale)
        let r = light + 2 * (1 - matrix.red) * cr
        let b = light + 2 * (1 - matrix.blue) * cb
        let g = (light - matrix.red * r - matrix.blue * b) / (1 - matrix.red - matrix.blue)
        func byte(_ value: Double) -> Int { Int(min(max(value + 0.5, 0), 255)) }
        return (byte(r), byte(g), byte(b))
    }
}
