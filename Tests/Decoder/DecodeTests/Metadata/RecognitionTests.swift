import DecodeClient
import FileAccess
import Geometry
import ImageTypes
import ImageWire
import TestKit
import Testing

/// Formats without a signature: content that is far from the start, unusual headers, and extensions.
@Suite struct RecognitionTests {
    private let folder = TemporaryFolder()

    // MARK: SVG

    private static let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"

    private func comment(_ length: Int) -> String {
        "<!--" + String(repeating: "> <html> - ", count: length / 10 + 1).prefix(length) + "-->"
    }

    /// What may precede the root, with a filler of any length.
    private func prologs(_ length: Int) -> [String] {
        let filler = String(repeating: "x", count: length)
        let xml = "<?xml version='1.0' encoding='UTF-8'?>\n"
        return [
            comment(length), xml + comment(length), xml + comment(9) + comment(length) + "\n",
            xml + "<?xml-stylesheet href='\(filler)'?>", String(repeating: " ", count: length),
            "<!DOCTYPE svg [\n<!ENTITY a '\(filler)'>\n]>",
            "<!DOCTYPE x:y [\n<!ENTITY a \"]> '<\(filler)\">\n<!-- it's \(filler) ]> -->\n]>",
            "<!DOCTYPE\n picture SYSTEM \"\(filler)>\" >" + comment(length),
        ]
    }

    /// The lengths are those at which another part of the file is looked at, and longer ones.
    @Test(arguments: [0, 900, 1010, 1020, 1024, 2000, 16_380, 16_400, 300_000])
    func drawingsAreRecognizedBehindLongProlog(length: Int) {
        for prolog in prologs(length) {
            let text = Array((prolog + Self.drawing).utf8)
            #expect(PictureFormat.recognize(text) == .svg, "\(length) \(prolog.prefix(40))")
            #expect(PictureFormat.recognize([0xEF, 0xBB, 0xBF] + text) == .svg)
            let wide: [UInt8] = [0xFF, 0xFE] + text.flatMap { [$0, 0] as [UInt8] }
            #expect(PictureFormat.recognize(wide) == .svg)
            // The same before another root, and without a root.
            for rest in ["<html><svg/></html>", "<svgx/>", "text", "", "<svg", "<"] {
                let other = Array(((prolog.hasPrefix("<!DOCTYPE svg") ? "" : prolog) + rest).utf8)
                #expect(PictureFormat.recognize(other) == nil, "\(length) \(rest)")
            }
        }
    }

    @Test func everyLengthUpToTheFirstPartIsRecognized() {
        for length in 940..<1060 {
            let text = "<!--" + String(repeating: "-", count: length) + "--><svg:svg >"
            #expect(PictureFormat.recognize(Array(text.utf8)) == .svg, "\(length)")
        }
    }

    /// A document may begin with a part of anything.
    @Test func truncatedPrologsAreText() throws {
        for prolog in prologs(30) where !prolog.hasPrefix("<!DOCTYPE svg") {
            let text = Array(prolog.utf8)
            for length in 0...text.count {
                #expect(PictureFormat.recognize(text.prefix(length)) == nil)
            }
        }
        let endless = "<!-- " + String(repeating: "and so on ", count: 3000)
        #expect(
            try Decoding(Array(endless.utf8)).failure == .notAPicture(kind: "a text file"))
    }

    @Test func drawingsBehindLongCommentsAreShown() throws {
        let text = comment(5000) + Self.drawing
        let target = PixelSize(width: 64, height: 64)
        #expect(try Decoding(Array(text.utf8), target: target).info?.format == "SVG")
        let path = folder.file("a.svg", text)
        _ = ChildProcess.run(["gzip", path])
        let zipped = Reference.contents(path + ".gz")
        #expect(try Decoding(zipped, target: target).info?.format == "SVG")
        _ = ChildProcess.run(["gzip", folder.file("b", comment(5000) + "<html>")])
        let other = try Decoding(Reference.contents(folder / "b.gz"))
        #expect(other.failure == .notAPicture(kind: "a gzip archive"))
    }

    // MARK: TGA

    /// A TGA of two pixels, red and blue; `map` has the kind of the palette and its five fields.
    private static func tga(
        kind: UInt8 = 2, _ map: [UInt8], depth: UInt8 = 24, descriptor: UInt8 = 0x20,
        palette: Int = 0, _ pixels: [UInt8] = [0, 0, 255, 255, 0, 0]
    ) -> [UInt8] {
        let size: [UInt8] = [0, 0, 0, 0, 2, 0, 1, 0]
        let start: [UInt8] = [3, map[0], kind] + map.dropFirst() + size + [depth, descriptor]
        return start + [7, 7, 7] + [UInt8](repeating: 99, count: palette) + pixels
    }

    private static let runs: [UInt8] = [0x80, 0, 0, 255, 0x80, 255, 0, 0]

    /// A palette that a picture in colours does not use, and the size of its entries without a palette.
    @Test(arguments: [
        tga([1, 0, 0, 4, 0, 15], palette: 8), tga([1, 0, 0, 4, 0, 16], palette: 8),
        tga([1, 0, 0, 4, 0, 24], palette: 12), tga([1, 2, 0, 4, 0, 32], palette: 16),
        tga([1, 0, 0, 0, 1, 24], palette: 768), tga([0, 0, 0, 0, 0, 24]),
        tga([0, 0, 0, 0, 0, 32]), tga([0, 0, 0, 0, 0, 0]),
        tga(kind: 10, [1, 0, 0, 4, 0, 24], palette: 12, runs),
        tga(kind: 10, [0, 0, 0, 0, 0, 24], runs),
    ])
    func palettesOfTrueColourAreSkipped(file: [UInt8]) throws {
        let result = try Decoding(file)
        #expect(result.info?.format == "TGA" && result.message == nil)
        let bitmap = try #require(result.bitmaps.last, "\(String(describing: result.failure))")
        #expect(bitmap.pixel(0, 0) == (255, 255, 0, 0))
        #expect(bitmap.pixel(1, 0) == (255, 0, 0, 255))
        // Without pixels behind the palette there is nothing to show.
        let pixels = file[2] == 2 ? 6 : 8
        #expect(try Decoding(Array(file.dropLast(pixels))).failure == .cutShort)
    }

    // MARK: Extensions

    /// Decodes a file by its path, as the viewer does.
    private func decoded(_ name: String, _ content: [UInt8]) throws -> Decoding {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.decoder)),
            files: FileClient(try FileServer.startThread()), patience: 20_000)
        return Decoding(client, id: 1, path: folder.file(name, content))
    }

    /// Headers with values that no TGA should have, but that do not matter for the pixels.
    private static let odd: [[UInt8]] = [
        tga([0, 0, 0, 9, 0, 0]), tga([0, 0, 0, 0, 0, 8]), tga([2, 0, 0, 0, 0, 0]),
        tga([0, 0, 0, 0, 0, 0], descriptor: 0x60), tga([0, 0, 0, 0, 0, 0], descriptor: 0x24),
    ]

    @Test(arguments: odd) func theExtensionIsBelievedWhereNothingFits(file: [UInt8]) throws {
        for name in ["a.tga", "B.TGA", "c.vst"] {
            let shown = try decoded(name, file)
            #expect(shown.info?.format == "TGA")
            #expect(shown.bitmaps.last?.pixel(0, 0).r == 255)
        }
        for name in ["a.dat", "a.png", "tga", "a.ico", "a.svg"] {
            let refused = try decoded(name, file)
            #expect(refused.failure == .notAPicture(kind: "a file of an unknown kind"), "\(name)")
        }
    }

    /// The extension of a picture makes no picture of a text.
    @Test func theExtensionIsNotBelievedAgainstTheContent() throws {
        let text = Array("ab\nThis is an ox, a text with a line and a space where they matter".utf8)
        for name in ["a.tga", "a.ico", "a.svg"] {
            #expect(try decoded(name, text).failure == .notAPicture(kind: "a text file"))
            let noise = [UInt8](repeating: 0, count: 400)
            #expect(
                try decoded(name, noise).failure
                    == .notAPicture(kind: "a file of an unknown kind"))
            #expect(try decoded(name, TestPicture.card(8, 8).png()).info?.format == "PNG")
        }
    }

    @Test func expectationsSurviveTheWire() throws {
        for format in PictureFormat.all {
            let request = DecodeRequest.expect(id: 3, format)
            #expect(try DecodeRequest(request.bytes) == request)
        }
        var unknown = DecodeRequest.expect(id: 3, .tga).bytes
        unknown[unknown.count - 1] ^= 1
        #expect(throws: WireError.self) { try DecodeRequest(unknown) }
    }
}
