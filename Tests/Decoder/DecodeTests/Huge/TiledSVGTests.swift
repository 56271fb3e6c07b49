import Geometry
import ImageTypes
import RasterPipeline
import Testing

@testable import Codecs

/// Tiles of drawings, which are sharp at every zoom.
@Suite struct TiledSVGTests {
    /// A vertical edge is sharp and a slanted edge is antialiased at every mip level.
    ///
    /// The drawing has 100 × 80 pixels, 6400 × 5120 as a picture, and is 102,400 wide at the finest level.
    @Test func drawingsAreSharpAtEveryZoom() throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
            <rect x="50" width="50" height="80" fill="red"/>
            <path d="M0 0 L40 80 L0 80 Z" fill="lime"/></svg>
            """
        let file = Array(text.utf8)
        try file.withUnsafeBytes { bytes in
            let tiled = TiledSVG(try SVGCodec(bytes))
            let sink = TileSink()
            for (mipLevel, unit) in [(0, 1024), (1, 512), (4, 64), (6, 16)] {
                let edge = PixelRect(x: 50 * unit - 7, y: 9 * unit, width: 14, height: 3)
                let (size, part) = try sink.pixels(
                    of: PictureTile(mipLevel: mipLevel, rect: edge), tiled)
                #expect(size == PixelSize(width: 14, height: 3))
                for (index, pixel) in part.enumerated() {
                    #expect(pixel == (index % 14 < 7 ? 0 : 0xFFFF_0000))
                }
                // The slanted edge has a slope of 2: x is half of y.
                let slant = PixelRect(x: 20 * unit - 8, y: 40 * unit, width: 16, height: 1)
                let (_, row) = try sink.pixels(
                    of: PictureTile(mipLevel: mipLevel, rect: slant), tiled)
                let mixed = row.filter { $0 != 0 && $0 != 0xFF00_FF00 }
                #expect(mixed.count <= 2 && row[0] == 0xFF00_FF00 && row[15] == 0)
            }
        }
    }

    /// Opacity and filters need layers as large as the drawing, so memory limits the finest level.
    ///
    /// All allowed tiles can be painted.
    @Test(arguments: [
        ("<rect width='300' height='200' fill='red' opacity='.5'/>", 1),
        ("<g style='filter:none'><rect width='300' height='200' fill='red'/></g>", 1),
        ("<rect width='300' height='200' fill='red' fill-opacity='.5'/>", 4),
        ("<rect width='300' height='200' fill='red' style='&#111;pacity:.5'/>", 1),
        (#"<rect width='300' height='200' fill='red' style='\6fpacity:.5'/>"#, 1),
    ])
    func layersLimitTheDetail(content: String, detail: Int) throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'>\(content)</svg>"
        try Array(text.utf8).withUnsafeBytes { bytes in
            let tiled = TiledSVG(try SVGCodec(bytes))
            // 6400 is 400 times 16.
            #expect(tiled.info.size.width == 6400 && tiled.info.detail == detail)
            let unit = 16 << detail
            let edge = PixelRect(x: 300 * unit - 2, y: 9 * unit, width: 4, height: 1)
            let (_, pixels) = try TileSink().pixels(of: PictureTile(mipLevel: 0, rect: edge), tiled)
            #expect(pixels[0] == pixels[1] && pixels[1] != 0 && pixels[2] == 0 && pixels[3] == 0)
        }
    }

    /// Letters from over 80,000 pixels in size down to a few hundred, in any order.
    @Test func lettersAreDrawnAtEverySize() throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
            <text y="70" font-size="80" font-family="DejaVu Sans">Wg</text></svg>
            """
        let file = Array(text.utf8)
        try file.withUnsafeBytes { bytes in
            let tiled = TiledSVG(try SVGCodec(bytes))
            for mipLevel in [8, 7, 4, 2, 0, 1, 7] {
                // In a stroke of the W, and beside it.
                for (x, y, pixel) in [(12, 20, 0xFF00_0000), (30, 30, 0)] as [(Int, Int, UInt32)] {
                    let place = PixelRect(
                        x: x * 1024 >> mipLevel, y: y * 1024 >> mipLevel, width: 1, height: 1)
                    let (_, pixels) = try TileSink().pixels(
                        of: PictureTile(mipLevel: mipLevel, rect: place), tiled)
                    #expect(pixels == [pixel], "\(mipLevel) \(x) \(y)")
                }
            }
        }
    }
}
