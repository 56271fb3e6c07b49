import DecodeClient
import Geometry
import ImageTypes
import Synchronization
import TestKit
import Testing

/// Pictures too large for memory, which are decoded into a backing file.
@Suite struct DiskBackedTests {
    let folder = TemporaryFolder()

    /// Shell commands that convert `source.ppm` to the files under test.
    static let makers: KeyValuePairs = [
        "it.png": "convert source.ppm it.png",
        "interlaced.png": "convert source.ppm -interlace png interlaced.png",
        "deep.png": "convert source.ppm -depth 16 -gamma 1.1 -interlace png PNG48:deep.png",
        "it.tiff": "convert source.ppm it.tiff",
        "rotated.tiff": "convert source.ppm -orient right-top rotated.tiff",
        "it.bmp": "convert source.ppm it.bmp", "it.ppm": "cp source.ppm it.ppm",
        "it.qoi": "convert source.ppm it.qoi",
        "it.tga": "convert source.ppm -orient bottom-left -compress rle it.tga",
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
        "parts.jp2": "opj_compress -n 4 -t 300,200 -TP R -i source.ppm -o parts.jp2",
        "precincts.jp2": "opj_compress -n 4 -p RPCL -c [64,64] -i source.ppm -o precincts.jp2",
        "layers.jp2": "opj_compress -n 4 -p LRCP -r 20,5,1 -i source.ppm -o layers.jp2",
        // ImageMagick writes the file but exits with an error.
        "chroma.j2k": "convert source.ppm -crop 1202x900+0+0 -sampling-factor 4:2:0 c.yuv; "
            + "mv c.yuv c.raw && opj_compress -mct 0 -F 1202,900,3,8,u@1x1:2x2:2x2 -n 3 "
            + "-t 300,101 -i c.raw -o chroma.j2k",
        "odd.j2k": "opj_compress -n 4 -d 13,9 -T 5,3 -t 301,257 -i source.ppm -o odd.j2k",
        "grid.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -y 444 -g 3x2 c.png grid.avif",
        "deep.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -d 10 -y 420 -g 3x2 c.png deep.avif",
        "rotated.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -y 444 -g 3x2 --irot 1 c.png rotated.avif",
        "profile.avif": "convert source.ppm -crop 1200x900+0+0 c.png && "
            + "avifenc -s 10 -y 444 -g 3x2 --icc swapped.icc c.png profile.avif",
    ]

    private static let picture = TestPicture.photograph(1203, 901)
    private static let source = Array("P6\n1203 901\n255\n".utf8) + picture.pixels

    /// The files made so far: a tool takes as long for a file as all tests that read the file.
    private static let files = Mutex<[String: [UInt8]]>([:])

    func made(_ name: String) throws -> [UInt8] {
        if let file = Self.files.withLock({ $0[name] }) { return file }
        let file = try make(name)
        Self.files.withLock { $0[name] = file }
        return file
    }

    private func make(_ name: String) throws -> [UInt8] {
        _ = folder.file("source.ppm", Self.source)
        _ = folder.file("swapped.icc", TestProfile.swapped)
        let maker = try #require(Self.makers.first { $0.key == name }).value
        let result = ChildProcess.run(["sh", "-c", "cd \(folder.path) && \(maker)"])
        #expect(result.status == 0, "\(result.errors)")
        let file = try #require(TestFile.read(folder / name))
        // avifenc also puts the rotation on the tiles.
        return name == "rotated.avif" ? try TestHEIF.takingFromTiles("irot", of: file) : file
    }

    /// With a low limit, the overview and tiles equal the in-memory decode.
    @Test(arguments: makers.map(\.key))
    func backingFilesMatchTheInMemoryDecode(name: String) throws {
        let comparison = try DiskBackedComparison(try made(name))
        try comparison.expectAlike()
        // A tile outside the picture fails.
        let width = try comparison.whole.size.width
        let outside = PictureTile(
            mipLevel: 0, rect: PixelRect(x: width - 5, y: 0, width: 20, height: 20))
        #expect(comparison.part(outside) == nil)
    }

    /// The rows that stay exact when the last quarter of a file is missing.
    ///
    /// For formats that refine in scans or passes, `distance` is the largest mean error of the other rows.
    static let cuts: [(name: String, rows: Range<Int>, distance: Double?)] = [
        ("interlaced.png", 0..<300, 6), ("it.hdr", 0..<550, nil),
        // Rows are stored from the bottom up.
        ("it.tga", 350..<901, nil), ("progressive.jpg", 0..<500, 5), ("lossy.jxl", 0..<500, 8),
        ("alpha.jxl", 0..<500, nil), ("tiles.jp2", 0..<600, nil), ("odd.j2k", 0..<508, nil),
        ("parts.jp2", 0..<600, nil), ("chroma.j2k", 0..<606, nil), ("it.jp2", 0..<0, 3),
        ("precincts.jp2", 0..<500, 4), ("layers.jp2", 0..<0, 3), ("grid.avif", 0..<450, nil),
    ]

    /// The available part of a truncated file is shown, with a message.
    @Test(arguments: cuts)
    func truncatedFilesAreShownInPart(name: String, rows: Range<Int>, distance: Double?) throws {
        let file = try made(name)
        var cut = file
        if name == "grid.avif" {
            // The library rejects a truncated file, so overwrite the end with zeros.
            for place in (file.count * 3 / 4)..<file.count { cut[place] = 0 }
        } else {
            cut.removeLast(file.count / 4)
        }
        let comparison = try DiskBackedComparison(cut, held: file)
        #expect(comparison.diskBacked.failure == nil && comparison.diskBacked.message != nil)
        let (whole, overview) = (try comparison.whole, try comparison.overview)
        try #require(overview.levels.map(\.size) == whole.levels.map(\.size))
        #expect(overview.rowOfDifference(rows: rows, from: whole, level: 0) == nil)
        guard let distance else { return }
        let (mean, black) = overview.distance(
            from: whole, rows: rows.upperBound..<whole.size.height)
        #expect(mean > 0 && mean <= distance && black == 0)
    }

    /// A truncated file is shown in part, and a backing file that is too small is detected.
    @Test func truncatedFilesAndSmallBackingFilesAreHandled() throws {
        let file = Self.picture.png()
        let client = try DiskBackedComparison.client()
        let cut = Decoding(client, id: 1, Array(file.prefix(file.count / 2)))
        #expect(cut.message != nil && cut.failure == nil)
        client.cancel()
        client.start(.picture, 2, descriptor: Decoding.file(file), now: Decoding.now())
        client.decode(2, target: Self.picture.size, now: Decoding.now())
        var failure: DecodeFailure?
        while failure == nil {
            for event in Decoding.events(of: client) {
                switch event {
                case .info: client.sendBackingFile(2, descriptor: Decoding.backingFile(4096))
                case .failed(_, let reason): failure = reason
                case .pixels, .gain, .finished: Issue.record("there was no room for it")
                default: break
                }
            }
        }
        #expect(failure == .unreadable(reason: "there is no room on the disk for it"))
    }
}
