import Geometry
import ImageTypes
import TestKit
import Testing

/// JPEG 2000, compared with OpenJPEG's tools.
@Suite struct JP2Tests {
    private let bench = Workbench()
    private let photo = TestPicture.photograph(203, 131)

    @Test(arguments: [
        ("it.jp2", ""), ("it.j2k", ""), ("it.jp2", "-r 10"), ("it.jp2", "-I -r 20"),
        ("it.jp2", "-t 64,64"), ("it.jp2", "-n 1"), ("it.jp2", "-p RPCL -n 3"),
        ("it.jp2", "-mct 0"), ("it.jp2", "-d 40,30"),
    ])
    func pixelsMatchOpenJPEG(name: String, options: String) throws {
        bench.put("in.ppm", Array("P6\n203 131\n255\n".utf8) + photo.pixels)
        try bench.run(
            "opj_compress \(options) -i in.ppm -o \(name) && opj_decompress -i \(name) -o it.ppm")
        let result = try Decoding(bench.bytes(name))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.info?.format == "JPEG 2000")
        #expect(bitmap.format == .rgb24)
        Conformance.expect(
            "JPEG 2000", "\(name) \(options)",
            bitmap.largestDifference(from: try bench.pixels("it.ppm")), atMost: 0,
            from: "opj_decompress")
        #expect(result.message == nil)
    }

    @Test(arguments: [0, 2, 6], [8, 16])
    func greyAlphaAndManyBitsComeOutRight(_ colorType: Int, _ bits: Int) throws {
        var samples: [UInt8] = []
        for place in 0..<(photo.size.width * photo.size.height) {
            var pixel = Array(photo.pixels[(place * 3)..<(place * 3 + 3)])
            if colorType == 0 { pixel = [pixel[0]] }
            if colorType == 6 { pixel.append(UInt8(place % 256)) }
            samples += bits == 8 ? pixel : pixel.flatMap { [$0, 77] }
        }
        bench.put(
            "in.png",
            TestPicture.png(samples, photo.size, colorType: colorType, bitDepth: bits))
        try bench.run("opj_compress -i in.png -o it.jp2 && convert in.png it.pam")
        let bitmap = try #require(try Decoding(bench.bytes("it.jp2")).bitmaps.last)
        #expect(bitmap.format == (colorType == 6 ? .argb32 : .rgb24))
        // One step for dithering, and half a step each for alpha and rounding.
        #expect(bitmap.largestDifference(from: try bench.pixels("it.pam")) <= 2.01)
    }

    /// YCbCr samples with 2x2 chroma subsampling.
    @Test func subsampledChromaBecomesColor() throws {
        let luma = [UInt8](repeating: 100, count: 64 * 48)
        let blue = [UInt8](repeating: 90, count: 32 * 24)
        let red = [UInt8](repeating: 200, count: 32 * 24)
        bench.put("in.yuv", luma + blue + red)
        try bench.run(
            "cp in.yuv in.raw && opj_compress -mct 0 -F 64,48,3,8,u@1x1:2x2:2x2 -i in.raw -o it.j2k"
        )
        let bitmap = try #require(try Decoding(bench.bytes("it.j2k")).bitmaps.last)
        #expect(bitmap.size == PixelSize(width: 64, height: 48))
        // R = Y + 1.402 Cr, G = Y - 0.344 Cb - 0.714 Cr, B = Y + 1.772 Cb.
        let (_, r, g, b) = bitmap.pixel(30, 20)
        #expect(abs(r - 201) <= 1 && abs(g - 62) <= 1 && abs(b - 33) <= 1)
    }

    /// CMYK, which is enumerated colour space 12 in the `colr` box.
    @Test(arguments: [8, 16]) func cmykIsConverted(_ bits: Int) throws {
        var samples: [UInt8] = []
        for plane in 0..<4 {
            for place in 0..<(64 * 48) {
                let (x, y) = (place % 64, place / 64)
                let value = UInt8((x * 3 + y * (plane + 1)) & 127 + 20 * plane)
                samples += bits == 8 ? [value] : [value, value]
            }
        }
        bench.put("in.raw", samples)
        try bench.run("opj_compress -mct 0 -F 64,48,4,\(bits),u -i in.raw -o it.jp2")
        var file = bench.bytes("it.jp2")
        let name = Array("colr".utf8)
        let box = try #require(file.indices.first { file[$0...].starts(with: name) })
        file[box + 10] = 12
        bench.put("cmyk.jp2", file)
        try bench.run("opj_decompress -i cmyk.jp2 -o it.ppm")
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.format == .rgb24)
        #expect(bitmap.largestDifference(from: try bench.pixels("it.ppm")) <= 1.5)
    }

    @Test func aSmallSurfaceGetsAReducedPictureFirst() throws {
        let large = TestPicture.photograph(1203, 907)
        bench.put("in.ppm", Array("P6\n1203 907\n255\n".utf8) + large.pixels)
        try bench.run("opj_compress -r 8 -i in.ppm -o it.jp2")
        let result = try Decoding(
            bench.bytes("it.jp2"), target: PixelSize(width: 150, height: 120))
        #expect(result.bitmaps.count == 2)
        #expect(result.bitmaps.first?.levels.first?.mipLevel == 3)
        #expect(result.bitmaps.first?.levels.first?.size == PixelSize(width: 151, height: 114))
        #expect(result.bitmaps.last?.size == large.size)
    }

    // MARK: Bad input

    /// The reduced picture needs none of the missing data, and truncated parts are skipped.
    @Test(arguments: ["", "-c [64,64]", "-p RPCL -c [64,64]", "-t 400,300 -TP R"])
    func aTruncatedFileKeepsItsReducedPicture(options: String) throws {
        let large = TestPicture.photograph(1203, 907)
        bench.put("in.ppm", Array("P6\n1203 907\n255\n".utf8) + large.pixels)
        try bench.run("opj_compress -n 5 \(options) -i in.ppm -o it.jp2")
        let file = bench.bytes("it.jp2")
        let surface = PixelSize(width: 150, height: 120)
        let whole = try Decoding(file, target: surface)
        let cut = try Decoding(Array(file.prefix(file.count * 9 / 10)), target: surface)
        #expect(cut.failure == nil && cut.message != nil)
        #expect(cut.bitmaps.count == 2 && whole.bitmaps.count == 2)
        let (seen, wanted) = (try #require(cut.bitmaps.first), try #require(whole.bitmaps.first))
        try #require(seen.levels.map(\.size) == wanted.levels.map(\.size))
        // With tiles, the last tiles are missing.
        let rows = options.contains("-t") ? 0..<70 : nil
        #expect(seen.rowOfDifference(rows: rows, from: wanted, level: 0) == nil)
    }

    @Test(arguments: ["it.jp2", "it.j2k"])
    func damagedFilesDoNotCrashTheDecoder(_ name: String) throws {
        bench.put("in.ppm", Array("P6\n203 131\n255\n".utf8) + photo.pixels)
        try bench.run("opj_compress -r 4 -n 5 -t 80,80 -i in.ppm -o \(name)")
        let file = bench.bytes(name)
        let shown = try RobustnessChecks.truncate(
            file, size: photo.size, at: [0.001, 0.01, 0.1, 0.5, 0.8, 0.95])
        #expect(shown >= 2)
        try RobustnessChecks.damage(file, seed: 21)
        try RobustnessChecks.damage(file, seed: 555, bytes: 3)
    }

    @Test func anAbsurdSizeIsRefused() throws {
        bench.put("in.ppm", Array("P6\n203 131\n255\n".utf8) + photo.pixels)
        try bench.run("opj_compress -i in.ppm -o it.j2k")
        var file = bench.bytes("it.j2k")
        // Width and height come after two markers, a length and the capabilities.
        file.replaceSubrange(8..<16, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        let result = try Decoding(file)
        #expect(result.bitmaps.isEmpty)
        #expect(result.failure != nil && result.failure != .crashed)
    }
}
