import Edits
import Geometry
import ImageTypes
import ImageWire
import RasterPipeline
import TestKit
import Testing

@testable import PictureWriter

/// Boxes that do not say what they should.
@Suite(.timeLimit(.minutes(2))) struct ContainerBoxTests {
    private let bench = EditBench()

    // MARK: Colours of a PNG

    private func png(_ command: String, _ name: String) throws -> [UInt8] {
        let source = try bench.source(
            name, by: "convert photo.png photo.ppm && \(command)", tags: false)
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 1, y: 2, width: 20, height: 20))))
        request.mayReencode = true
        return try Edited(source, request).bytes
    }

    private func jxl(_ colors: String) -> String {
        "cjxl photo.ppm it.jxl -d 0 -e 3 -x 'color_space=\(colors)'"
    }

    private func chunk(_ name: String, _ file: [UInt8]) -> [UInt8]? {
        let name = Array(name.utf8)
        guard let place = file.indices.first(where: { file[$0...].starts(with: name) }) else {
            return nil
        }
        let length = file[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
        return Array(file[(place + 4)..<(place + 4 + length)])
    }

    /// Code points are those that say what is shown: sRGB's curve is not that of BT.709.
    @Test func codePointsOfThePNGAreThoseOfTheSource() throws {
        #expect(try chunk("cICP", png(jxl("RGB_D65_DCI_Rel_SRG"), "it.jxl")) == [12, 13, 0, 1])
        #expect(try chunk("cICP", png(jxl("RGB_D65_202_Rel_PeQ"), "it.jxl")) == [9, 16, 0, 1])
        #expect(
            try chunk(
                "cICP", png("avifenc -s 9 --cicp 12/13/6 photo.png it.avif", "it.avif"))
                == [12, 13, 0, 1])
        // sRGB needs no declaration, or is declared.
        let standard = try chunk("cICP", png(jxl("RGB_D65_SRG_Rel_SRG"), "it.jxl"))
        #expect(standard == nil || standard == [1, 13, 0, 1])
    }

    /// A gamma has no code point, nor have most primaries.
    @Test func coloursWithoutCodePointsAreDeclaredByGamma() throws {
        let file = try png(jxl("RGB_D65_202_Rel_g0.4"), "it.jxl")
        bench.put("mine.png", file)
        #expect(chunk("cICP", file) == nil)
        let tags = try bench.run(
            "exiftool -s -s -s -n -PNG:Gamma -WhitePointX -RedX -RedY -BlueY mine.png")
        let numbers = tags.split(separator: "\n").compactMap { Double($0) }
        let asked = [2.5, 0.3127, 0.708, 0.292, 0.046]
        #expect(numbers.count == asked.count, "\(tags)")
        #expect(zip(numbers, asked).allSatisfy { abs($0 - $1) < 0.001 }, "\(tags)")
    }

    @Test func coloursThatNoChunkDeclaresAreRefused() throws {
        let colors = ColorEncoding(
            primaries: .init(
                white: .init(0.3, 0.3), red: .init(0.6, 0.3), green: .init(0.3, 0.6),
                blue: .init(0.1, 0.1)), transfer: .sRGB)
        let chunks: [UInt8]? = PNGColorChunks.bytes(.encoded(colors))
        #expect(chunks == nil)
    }
}
