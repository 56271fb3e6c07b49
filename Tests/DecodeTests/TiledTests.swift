import CLinux
import DecodeClient
import DecodeWire
import Geometry
import Glibc
import Pictures
import TestKit
import Testing

@testable import Codecs

/// Pictures that are too large to be held, in parts.
@Suite struct TiledTests {
    private let folder = TemporaryFolder()

    /// Keeps what is delivered.
    private final class Sink: DecodeSink {
        var memory: [Int32] = []
        func shouldContinue() -> Bool { true }
        func deliver(_ memory: Int32, isFinal: Bool) { self.memory.append(memory) }
        deinit { for memory in memory { close(memory) } }
    }

    /// What a sealed memory shows, word by word, at its finest level or another.
    private func words(
        _ memory: Int32, _ info: PictureInfo, level: Int = 0
    ) throws -> (PixelSize, [UInt32]) {
        let length = Int(lseek(memory, 0, SEEK_END))
        let base = try #require(mmap(nil, length, PROT_READ, MAP_PRIVATE, memory, 0))
        defer { munmap(base, length) }
        let header = try PixelHeader(
            checking: Array(UnsafeRawBufferPointer(start: base, count: PixelHeader.length)),
            memoryLength: length)
        #expect(header.orientation == info.orientation)
        let level = header.levels[level]
        var words: [UInt32] = []
        for y in 0..<level.size.height {
            for x in 0..<level.size.width {
                let offset = level.offset + y * level.stride + x * 4
                words.append(base.load(fromByteOffset: offset, as: UInt32.self))
            }
        }
        return (level.size, words)
    }

    private func encoded(_ options: [String], _ size: PixelSize) throws -> [UInt8] {
        let picture = TestPicture.photograph(size.width, size.height)
        return try #require(picture.jpeg(by: options, in: folder))
    }

    private func withOrientation(_ file: [UInt8], _ orientation: Orientation) -> [UInt8] {
        let body: [UInt8] =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
            + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0]
        return Array(file.prefix(2)) + [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
            + file.dropFirst(2)
    }

    static let variants: [[String]] = [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "2x2"], ["-sample", "1x2"],
        ["-sample", "2x2", "-restart", "1"], ["-sample", "2x1", "-restart", "7B"],
        ["-grayscale"], ["-sample", "2x2", "-optimize"], ["-sample", "4x1"],
    ]

    /// Every part is what a decoder of the whole file has there, to the last bit.
    @Test(arguments: variants)
    func partsAreWhatTheWholeIs(options: [String]) throws {
        let size = PixelSize(width: 699, height: 517)
        let path = folder.file("whole.jpg", try encoded(options, size))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
        #expect(tiled.info.isTiled && tiled.info.size == size)
        let sink = Sink()
        #expect(try tiled.decode(for: size, to: sink) == nil)
        #expect(try words(sink.memory[0], tiled.info).0 == size.reduced(by: 3))
        for exponent in 0..<3 {
            let rows = try JPEGRows(file: descriptor)
            try rows.start(exponent: exponent)
            let level = size.reduced(by: exponent)
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
                let memory = try tiled.part(PicturePart(exponent: exponent, rect: rect), sink)
                defer { close(memory) }
                let (partSize, part) = try words(memory, tiled.info)
                #expect(partSize.width == rect.width && partSize.height == rect.height)
                let different = (0..<rect.height).filter { y in
                    let start = (rect.y + y) * level.width + rect.x
                    return part[(y * rect.width)..<((y + 1) * rect.width)]
                        != whole[start..<(start + rect.width)]
                }
                #expect(different.isEmpty, "\(exponent) \(rect)")
            }
        }
    }

    @Test(arguments: Orientation.allCases)
    func partsAreUpright(orientation: Orientation) throws {
        let size = PixelSize(width: 320, height: 200)
        let path = folder.file(
            "turned.jpg", withOrientation(try encoded(["-sample", "2x2"], size), orientation))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
        let sink = Sink()
        _ = try tiled.decode(for: size, to: sink)
        let upright = orientation.upright(size)
        #expect(tiled.info.size == upright)
        let all = try tiled.part(
            PicturePart(exponent: 0, rect: PixelRect(upright)), sink)
        defer { close(all) }
        let (_, whole) = try words(all, tiled.info)
        // The decoder of whole pictures says the same.
        let plain = try Decoding(try #require(TestFile.read(path)))
        let bitmap = try #require(plain.bitmaps.last)
        let rect = PixelRect(x: 41, y: 30, width: 100, height: 77)
        let memory = try tiled.part(PicturePart(exponent: 0, rect: rect), sink)
        defer { close(memory) }
        let (_, part) = try words(memory, tiled.info)
        for (x, y) in [(0, 0), (99, 0), (0, 76), (99, 76), (50, 40)] {
            let word = part[y * 100 + x]
            #expect(word == whole[(y + 30) * upright.width + x + 41])
            let (_, r, g, b) = bitmap.pixel(x + 41, y + 30)
            #expect(word == 0xFF00_0000 | UInt32(r << 16 | g << 8 | b))
        }
    }

    /// What cannot be gone back to in the file is decoded whole, or not at all.
    @Test func onlySequentialFilesAreTiled() throws {
        for (name, bytes) in [
            ("progressive.jpg", try encoded(["-progressive"], PixelSize(width: 64, height: 64))),
            ("other.png", TestPicture.card(40, 40).png()), ("empty.jpg", []),
            ("text.jpg", Array("no picture".utf8)),
        ] {
            let descriptor = open(folder.file(name, bytes), O_RDONLY)
            defer { close(descriptor) }
            // One that is a JPEG by its first bytes alone may be refused with a reason.
            let tiled = try? TiledJPEG(descriptor, largerThan: 0)
            #expect(tiled == nil, "\(name)")
        }
    }

    @Test func partsThatAreNotThereAreRefused() throws {
        let size = PixelSize(width: 300, height: 200)
        let file = try encoded(["-sample", "2x2"], size)
        for (bytes, isCut) in [(file, false), (Array(file.prefix(file.count / 2)), true)] {
            let descriptor = open(folder.file("cut.jpg", bytes), O_RDONLY)
            defer { close(descriptor) }
            let tiled = try #require(try TiledJPEG(descriptor, largerThan: 0))
            let sink = Sink()
            #expect((try tiled.decode(for: size, to: sink) != nil) == isCut)
            for rect in [
                PixelRect(x: 290, y: 0, width: 20, height: 10),
                PixelRect(x: 0, y: 195, width: 10, height: 6),
                PixelRect(x: 0, y: 0, width: 0, height: 6),
            ] {
                #expect(throws: DecodeFailure.self) {
                    try tiled.part(PicturePart(exponent: 0, rect: rect), sink)
                }
            }
            #expect(throws: DecodeFailure.self) {
                let rect = PixelRect(x: 0, y: 0, width: 4, height: 4)
                return try tiled.part(PicturePart(exponent: 3, rect: rect), sink)
            }
            // The end of a file that is cut is whatever it is, and no harm.
            let last = PixelRect(x: 0, y: 180, width: 300, height: 20)
            if let memory = try? tiled.part(PicturePart(exponent: 0, rect: last), sink) {
                close(memory)
            }
        }
    }

    @Test func damagedFilesDoNoHarm() throws {
        let file = try encoded(
            ["-sample", "2x2", "-restart", "1"], PixelSize(width: 200, height: 160))
        var state: UInt64 = 3
        for _ in 0..<60 {
            var bytes = file
            for _ in 0..<5 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[300 + Int(state >> 33) % (file.count - 300)] = UInt8(
                    truncatingIfNeeded: state >> 20)
            }
            let descriptor = open(folder.file("damaged.jpg", bytes), O_RDONLY)
            defer { close(descriptor) }
            guard let tiled = try? TiledJPEG(descriptor, largerThan: 0) else { continue }
            let sink = Sink()
            guard (try? tiled.decode(for: tiled.info.size, to: sink)) != nil else { continue }
            for y in stride(from: 0, to: tiled.info.size.height - 20, by: 37) {
                let rect = PixelRect(x: 3, y: y, width: 50, height: 20)
                if let memory = try? tiled.part(PicturePart(exponent: 0, rect: rect), sink) {
                    close(memory)
                }
            }
        }
    }

    // MARK: Drawings

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
            let sink = Sink()
            for (exponent, unit) in [(0, 1024), (1, 512), (4, 64), (6, 16)] {
                let edge = PixelRect(x: 50 * unit - 7, y: 9 * unit, width: 14, height: 3)
                let (size, part) = try shown(
                    PicturePart(exponent: exponent, rect: edge), tiled, sink)
                #expect(size == PixelSize(width: 14, height: 3))
                for (index, word) in part.enumerated() {
                    #expect(word == (index % 14 < 7 ? 0 : 0xFFFF_0000))
                }
                // Half as far right as it is down.
                let slant = PixelRect(x: 20 * unit - 8, y: 40 * unit, width: 16, height: 1)
                let (_, row) = try shown(PicturePart(exponent: exponent, rect: slant), tiled, sink)
                let mixed = row.filter { $0 != 0 && $0 != 0xFF00_FF00 }
                #expect(mixed.count <= 2 && row[0] == 0xFF00_FF00 && row[15] == 0)
            }
        }
    }

    private func shown(
        _ part: PicturePart, _ tiled: some TiledDecoder, _ sink: Sink
    ) throws -> (PixelSize, [UInt32]) {
        let memory = try tiled.part(part, sink)
        defer { close(memory) }
        return try words(memory, tiled.info)
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
            let (_, words) = try shown(PicturePart(exponent: 0, rect: edge), tiled, Sink())
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
                    let (_, words) = try shown(
                        PicturePart(exponent: exponent, rect: place), tiled, Sink())
                    #expect(words == [word], "\(exponent) \(x) \(y)")
                }
            }
        }
    }

    // MARK: On the disk

    /// How pictures of `source.ppm` are made that need not be held.
    static let makers: KeyValuePairs = [
        "it.png": "convert source.ppm it.png",
        "interlaced.png": "convert source.ppm -interlace png interlaced.png",
        "deep.png": "convert source.ppm -depth 16 -gamma 1.1 -interlace png PNG48:deep.png",
        "it.tiff": "convert source.ppm it.tiff",
        "turned.tiff": "convert source.ppm -orient right-top turned.tiff",
        "it.bmp": "convert source.ppm it.bmp", "it.ppm": "cp source.ppm it.ppm",
        "it.qoi": "convert source.ppm it.qoi", "it.tga": "convert source.ppm -compress rle it.tga",
        "it.hdr": "convert source.ppm it.hdr", "it.pfm": "convert source.ppm it.pfm",
        "progressive.jpg": "cjpeg -progressive source.ppm >progressive.jpg",
        "arithmetic.jpg": "cjpeg -arithmetic source.ppm >arithmetic.jpg",
        "it.jxl": "cjxl --quiet -e 3 -d 0 source.ppm it.jxl",
        "lossy.jxl": "cjxl --quiet -e 3 -d 1 source.ppm lossy.jxl",
        "alpha.jxl": "convert source.ppm -alpha set -channel A -evaluate set 60% a.png && "
            + "cjxl --quiet -e 3 -d 0 a.png alpha.jxl",
        "deep.jxl": "convert source.ppm -depth 16 -gamma 1.1 d.png && "
            + "cjxl --quiet -e 3 -d 0 d.png deep.jxl",
        "light.jxl": "convert source.ppm l.pfm && cjxl --quiet -e 3 -d 0 l.pfm light.jxl",
        "it.jp2": "opj_compress -i source.ppm -o it.jp2",
        "tiles.jp2": "opj_compress -n 4 -t 300,200 -i source.ppm -o tiles.jp2",
        // ImageMagick writes it and says that it failed.
        "chroma.j2k": "convert source.ppm -crop 1202x900+0+0 -sampling-factor 4:2:0 c.yuv; "
            + "mv c.yuv c.raw && opj_compress -mct 0 -F 1202,900,3,8,u@1x1:2x2:2x2 -n 3 "
            + "-t 300,101 -i c.raw -o chroma.j2k",
        "odd.j2k": "opj_compress -n 4 -d 13,9 -T 5,3 -t 301,257 -i source.ppm -o odd.j2k",
        "grid.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -y 444 -g 3x2 c.png grid.avif",
        "deep.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -d 10 -y 420 -g 3x2 c.png deep.avif",
        // This encoder turns the tiles as well, which is mended here.
        "turned.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -y 444 -g 3x2 --irot 1 c.png turned.avif && "
            + #"perl -0777 -pi -e 's/\x86\x03\x84/\x86\x03\x03/g' turned.avif"#,
    ]

    private func made(_ name: String) throws -> [UInt8] {
        let size = PixelSize(width: 1203, height: 901)
        let picture = TestPicture.photograph(size.width, size.height)
        _ = folder.file(
            "source.ppm", Array("P6\n\(size.width) \(size.height)\n255\n".utf8) + picture.pixels)
        let maker = try #require(Self.makers.first { $0.key == name }).value
        let result = ChildProcess.run(["sh", "-c", "cd \(folder.path) && \(maker)"])
        #expect(result.status == 0, "\(result.errors)")
        return try #require(TestFile.read(folder / name))
    }

    /// Above a limit that is set low the overview and every part are what the picture held whole is.
    @Test(arguments: makers.map(\.key))
    func whatLiesOnTheDiskIsWhatIsHeld(name: String) throws {
        let file = try made(name)
        var limits = DecodeLimits.standard
        let held = try Decoding(DecodeClient(decoderPath: Binaries.decoder), id: 1, file)
        limits.wholePixels = 1_000_000
        let client = try DecodeClient(decoderPath: Binaries.decoder, limits: limits)
        let spilled = Decoding(client, id: 1, file)
        let info = try #require(spilled.info)
        #expect(info.isTiled && info.room > info.size.width * info.size.height * 5)
        #expect(info.size == held.info?.size && spilled.failure == nil && spilled.notice == nil)
        let (whole, overview) = (
            try #require(held.bitmaps.last), try #require(spilled.bitmaps.last)
        )
        #expect(overview.levels.map(\.size) == whole.levels.map(\.size))
        for (level, place) in whole.levels.enumerated() where place.exponent < 4 {
            let area = PixelSize(width: place.size.width, height: place.size.height)
            let rect = PixelRect(
                x: area.width / 3, y: area.height / 4, width: area.width / 2,
                height: area.height / 2)
            let part = PicturePart(exponent: place.exponent, rect: rect)
            let bitmap = try #require(Self.part(part, of: 1, from: client))
            for (x, y) in [(0, 0), (rect.width - 1, 0), (rect.width / 2, rect.height - 1)] {
                let wanted = whole.pixel(rect.x + x, rect.y + y, level: level)
                #expect(bitmap.pixel(x, y) == wanted, "\(place.exponent) \(x) \(y)")
                #expect(overview.pixel(rect.x + x, rect.y + y, level: level) == wanted)
            }
        }
        // And there is none outside.
        let outside = PicturePart(
            exponent: 0, rect: PixelRect(x: info.size.width - 5, y: 0, width: 20, height: 20))
        #expect(Self.part(outside, of: 1, from: client) == nil)
    }

    /// A part as the viewer asks for it; nil where the decoder fails.
    private static func part(_ part: PicturePart, of id: Int, from client: DecodeClient) -> Bitmap?
    {
        client.part(id, part, now: Decoding.now())
        while true {
            for event in Decoding.events(of: client) {
                switch event {
                case .part(_, _, let bitmap): return bitmap
                case .failed: return nil
                default: break
                }
            }
        }
    }

    /// What is there of a file that is cut short is seen, and told to be less.
    @Test(arguments: [
        "interlaced.png", "it.hdr", "it.tga", "progressive.jpg", "lossy.jxl", "alpha.jxl",
        "tiles.jp2", "odd.j2k", "grid.avif",
    ])
    func cutOnesShowWhatThereIs(name: String) throws {
        var file = try made(name)
        var limits = DecodeLimits.standard
        let held = try Decoding(DecodeClient(decoderPath: Binaries.decoder), id: 1, file)
        limits.wholePixels = 1_000_000
        let client = try DecodeClient(decoderPath: Binaries.decoder, limits: limits)
        if name == "grid.avif" {
            // Of one whose end is missing the library tells nothing.
            for place in (file.count * 3 / 4)..<file.count { file[place] = 0 }
        } else {
            file.removeLast(file.count / 4)
        }
        let cut = Decoding(client, id: 1, file)
        #expect(cut.failure == nil && cut.notice != nil)
        let (whole, overview) = (
            try #require(held.bitmaps.last), try #require(cut.bitmaps.last)
        )
        #expect(overview.levels.map(\.size) == whole.levels.map(\.size))
        // Where scans or passes refine, all there is is a coarser one.
        let isCoarse = ["interlaced.png", "progressive.jpg", "lossy.jxl", "alpha.jxl"].contains(
            name)
        // This one is stored from the bottom up.
        let y = name == "it.tga" ? 892 : 8
        let (seen, there) = (overview.pixel(300, y, level: 0), whole.pixel(300, y, level: 0))
        let distance = max(abs(seen.1 - there.1), abs(seen.2 - there.2), abs(seen.3 - there.3))
        #expect(distance <= (isCoarse ? 60 : 0), "\(seen) \(there)")
    }

    /// Cut short, what there is is shown; and a room that is too small is noticed.
    @Test func badOnesOnTheDiskEndWell() throws {
        let picture = TestPicture.photograph(1203, 901)
        let file = picture.png()
        var limits = DecodeLimits.standard
        limits.wholePixels = 1_000_000
        let client = try DecodeClient(decoderPath: Binaries.decoder, limits: limits)
        let cut = Decoding(client, id: 1, Array(file.prefix(file.count / 2)))
        #expect(cut.notice != nil && cut.failure == nil)
        client.cancel(1, now: Decoding.now())
        client.open(2, descriptor: Decoding.file(file), now: Decoding.now())
        client.decode(2, target: picture.size, now: Decoding.now())
        var failure: DecodeFailure?
        while failure == nil {
            for event in Decoding.events(of: client) {
                switch event {
                case .info: client.giveRoom(2, descriptor: Decoding.room(4096))
                case .failed(_, let reason): failure = reason
                case .pixels, .finished: Issue.record("there was no room for it")
                default: break
                }
            }
        }
        #expect(failure == .unreadable(reason: "there is no room on the disk for it"))
    }

    /// Where there is no room on the disk it is held in memory, if it is not too large for that.
    @Test(arguments: [false, true]) func withoutRoomItIsHeld(isTooLarge: Bool) throws {
        let picture = TestPicture.photograph(1203, 901)
        var limits = DecodeLimits.standard
        limits.wholePixels = 1_000_000
        if isTooLarge { limits.pixels = 1_050_000 }
        let client = try DecodeClient(decoderPath: Binaries.decoder, limits: limits)
        client.open(1, descriptor: Decoding.file(picture.png()), now: Decoding.now())
        client.decode(1, target: picture.size, now: Decoding.now())
        var bitmap: Bitmap?
        var end: Result<String?, DecodeFailure>?
        while end == nil {
            for event in Decoding.events(of: client) {
                switch event {
                case .info(_, let info):
                    #expect(info.room > 0)
                    client.refuseRoom(1)
                case .pixels(_, let pixels, _): bitmap = pixels
                case .finished(_, let notice): end = .success(notice)
                case .failed(_, let reason): end = .failure(reason)
                default: break
                }
            }
        }
        #expect((bitmap == nil) == isTooLarge)
        if isTooLarge {
            #expect(
                end == .failure(.unreadable(reason: "there is no room on the disk for it")))
        } else {
            #expect(end == .success(nil))
            #expect(try #require(bitmap).levels[0].size == picture.size)
        }
    }

    /// How much room there has to be, the viewer says, and the decoder how much for samples on their way.
    @Test(arguments: [0, 1, 16, 17])
    func scratchIsAskedForWithinBounds(scratch: Int) throws {
        let size = PixelSize(width: 12000, height: 10000)
        var info = PictureInfo(size: size, orientation: .upright, format: "PNG")
        info.isTiled = true
        info.room = 1
        info.scratch = scratch
        var bytes = DecodeReply.info(id: 1, info).bytes
        guard scratch <= 16 else {
            #expect(throws: WireError.self) { try DecodeReply(bytes) }
            return
        }
        guard case .info(1, let read) = try DecodeReply(bytes) else {
            Issue.record("no info")
            return
        }
        let pixels = size.width * size.height
        #expect(read.scratch == scratch && read.room >= pixels * (5 + scratch))
        #expect(read.room == PixelLayout.room(for: size, scratch: scratch))
        // Only with room there is any.
        bytes[bytes.count - 3] &= ~4
        if scratch > 0 {
            #expect(throws: WireError.self) { try DecodeReply(bytes) }
        }
    }

    /// How much room there has to be, the viewer says.
    @Test(arguments: [
        (PixelSize(width: 20000, height: 20000), true),
        (PixelSize(width: 3, height: 1 << 24), true),
        (PixelSize(width: 1, height: 1 << 28), false),
        (PixelSize(width: 1 << 16, height: 1 << 16), false),
    ])
    func roomIsAskedForPicturesThatMayHaveIt(size: PixelSize, isAllowed: Bool) throws {
        var info = PictureInfo(size: size, orientation: .upright, format: "PNG")
        info.isTiled = true
        info.room = 1
        let bytes = DecodeReply.info(id: 1, info).bytes
        if isAllowed {
            guard case .info(1, let read) = try DecodeReply(bytes) else {
                Issue.record("no info")
                return
            }
            #expect(read.room > size.width * size.height * 5 && read.room <= 16 << 30)
        } else {
            #expect(throws: WireError.self) { try DecodeReply(bytes) }
        }
        info.isTiled = false
        #expect(throws: WireError.self) { try DecodeReply(DecodeReply.info(id: 1, info).bytes) }
    }

    /// Where files lie in memory, there is no room to be saved.
    @Test func noRoomIsMadeInMemory() {
        #expect(clinux_make_room("/dev/shm", 4096) == -1)
        #expect(errno == EOPNOTSUPP)
        let room = clinux_make_room("/var/tmp", 4096)
        #expect(room >= 0)
        close(room)
    }

    /// Looks at memory in the middle of a picture.
    private final class Observer: DecodeSink {
        /// Bytes of files in /var/tmp that are in memory, by their mapping.
        private(set) var resident: Int?
        private(set) var memory: Int32 = -1
        private var calls = 0

        func shouldContinue() -> Bool {
            calls += 1
            if calls == 6 { resident = Self.resident }
            return true
        }

        func deliver(_ memory: Int32, isFinal: Bool) { self.memory = memory }
        deinit { close(memory) }

        private static var resident: Int {
            let text = String(decoding: Reference.contents("/proc/self/smaps"), as: UTF8.self)
            let lines = text.split(separator: "\n")
            let sizes = lines.indices.filter { lines[$0].contains(" /var/tmp/") }.compactMap {
                lines[$0...].first { $0.hasPrefix("Rss:") }?.split(separator: " ").dropFirst().first
            }
            return sizes.compactMap { Int($0) }.reduce(0, +) << 10
        }
    }

    /// On a real disk; memory is given back while rows are written, reduced and copied, and nothing of
    /// the pixels is lost by it.
    @Test func memoryIsGivenBackAndPixelsStay() throws {
        let picture = TestPicture.photograph(1203, 901)
        try picture.png().withUnsafeBytes { bytes in
            let still = try StillDecoder<PNGCodec>(bytes)
            let spilled = SpilledPicture(still, scratch: 0, relief: 1 << 15)
            let room = clinux_make_room("/var/tmp", Int64(spilled.info.room))
            try #require(room >= 0)
            spilled.take(room: room)
            let observer = Observer()
            #expect(try spilled.decode(for: picture.size, to: observer) == nil)
            // Without it nearly all would be there by then.
            #expect(try #require(observer.resident) < spilled.info.room / 4)
            let sink = Sink()
            var whole = still
            #expect(try whole.decode(for: picture.size, to: sink) == nil)
            for exponent in 0..<4 {
                let held = try words(sink.memory[0], still.info, level: exponent)
                #expect(try words(observer.memory, still.info, level: exponent) == held)
                let part = PicturePart(
                    exponent: exponent, rect: PixelRect(picture.size.reduced(by: exponent)))
                let memory = try spilled.part(part, sink)
                defer { close(memory) }
                #expect(try words(memory, still.info) == held)
            }
        }
    }

    /// A file that is mapped and becomes shorter is read as zeros from there on.
    @Test func aMappedFileMayShrink() throws {
        let length = 3 << 20
        let file = Decoding.file([UInt8](repeating: 7, count: length))
        defer { close(file) }
        let base = try #require(clinux_map_file(file, length))
        defer { clinux_unmap_file() }
        let bytes = UnsafeRawBufferPointer(start: base, count: length)
        #expect(bytes[0] == 7 && bytes[length - 1] == 7)
        #expect(clinux_map_file(file, length) == nil)
        ftruncate(file, 1 << 20)
        clinux_relieve_file()
        #expect(bytes[(1 << 20) - 1] == 7)
        #expect(bytes[2 << 20] == 0 && bytes[length - 1] == 0)
    }

    /// And one that was mapped before has no say in what lies there afterwards.
    @Test func afterAMappedFileAccessesAreCheckedAsEver() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            let file = Decoding.file([UInt8](repeating: 7, count: 3 << 20))
            _ = clinux_map_file(file, 3 << 20)
            clinux_unmap_file()
            // Most likely at the same place.
            let base = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE, file, 0)
            ftruncate(file, 0)
            _ = base?.load(as: UInt8.self)
        }
    }
}
