import Geometry
import Glibc
import ImageTypes
import Metadata
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// Tiles of JPEG files that are too large for memory.
@Suite struct TiledJPEGTests {
    private let folder = TemporaryFolder()

    private func encoded(_ options: [String], _ size: PixelSize) throws -> [UInt8] {
        let picture = TestPicture.photograph(size.width, size.height)
        return try #require(picture.jpeg(by: options, in: folder))
    }

    private func withOrientation(_ file: [UInt8], _ orientation: Orientation) -> [UInt8] {
        let body: [UInt8] =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
            + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0]
        return file.inserting([0xFF, 0xE1, 0, UInt8(body.count + 2)] + body, at: 2)
    }

    static let variants: [[String]] = [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "2x2"], ["-sample", "1x2"],
        ["-sample", "2x2", "-restart", "1"], ["-sample", "2x1", "-restart", "7B"],
        ["-grayscale"], ["-sample", "2x2", "-optimize"], ["-sample", "4x1"],
    ]

    /// Every tile equals the same rectangle of a whole decode exactly.
    @Test(arguments: variants)
    func tilesMatchAWholeDecode(options: [String]) throws {
        let size = PixelSize(width: 699, height: 517)
        let path = folder.file("whole.jpg", try encoded(options, size))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
        #expect(tiled.info.isTiled && tiled.info.size == size)
        let sink = TileSink()
        #expect(try tiled.decode(for: size, to: sink) == nil)
        #expect(try TileSink.pixels(sink.memory[0], tiled.info).0 == size.reduced(by: 3))
        for mipLevel in 0..<3 {
            let rows = try JPEGRows(file: descriptor)
            try rows.start(mipLevel: mipLevel)
            let level = size.reduced(by: mipLevel)
            var whole: [UInt32] = []
            let stream = try RowStream(rows)
            var line = [UInt32](repeating: 0, count: level.width)
            for _ in 0..<level.height {
                #expect(stream.read(&line))
                whole += line
            }
            for rect in [
                PixelRect(x: 0, y: 0, width: 60, height: 40),
                PixelRect(x: 33, y: 50, width: 70, height: 61),
                PixelRect(x: level.width - 50, y: level.height - 44, width: 50, height: 44),
                PixelRect(x: 0, y: level.height / 2, width: level.width, height: 20),
            ] {
                let (partSize, part) = try sink.pixels(
                    of: PictureTile(mipLevel: mipLevel, rect: rect), tiled)
                #expect(partSize.width == rect.width && partSize.height == rect.height)
                let different = (0..<rect.height).filter { y in
                    let start = (rect.y + y) * level.width + rect.x
                    return part[(y * rect.width)..<((y + 1) * rect.width)]
                        != whole[start..<(start + rect.width)]
                }
                #expect(different.isEmpty, "\(mipLevel) \(rect)")
            }
        }
    }

    /// The pixels of all rows, 0xAARRGGBB, of a file, decoded by libjpeg alone.
    private func pixels(_ descriptor: Int32) throws -> [[UInt32]] {
        let rows = try JPEGRows(file: descriptor)
        rows.useLibraryAlone()
        try rows.start(mipLevel: 0)
        let stream = try RowStream(rows)
        var line = [UInt32](repeating: 0, count: rows.size.width)
        return (0..<rows.size.height).map { _ in
            #expect(stream.read(&line))
            return line
        }
    }

    private static let damages: [(name: String, apply: @Sendable (inout [UInt8], Int) -> Void)] = [
        ("cut off", { bytes, middle in bytes.removeSubrange(middle...) }),
        ("bytes missing", { bytes, middle in bytes.removeSubrange(middle..<middle + 300) }),
        ("ended", { bytes, middle in bytes.insert(contentsOf: [0xFF, 0xD9], at: middle) }),
        ("restart", { bytes, middle in bytes.insert(contentsOf: [0xFF, 0xD3], at: middle) }),
        (
            "overwritten",
            { bytes, middle in
                for place in middle..<middle + 40 { bytes[place] = UInt8(place * 37 & 0xFE) }
            }
        ),
    ]

    /// Above and below an error every tile equals libjpeg's whole decode.
    ///
    /// The data of the larger picture is longer than what the reader holds at once.
    @Test(
        arguments: [["-sample", "2x2"], ["-sample", "2x1", "-restart", "1"], ["-grayscale"]],
        [PixelSize(width: 333, height: 401), PixelSize(width: 501, height: 1201)])
    func tilesOfDamagedFilesMatchAWholeDecode(options: [String], size: PixelSize) throws {
        let file = try encoded(options, size)
        for (name, apply) in Self.damages {
            var bytes = file
            apply(&bytes, file.count * 3 / 5)
            let descriptor = open(folder.file("damaged.jpg", bytes), O_RDONLY)
            defer { close(descriptor) }
            let whole = try pixels(descriptor)
            let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
            let sink = TileSink()
            _ = try tiled.decode(for: size, to: sink)
            for y in stride(from: 0, to: size.height - 30, by: 53) {
                let rect = PixelRect(x: 90, y: y, width: 120, height: 30)
                let (_, part) = try sink.pixels(of: PictureTile(mipLevel: 0, rect: rect), tiled)
                let wanted = whole[y..<y + 30].flatMap { $0[90..<210] }
                // A Boolean, because printing the difference takes too long.
                let isSame = part == wanted
                #expect(isSame, "\(name), \(y)")
            }
        }
    }

    /// Without an index the file is decoded as a whole.
    @Test func libraryAloneHasNoTiles() throws {
        let file = try encoded(["-sample", "2x2"], PixelSize(width: 64, height: 64))
        let descriptor = open(folder.file("alone.jpg", file), O_RDONLY)
        defer { close(descriptor) }
        #expect(try TiledJPEG(descriptor, largerThan: 0) != nil)
        #expect(try TiledJPEG(descriptor, largerThan: 0, isLibraryAlone: true) == nil)
    }

    @Test(arguments: Orientation.allCases)
    func tilesAreUpright(orientation: Orientation) throws {
        let size = PixelSize(width: 320, height: 200)
        let path = folder.file(
            "rotated.jpg", withOrientation(try encoded(["-sample", "2x2"], size), orientation))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
        let sink = TileSink()
        _ = try tiled.decode(for: size, to: sink)
        let upright = orientation.upright(size)
        #expect(tiled.info.size == upright)
        let (_, whole) = try sink.pixels(
            of: PictureTile(mipLevel: 0, rect: PixelRect(upright)), tiled)
        // A whole decode by the decoder process gives the same pixels.
        let plain = try Decoding(try #require(TestFile.read(path)))
        let bitmap = try #require(plain.bitmaps.last)
        let rect = PixelRect(x: 41, y: 30, width: 100, height: 77)
        let (_, part) = try sink.pixels(of: PictureTile(mipLevel: 0, rect: rect), tiled)
        for (x, y) in [(0, 0), (99, 0), (0, 76), (99, 76), (50, 40)] {
            let pixel = part[y * 100 + x]
            #expect(pixel == whole[(y + 30) * upright.width + x + 41])
            let (_, r, g, b) = bitmap.pixel(x + 41, y + 30)
            #expect(pixel == 0xFF00_0000 | UInt32(r << 16 | g << 8 | b))
        }
    }

    /// Files without random access are not tiled.
    @Test func onlySequentialFilesAreTiled() throws {
        for (name, bytes) in [
            ("progressive.jpg", try encoded(["-progressive"], PixelSize(width: 64, height: 64))),
            ("other.png", TestPicture.card(40, 40).png()), ("empty.jpg", []),
            ("text.jpg", Array("no picture".utf8)),
        ] {
            let descriptor = open(folder.file(name, bytes), O_RDONLY)
            defer { close(descriptor) }
            // A file with only a JPEG signature may also fail with an error.
            let tiled = try? TiledJPEG(descriptor, largerThan: 0)
            #expect(tiled == nil, "\(name)")
        }
    }

    @Test func invalidTilesAreRefused() throws {
        let size = PixelSize(width: 300, height: 200)
        let file = try encoded(["-sample", "2x2"], size)
        for (bytes, isCut) in [(file, false), (Array(file.prefix(file.count / 2)), true)] {
            let descriptor = open(folder.file("cut.jpg", bytes), O_RDONLY)
            defer { close(descriptor) }
            let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
            let sink = TileSink()
            #expect((try tiled.decode(for: size, to: sink) != nil) == isCut)
            for rect in [
                PixelRect(x: 290, y: 0, width: 20, height: 10),
                PixelRect(x: 0, y: 195, width: 10, height: 6),
                PixelRect(x: 0, y: 0, width: 0, height: 6),
            ] {
                #expect(throws: DecodeFailure.self) {
                    try tiled.part(PictureTile(mipLevel: 0, rect: rect), sink)
                }
            }
            #expect(throws: DecodeFailure.self) {
                let rect = PixelRect(x: 0, y: 0, width: 4, height: 4)
                return try tiled.part(PictureTile(mipLevel: 3, rect: rect), sink)
            }
            // The end of a truncated file has any content, but must not crash.
            let last = PixelRect(x: 0, y: 180, width: 300, height: 20)
            if let memory = try? tiled.part(PictureTile(mipLevel: 0, rect: last), sink) {
                close(memory)
            }
        }
    }

    /// A tile of a file with random damage fails, or equals libjpeg's whole decode.
    @Test func tilesOfRandomlyDamagedFilesMatchAWholeDecode() throws {
        let file = try encoded(
            ["-sample", "2x2", "-restart", "1"], PixelSize(width: 200, height: 160))
        var state: UInt64 = 3
        var compared = 0
        for round in 0..<60 {
            var bytes = file
            for _ in 0..<5 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[300 + Int(state >> 33) % (file.count - 300)] = UInt8(
                    truncatingIfNeeded: state >> 20)
            }
            let descriptor = open(folder.file("damaged.jpg", bytes), O_RDONLY)
            defer { close(descriptor) }
            guard let tiled = try? TiledJPEG(descriptor, largerThan: 0) else { continue }
            let sink = TileSink()
            guard (try? tiled.decode(for: tiled.info.size, to: sink)) != nil else { continue }
            let whole = try pixels(descriptor)
            for y in stride(from: 0, to: tiled.info.size.height - 20, by: 37) {
                let rect = PixelRect(x: 3, y: y, width: 50, height: 20)
                let tile = PictureTile(mipLevel: 0, rect: rect)
                guard let (_, part) = try? sink.pixels(of: tile, tiled) else { continue }
                let isSame = part == whole[y..<y + 20].flatMap { $0[3..<53] }
                #expect(isSame, "round \(round), \(y)")
                compared += 1
            }
        }
        #expect(compared > 60)
    }
}
