import Geometry
import ImageTypes
import TestKit
import Testing

@testable import Codecs
@testable import ImageWire

/// HEIC and AVIF that are decoded to planes of luma and chroma, compared with libheif's own pixels.
@Suite struct HEIFPlanesTests {
    private let bench = Workbench()

    /// A picture whose colours change slowly: libheif repeats chroma samples instead of interpolating them.
    private func picture(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(size: PixelSize(width: width, height: height)) { x, y in
            let red = 40 + x * 160 / width
            let green = 60 + y * 140 / height
            let blue = 200 - (x + y) * 120 / (width + height)
            return (UInt8(red), UInt8(green), UInt8(blue))
        }
    }

    private func expectPlanes(
        _ bits: Int, by command: String, to name: String
    ) throws {
        let picture = picture(302, 214)
        let samples = picture.pixels.flatMap { bits == 8 ? [$0] : [$0, $0] }
        bench.put(
            "in.png",
            TestPicture.png(samples, picture.size, colorType: 2, bitDepth: bits == 8 ? 8 : 16))
        try bench.run(command)
        let (planes, message) = try SealedPicture.decoded(bench.bytes(name), asPlanes: true)
        let pixels = try SealedPicture.decoded(bench.bytes(name), asPlanes: false).pixels
        #expect(message == nil)
        #expect(planes.header.format == .planes && pixels.header.format == .rgb24)
        for level in planes.header.levels.indices {
            let ratio = planes.ratio(to: pixels, level: level)
            #expect(ratio >= (level == 0 ? 44 : 40), "\(bits) bits, level \(level): \(ratio) dB")
        }
    }

    @Test(arguments: [420, 422, 444], [8, 10, 12])
    func planesOfHEICShowWhatPixelsShow(chroma: Int, bits: Int) throws {
        // heif-enc of libheif 1.23 takes no depth for a source of 8 bits.
        let depth = bits == 8 ? "" : "-b \(bits)"
        try expectPlanes(
            bits, by: "heif-enc -q 90 \(depth) -p chroma=\(chroma) in.png -o it.heic",
            to: "it.heic")
    }

    /// Any matrix and range, and none.
    @Test(arguments: [420, 422, 444], [8, 10, 12])
    func planesOfAVIFShowWhatPixelsShow(chroma: Int, bits: Int) throws {
        for colors in ["1/13/6 -r full", "1/13/1 -r limited", "1/13/9 -r limited", "2/2/2 -r full"]
        {
            try expectPlanes(
                bits,
                by: "avifenc -s 8 --min 5 --max 10 -d \(bits) -y \(chroma) --cicp \(colors) "
                    + "in.png it.avif", to: "it.avif")
        }
    }

    @Test func oddSizes() throws {
        for (width, height) in [(17, 1), (2, 3), (15, 16), (33, 31), (65, 18)] {
            bench.put("in.png", TestPicture.card(width, height).png())
            try bench.run("heif-enc -A -q 95 in.png -o it.avif")
            let file = bench.bytes("it.avif")
            let planes = try SealedPicture.decoded(file, asPlanes: true).pixels
            let pixels = try SealedPicture.decoded(file, asPlanes: false).pixels
            #expect(planes.header.format == .planes)
            #expect(planes.header.size == pixels.header.size)
            #expect(planes.ratio(to: pixels, level: 0) >= 20)
        }
    }

    /// Grey, transparent and RGB pictures, and those with another profile than the screen's, stay pixels.
    @Test func otherFilesStayPixels() throws {
        let picture = picture(64, 48)
        func format(_ png: [UInt8], _ options: String) throws -> PixelFormat {
            bench.put("in.png", png)
            try bench.run("avifenc -s 8 \(options) in.png it.avif")
            return try SealedPicture.decoded(bench.bytes("it.avif"), asPlanes: true).pixels.header
                .format
        }
        #expect(try format(picture.png(), "") == .planes)
        #expect(try format(picture.fadingPNG(), "") == .argb32)
        #expect(try format(picture.png(), "-y 400") == .rgb24)
        #expect(try format(picture.png(), "--lossless") == .rgb24)
        // Display P3, and BT.2020 with SMPTE ST 2084.
        #expect(try format(picture.png(), "--cicp 12/13/1") == .rgb24)
        #expect(try format(picture.png(), "--cicp 9/16/9 -d 10") == .rgb24)
    }

    /// Dithering makes no colours in grey.
    @Test func deepGreyHasNoColours() throws {
        let size = PixelSize(width: 64, height: 48)
        let samples = (0..<(64 * 48)).flatMap { index -> [UInt8] in
            let value = UInt8(60 + index / 64)
            return [value, 77, value, 77, value, 77]
        }
        bench.put("in.png", TestPicture.png(samples, size, colorType: 2, bitDepth: 16))
        try bench.run("avifenc -s 8 --min 0 --max 0 -d 10 -y 420 in.png it.avif")
        let planes = try SealedPicture.decoded(bench.bytes("it.avif"), asPlanes: true).pixels
        let chroma = try #require(planes.header.levels[0].chroma)
        for y in 0..<chroma.size.height {
            let start = chroma.offset + y * chroma.stride
            #expect(planes.bytes[start..<(start + chroma.size.width * 2)].allSatisfy { $0 == 128 })
        }
    }

    /// libheif repeats chroma samples before it rotates the picture.
    @Test func rotatedChromaOfOtherShapesStaysPixels() throws {
        bench.put("in.png", picture(64, 48).png())
        for (chroma, format) in [(420, PixelFormat.planes), (422, .rgb24)] {
            try bench.run("heif-enc -A -q 90 -p chroma=\(chroma) in.png -o it.avif")
            var file = bench.bytes("it.avif")
            let place = try #require(
                file.indices.dropLast(8).first { file[$0..<($0 + 4)].elementsEqual("pixi".utf8) })
            file.replaceSubrange(place..<(place + 5), with: Array("irot".utf8) + [1])
            let found = try SealedPicture.decoded(file, asPlanes: true).pixels.header
            #expect(found.format == format && found.size == PixelSize(width: 48, height: 64))
        }
    }

    /// Chroma samples are where the file says.
    @Test(arguments: [(0, 0, 0), (1, -1, 0), (2, -1, -1), (3, 0, 0)])
    func sitingIsRead(position: UInt8, left: Int, top: Int) throws {
        bench.put("in.png", picture(64, 48).png())
        try bench.run("heif-enc -A -q 90 in.png -o it.avif")
        var file = bench.bytes("it.avif")
        let place = try #require(
            file.indices.dropLast(8).first { file[$0..<($0 + 4)].elementsEqual("av1C".utf8) })
        file[place + 6] = file[place + 6] & ~3 | position
        let planes = try SealedPicture.decoded(file, asPlanes: true).pixels
        #expect(planes.header.chroma?.left == left && planes.header.chroma?.top == top)
    }
}
