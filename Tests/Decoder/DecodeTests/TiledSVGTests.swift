import Geometry
import ImageTypes
import Testing

@testable import Codecs

/// Parts of drawings, which are sharp at every zoom.
@Suite struct TiledSVGTests {
    /// A drawing of 100 × 80 pixels, which is 6400 × 5120 as a picture and 102,400 wide at the finest:
    /// an edge in the middle is an edge of pixels there, and a slanted one is smooth.
    @Test func drawingsAreSharpAtEveryZoom() throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
            <rect x="50" width="50" height="80" fill="red"/>
            <path d="M0 0 L40 80 L0 80 Z" fill="lime"/></svg>
            """
        let file = Array(text.utf8)
        try file.withUnsafeBytes { bytes in
            let tiled = TiledSVG(try SVGCodec(bytes))
            let sink = PartSink()
            for (exponent, unit) in [(0, 1024), (1, 512), (4, 64), (6, 16)] {
                let edge = PixelRect(x: 50 * unit - 7, y: 9 * unit, width: 14, height: 3)
                let (size, part) = try sink.words(
                    of: PicturePart(exponent: exponent, rect: edge), tiled)
                #expect(size == PixelSize(width: 14, height: 3))
                for (index, word) in part.enumerated() {
                    #expect(word == (index % 14 < 7 ? 0 : 0xFFFF_0000))
                }
                // Half as far right as it is down.
                let slant = PixelRect(x: 20 * unit - 8, y: 40 * unit, width: 16, height: 1)
                let (_, row) = try sink.words(
                    of: PicturePart(exponent: exponent, rect: slant), tiled)
                let mixed = row.filter { $0 != 0 && $0 != 0xFF00_FF00 }
                #expect(mixed.count <= 2 && row[0] == 0xFF00_FF00 && row[15] == 0)
            }
        }
    }

    /// Layers are as large as the drawing: with them it is as fine as there is memory for, and every part
    /// that may be asked for can be painted.
    @Test(arguments: [
        ("<rect width='300' height='200' fill='red' opacity='.5'/>", 1),
        ("<g style='filter:none'><rect width='300' height='200' fill='red'/></g>", 1),
        ("<rect width='300' height='200' fill='red' fill-opacity='.5'/>", 4),
        ("<rect width='300' height='200' fill='red' style='&#111;pacity:.5'/>", 1),
        (#"<rect width='300' height='200' fill='red' style='\6fpacity:.5'/>"#, 1),
    ])
    func layersBoundTheDetail(content: String, detail: Int) throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'>\(content)</svg>"
        try Array(text.utf8).withUnsafeBytes { bytes in
            let tiled = TiledSVG(try SVGCodec(bytes))
            // 400 times 16.
            #expect(tiled.info.size.width == 6400 && tiled.info.detail == detail)
            let unit = 16 << detail
            let edge = PixelRect(x: 300 * unit - 2, y: 9 * unit, width: 4, height: 1)
            let (_, words) = try PartSink().words(of: PicturePart(exponent: 0, rect: edge), tiled)
            #expect(words[0] == words[1] && words[1] != 0 && words[2] == 0 && words[3] == 0)
        }
    }

    /// Letters of eighty thousand pixels, and then of a few again.
    @Test func lettersAreDrawnAtEverySize() throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
            <text y="70" font-size="80" font-family="DejaVu Sans">Wg</text></svg>
            """
        let file = Array(text.utf8)
        try file.withUnsafeBytes { bytes in
            let tiled = TiledSVG(try SVGCodec(bytes))
            for exponent in [8, 7, 4, 2, 0, 1, 7] {
                // In a stroke of the W, and beside it.
                for (x, y, word) in [(12, 20, 0xFF00_0000), (30, 30, 0)] as [(Int, Int, UInt32)] {
                    let place = PixelRect(
                        x: x * 1024 >> exponent, y: y * 1024 >> exponent, width: 1, height: 1)
                    let (_, words) = try PartSink().words(
                        of: PicturePart(exponent: exponent, rect: place), tiled)
                    #expect(words == [word], "\(exponent) \(x) \(y)")
                }
            }
        }
    }
}
