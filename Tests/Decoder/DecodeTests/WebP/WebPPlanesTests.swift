import Geometry
import ImageTypes
import TestKit
import Testing

@testable import Codecs
@testable import ImageWire

/// Lossy WebP that is decoded to planes of luma and chroma, compared with libwebp's own pixels.
@Suite struct WebPPlanesTests {
    private let bench = Workbench()

    private func file(_ width: Int, _ height: Int, _ options: String = "-q 80") throws -> [UInt8] {
        bench.put("in.png", TestPicture.photograph(width, height).png())
        try bench.run("cwebp -quiet \(options) in.png -o it.webp")
        return bench.bytes("it.webp")
    }

    @Test(arguments: ["-q 90", "-q 30 -segments 4 -sharp_yuv", "-q 60 -f 80 -mt"])
    func planesShowWhatPixelsShow(options: String) throws {
        let file = try file(637, 471, options)
        let (planes, message) = try SealedPicture.decoded(file, asPlanes: true)
        let pixels = try SealedPicture.decoded(file, asPlanes: false).pixels
        #expect(message == nil)
        #expect(planes.header.format == .planes && pixels.header.format == .rgb24)
        for level in planes.header.levels.indices {
            let ratio = planes.ratio(to: pixels, level: level)
            #expect(ratio >= (level == 0 ? 50 : 40), "level \(level): \(ratio) dB")
        }
    }

    @Test func oddSizes() throws {
        for (width, height) in [(1, 1), (1, 9), (17, 1), (2, 3), (15, 16), (33, 31), (65, 18)] {
            let file = try file(width, height)
            let planes = try SealedPicture.decoded(file, asPlanes: true).pixels
            let pixels = try SealedPicture.decoded(file, asPlanes: false).pixels
            #expect(planes.header.format == .planes)
            let ratio = planes.ratio(to: pixels, level: 0)
            #expect(ratio >= 45, "\(width) × \(height): \(ratio) dB")
        }
    }

    @Test(arguments: Orientation.allCases)
    func planesAreUpright(orientation: Orientation) throws {
        let picture = TestPicture.photograph(203, 151)
        bench.put("in.png", picture.png())
        bench.put(
            "exif",
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
                + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0])
        try bench.run(
            "cwebp -quiet -q 90 in.png -o it.webp && webpmux -set exif exif it.webp -o out.webp")
        let planes = try SealedPicture.decoded(bench.bytes("out.webp"), asPlanes: true).pixels
        let pixels = try SealedPicture.decoded(bench.bytes("out.webp"), asPlanes: false).pixels
        #expect(planes.header.format == .planes && planes.header.size == pixels.header.size)
        #expect(planes.ratio(to: pixels, level: 0) >= 48)
    }

    /// What is lossless, animated or transparent, and what has another profile than the screen's, stays
    /// pixels.
    @Test func otherFilesStayPixels() throws {
        #expect(
            try SealedPicture.decoded(file(64, 48, "-lossless"), asPlanes: true).pixels.header
                .format == .rgb24)
        bench.put("in.png", TestPicture.photograph(64, 48).fadingPNG())
        try bench.run("cwebp -quiet -q 80 in.png -o it.webp")
        #expect(
            try SealedPicture.decoded(bench.bytes("it.webp"), asPlanes: true).pixels.header.format
                == .argb32)
        _ = try file(64, 48)
        bench.put("it.icc", TestProfile.exchanged)
        try bench.run("webpmux -set icc it.icc it.webp -o out.webp")
        #expect(
            try SealedPicture.decoded(bench.bytes("out.webp"), asPlanes: true).pixels.header.format
                == .rgb24)
    }

    /// Truncated files show what can be read, and say so.
    @Test func truncatedFilesShowWhatIsReadable() throws {
        let file = try file(640, 480, "-q 90")
        // The last row may be missing in either.
        try SealedPicture.expectReadableParts(of: file, ratio: 30)
    }

    /// A program writes another picture to the file between the two readings of its header.
    @Test(arguments: [true, false]) func aFileThatChangesIsDamaged(asPlanes: Bool) throws {
        let first = try file(320, 240)
        let second = try file(640, 120)
        var file = first + Array(repeating: 0, count: max(0, second.count - first.count))
        try file.withUnsafeMutableBytes { bytes in
            var decoder = try PictureDecoders.open(UnsafeRawBufferPointer(bytes))
            bytes.copyBytes(from: second)
            let sink = FinalSink(acceptsPlanes: asPlanes)
            #expect(throws: DecodeFailure.self) {
                try decoder.decode(for: PixelSize(width: 100, height: 100), to: sink)
            }
        }
    }
}
