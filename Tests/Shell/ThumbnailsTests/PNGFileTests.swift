import Geometry
import TestKit
import Testing

@testable import Thumbnails

@Suite struct PNGFileTests {
    private let size = PixelSize(width: 5, height: 3)
    private let bare = TestPicture.card(5, 3).png()

    @Test func textsRoundTrip() throws {
        let file = try PNGFile(bare).inserting([("Thumb::URI", [1, 2, 3]), ("Other", [])])
        let read = try PNGFile(file)
        #expect(read.isWhole)
        #expect(read.text("Thumb::URI") == [1, 2, 3])
        #expect(read.text("Other") == [])
        #expect(read.text("Thumb") == nil)
    }

    /// Checked by a Python script, checksums included.
    @Test func writtenFilesAreValidPNGs() throws {
        for file in [
            try PNGFile(bare).inserting([("Thumb::URI", Array("file:///x".utf8))]),
            PNGFile.blank([("Comment", Array("no".utf8))]),
        ] {
            let folder = TemporaryFolder()
            let path = folder.file("x.png", file)
            let check = ChildProcess.run(["/usr/bin/python3", "-c", Self.checker, path])
            #expect(check.status == 0, "\(check.errors)")
        }
    }

    /// Goes through the chunks, compares checksums and unpacks the pixels.
    private static let checker = """
        import sys, zlib, struct
        data = open(sys.argv[1], 'rb').read()
        assert data[:8] == bytes([137, 80, 78, 71, 13, 10, 26, 10])
        at, pixels, header, kind = 8, b'', None, None
        while at < len(data):
            length, = struct.unpack('>I', data[at:at + 4])
            kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
            crc, = struct.unpack('>I', data[at + 8 + length:at + 12 + length])
            assert crc == zlib.crc32(kind + body), kind
            if kind == b'IHDR': header = struct.unpack('>IIBBBBB', body)
            if kind == b'IDAT': pixels += body
            at += 12 + length
        assert kind == b'IEND' and at == len(data)
        samples = {2: 3, 6: 4}[header[3]]
        assert len(zlib.decompress(pixels)) == header[1] * (1 + header[0] * samples)
        """

    @Test func barePicturesHaveTheSizeAndNoOtherChunks() throws {
        #expect(try PNGFile(bare).isBarePicture(of: size))
        #expect(try !PNGFile(bare).isBarePicture(of: size.transposed))
        #expect(try !PNGFile(bare + [0]).isBarePicture(of: size))
        #expect(try !PNGFile(Array(bare.dropLast())).isBarePicture(of: size))
        #expect(try !PNGFile(PNGFile(bare).inserting([("A", [1])])).isBarePicture(of: size))
        let grey = TestPicture.png([UInt8](repeating: 9, count: 15), size, colorType: 0)
        #expect(try !PNGFile(grey).isBarePicture(of: size))
    }

    @Test func anyBytesAreRefusedOrRead() {
        var seed = UInt64(3)
        for round in 0..<5000 {
            var file = bare
            for _ in 0..<(1 + round % 6) {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                file[Int(seed >> 33) % file.count] = UInt8(seed >> 24 & 255)
            }
            let bytes = Array(file.prefix(Int(seed >> 40) % (file.count + 1)))
            guard let read = try? PNGFile(bytes) else { continue }
            // A text chunk has 12 bytes and its content; a file without a header gets none.
            #expect([0, 15].contains(read.inserting([("A", [1])]).count - bytes.count))
            #expect((read.text("Thumb::URI")?.count ?? 0) <= bytes.count)
            #expect(!read.isBarePicture(of: size) || bytes.count == bare.count)
        }
    }
}
