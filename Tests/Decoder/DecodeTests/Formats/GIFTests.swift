import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// GIF, compared with ImageMagick's coalesced frames or with the encoded frames.
@Suite struct GIFTests {
    private static let card = ["-size", "40x30", "gradient:red-blue", "-colors", "32"]

    @Test(arguments: [
        ["-interlace", "none"], ["-interlace", "GIF"], ["-colors", "2"], ["-colorspace", "gray"],
        ["-colors", "256"], ["-transparent", "red"],
    ])
    func aStillIsExact(_ variant: [String]) throws {
        let file = Reference.make(Self.card + variant, "a.gif")
        let folder = TemporaryFolder()
        let size = PixelSize(width: 40, height: 30)
        let result = try Decoding(file)
        #expect(result.info?.format == "GIF" && result.info?.size == size)
        #expect(result.message == nil && result.failure == nil)
        let wanted = Reference([folder.file("a.gif", file)], size)
        Conformance.expect(
            "GIF", variant.joined(separator: " "),
            try #require(result.bitmaps.last).largestDifference(from: wanted), atMost: 0,
            from: "ImageMagick")
    }

    @Test(arguments: ["none", "background", "previous"])
    func framesMatchImageMagick(_ disposal: String) throws {
        let frames = ["red", "lime", "blue", "yellow"].enumerated().flatMap { index, color in
            [
                "(", "-size", "14x10", "xc:\(color)", "-repage", "40x30+\(index * 8)+\(index * 6)",
                ")",
            ]
        }
        let background = ["(", "-size", "40x30", "xc:gray", "-set", "dispose", "none", ")"]
        let file = Reference.make(
            ["-delay", "7", "-dispose", disposal] + background + frames + ["-loop", "3"], "a.gif")
        let played = try Played(file)
        #expect(played.frames.count == 5)
        #expect(played.delays.allSatisfy { $0 == 70 })
        // The extension stores the number of repetitions, one less than the number of plays.
        #expect(played.loops == 4 || played.loops == 3)
        let folder = TemporaryFolder()
        let path = folder.file("a.gif", file)
        let size = PixelSize(width: 40, height: 30)
        for (index, frame) in played.frames.enumerated() {
            let wanted = Reference([path, "-coalesce"], size, frame: index)
            #expect(frame == pixels(of: wanted), "frame \(index)")
        }
    }

    @Test(arguments: [false, true])
    func framesAreClippedToTheCanvas(_ interlaced: Bool) throws {
        let palette: [UInt32] = [0x10_20_30, 0xFF_00_00, 0x00_FF_00, 0x00_00_FF]
        let frame = TestGIF.Frame(
            left: 6, top: 5, width: 9, height: 11, isInterlaced: interlaced,
            indices: (0..<99).map { UInt8($0 / 9 % 4) })
        let first = TestGIF.Frame(
            left: 0, top: 0, width: 12, height: 12, indices: [UInt8](repeating: 0, count: 144))
        let played = try Played(TestGIF.encode(12, 12, palette, [first, frame]))
        let last = try #require(played.frames.last)
        for y in 0..<12 {
            for x in 0..<12 {
                let color = x >= 6 && y >= 5 ? palette[(y - 5) % 4] : palette[0]
                #expect(last[y * 12 + x] == 0xFF00_0000 | color)
            }
        }
    }

    @Test(arguments: [("NETSCAPE2.0", 0, 0), ("ANIMEXTS1.0", 5, 6), ("OTHERAPP1.0", 5, 1)])
    func loopsAreRead(_ name: String, _ repetitions: Int, _ loops: Int) throws {
        let frame = TestGIF.Frame(left: 0, top: 0, width: 1, height: 1, indices: [1])
        let file = TestGIF.encode(
            1, 1, [0, 0xFF_FF_FF], [frame, frame], loop: (name, repetitions))
        let played = try Played(file)
        #expect(played.loops == loops)
        #expect(played.frames == [[0xFFFF_FFFF], [0xFFFF_FFFF]])
    }

    @Test func aSecondRunMatchesTheFirst() throws {
        let file = Reference.make(
            ["-dispose", "previous", "-size", "20x20", "xc:red", "plasma:blue-red", "plasma:"],
            "a.gif")
        try file.withUnsafeBytes { bytes in
            let source = try GIFCodec(bytes).frames()
            let first = try Played(source)
            source.rewind()
            #expect(try Played(source).frames == first.frames)
        }
    }

    @Test func aLocalPaletteAppliesToItsFrameOnly() throws {
        var frame = TestGIF.Frame(left: 0, top: 0, width: 2, height: 1, indices: [0, 1])
        let plain = frame
        frame.palette = [0x11_22_33, 0x44_55_66]
        let played = try Played(TestGIF.encode(2, 1, [0xAA_00_00, 0xBB_00_00], [frame, plain]))
        #expect(played.frames == [[0xFF11_2233, 0xFF44_5566], [0xFFAA_0000, 0xFFBB_0000]])
    }

    @Test func aCanvasWithoutASizeHasTheSizeOfTheFirstFrame() throws {
        let frame = TestGIF.Frame(left: 0, top: 0, width: 2, height: 2, indices: [1, 1, 1, 1])
        let result = try Decoding(TestGIF.encode(0, 0, [0, 0xFF_FF_FF], [frame]))
        #expect(result.info?.size == PixelSize(width: 2, height: 2))
    }

    @Test func aTruncatedFileIsShownInPart() throws {
        let file = Reference.make(["-size", "64x64", "plasma:red-blue"], "a.gif")
        let result = try Decoding(Array(file.prefix(file.count * 2 / 3)))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.message?.contains("cut short") == true)
        #expect(bitmap.pixel(5, 5).r + bitmap.pixel(5, 5).b > 0)
        #expect(bitmap.pixel(5, 63) == (255, 0, 0, 0))
        // A truncated animation plays all complete frames.
        let frame = TestGIF.Frame(
            left: 0, top: 0, width: 8, height: 8, indices: [UInt8](repeating: 1, count: 64))
        let movie = TestGIF.encode(8, 8, [0, 0xFF_FF_FF], [frame, frame, frame])
        #expect(try Played(Array(movie.dropLast(40))).frames.count == 3)
    }

    @Test func damagedFilesDoNotCrashTheDecoder() throws {
        let file = Reference.make(
            ["-size", "30x30", "xc:red", "plasma:", "plasma:", "-layers", "optimize"], "a.gif")
        #expect(try Damage.isSurvived(file))
        #expect(try Decoding(Array(file.prefix(9))).failure == .cutShort)
        var huge = file
        huge.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(
            try Decoding(huge).failure == .tooLarge(width: 65535, height: 65535, most: 512_000_000))
        for seed in 1...60 {
            _ = try? Played(Damage.strike(file, seed: seed, times: seed, from: 10))
        }
    }

    private func pixels(of reference: Reference) -> [UInt32] {
        stride(from: 0, to: reference.pixels.count, by: 4).map { place in
            let pixel = reference.pixels[place..<(place + 4)].map(UInt32.init)
            return pixel[3] == 0
                ? 0 : pixel[3] << 24 | pixel[0] << 16 | pixel[1] << 8 | pixel[2]
        }
    }
}

/// All frames of an animation, as 0xAARRGGBB pixels.
private struct Played {
    var frames: [[UInt32]] = []
    var delays: [Double] = []
    var loops = 0

    init(_ file: [UInt8]) throws {
        self = try file.withUnsafeBytes { try Played(try GIFCodec($0).frames()) }
    }

    init(_ source: any FrameSource) throws {
        guard source.size.width * source.size.height < 1 << 24 else { return }
        loops = source.loops
        var canvas = [UInt32](repeating: 0, count: source.size.width * source.size.height)
        var isOver = false
        while !isOver {
            try canvas.withUnsafeMutableBytes { bytes in
                let base = try #require(bytes.baseAddress)
                if let delay = try source.next(base) { delays.append(delay) } else { isOver = true }
            }
            if !isOver { frames.append(canvas) }
        }
    }
}
