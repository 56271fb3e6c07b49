import Edits
import Geometry
import ImageWire
import TestKit
import Testing

@testable import PictureWriter

/// Files with several pictures, of which a new file has one.
@Suite struct FurtherPictureTests {
    private let bench = EditBench()

    private static let crop: EditRequest = {
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 2, y: 3, width: 20, height: 16))))
        request.mayReencode = true
        return request
    }()

    /// The command makes `it` of `photo.png` and `small.png`, which has half the size.
    @Test(arguments: [
        ("two.tif", "convert photo.png small.png two.tif", true),
        ("one.tif", "convert photo.png one.tif", false),
        ("two-big.tif", "convert photo.png small.png TIFF64:two-big.tif", true),
        ("one-big.tif", "convert photo.png TIFF64:one-big.tif", false),
        ("two.ico", "convert photo.png small.png two.ico", true),
        ("one.ico", "convert photo.png one.ico", false),
        ("two.heic", "heif-enc -q 50 photo.png small.png -o two.heic", true),
        ("one.heic", "heif-enc -q 50 photo.png -o one.heic", false),
        // A thumbnail is a copy of its picture, and an alpha channel is kept.
        ("thumb.heic", "heif-enc -t 32 -q 60 photo.png -o thumb.heic", false),
        (
            "alpha.heic",
            "convert photo.png -alpha set -channel a -evaluate set 40% a.png && "
                + "heif-enc -q 60 a.png -o alpha.heic", false
        ),
        ("two.avif", "heif-enc -A -q 50 photo.png small.png -o two.avif", true),
        ("one.png", "convert photo.png one.png", false),
    ])
    func whatIsLeftOutIsTold(name: String, command: String, isTold: Bool) throws {
        let small = "convert photo.png -resize 50% small.png"
        let source = try bench.source(name, by: "\(small) && \(command)", tags: false)
        let description = try Edited(source, Self.crop).description
        #expect(description.omitsPictures == isTold)
        #expect(description.losses.contains { $0.contains("further pictures") } == isTold)
        // A turn by the tag leaves nothing out.
        guard !name.hasSuffix("ico"), !name.hasSuffix("big.tif") else { return }
        let turned = try Edited(source, turn: .rotatedLeft).description
        #expect(turned.method == .orientationTag)
        #expect(!turned.omitsPictures && turned.losses.isEmpty)
    }

    /// Turns that need a new encoding tell what is left out, too.
    @Test(arguments: ["two.ico", "TIFF64:two.tif"]) func aTurnedCopyTells(target: String) throws {
        let name = String(target.split(separator: ":").last ?? "")
        let source = try bench.source(
            name,
            by: "convert photo.png -resize 50% small.png && convert photo.png small.png "
                + target, tags: false)
        var request = EditRequest(PictureEdit(turn: .rotatedLeft))
        request.mayReencode = true
        #expect(try Edited(source, request).description.omitsPictures)
    }

    /// Reduced copies of a page in the list of the pages are no further pictures.
    @Test func reducedCopiesAreNotTold() throws {
        func page(_ side: Int, _ kind: Int) -> TestTIFF.Page {
            var page = TestTIFF.Page(
                width: side, height: side, bits: 8, samples: 3, photometric: 2,
                pixels: (0..<(side * side * 3)).map { UInt8($0 & 255) })
            page.fields = [.init(254, longs: [kind])]
            return page
        }
        for (kind, isTold) in [(0, true), (2, true), (1, false), (4, false)] {
            let source = TestTIFF.encode([page(48, 0), page(24, kind)])
            #expect(try Edited(source, Self.crop).description.omitsPictures == isTold, "\(kind)")
        }
    }

    @Test func entriesOfAnIconWithoutDataAreNotTold() throws {
        let picture = TestPicture.card(48, 40).png()
        #expect(
            try Edited(TestICO.encode([picture, picture]), Self.crop).description.omitsPictures)
        var short = TestICO.encode([picture, picture])
        // The second entry leads behind the end of the file.
        short.replaceSubrange((6 + 16 + 12)..<(6 + 16 + 16), with: [0xFF, 0xFF, 0xFF, 0x7F])
        #expect(try !Edited(short, Self.crop).description.omitsPictures)
    }

    // MARK: Boxes of HEIF

    /// A file with the items of a list, item 1 of which is shown.
    private func heif(
        _ items: [(type: String, isHidden: Bool)],
        references: [(type: String, from: Int, to: [Int])] = []
    ) -> [UInt8] {
        let entries = items.enumerated().flatMap { index, item in
            TestMetadata.box(
                "infe",
                [2, 0, 0, item.isHidden ? 1 : 0] + TestMetadata.number(index + 1, 2) + [0, 0]
                    + Array(item.type.utf8) + [0])
        }
        let links = references.flatMap { reference in
            TestMetadata.box(
                reference.type,
                TestMetadata.number(reference.from, 2)
                    + TestMetadata.number(reference.to.count, 2)
                    + reference.to.flatMap { TestMetadata.number($0, 2) })
        }
        let boxes =
            TestMetadata.box("pitm", [0, 0, 0, 0, 0, 1])
            + TestMetadata.box(
                "iinf", [0, 0, 0, 0] + TestMetadata.number(items.count, 2) + entries)
            + TestMetadata.box("iref", [0, 0, 0, 0] + links)
        return TestMetadata.box("ftyp", Array("heic\0\0\0\0mif1".utf8))
            + TestMetadata.box("meta", [0, 0, 0, 0] + boxes)
    }

    private func pictures(_ file: [UInt8]) -> (auxiliary: Bool, others: Bool)? {
        file.withUnsafeBytes { HEIFPictures($0) }.map { ($0.hasAuxiliary, $0.hasOthers) }
    }

    @Test func picturesAreFoundByTheirReferences() throws {
        let (shown, hidden) = ((type: "hvc1", isHidden: false), (type: "hvc1", isHidden: true))
        func found(
            _ items: [(type: String, isHidden: Bool)],
            _ references: [(type: String, from: Int, to: [Int])] = []
        ) throws -> [Bool] {
            let found = try #require(pictures(heif(items, references: references)))
            return [found.auxiliary, found.others]
        }
        #expect(try found([shown]) == [false, false])
        #expect(try found([shown, shown]) == [false, true])
        #expect(try found([shown, hidden]) == [false, false])
        #expect(try found([shown, ("Exif", false), ("mime", false)]) == [false, false])
        // Tiles of a grid, a thumbnail, a depth map, and the depth map of another picture.
        let grid = (type: "grid", isHidden: false)
        #expect(try found([grid, shown, shown], [("dimg", 1, [2, 3])]) == [false, false])
        #expect(try found([shown, shown], [("thmb", 2, [1])]) == [false, false])
        #expect(try found([shown, shown], [("auxl", 2, [1])]) == [true, false])
        #expect(try found([shown, shown, shown], [("auxl", 3, [2])]) == [false, true])
        // A tone-mapped picture is made of the shown one and its gain map.
        let mapped = (type: "tmap", isHidden: false)
        #expect(try found([shown, shown, mapped], [("dimg", 3, [1, 2])]) == [true, false])
    }

    @Test func damagedBoxesAreReadUpToTheDamage() {
        let item = (type: "hvc1", isHidden: false)
        let whole = heif([item, item, item], references: [("auxl", 2, [1]), ("dimg", 3, [1, 2])])
        for place in whole.indices {
            _ = pictures(Array(whole.prefix(place)))
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var damaged = whole
                damaged[place] = value
                _ = pictures(damaged)
            }
        }
        #expect(pictures([]) == nil && pictures(Array(whole.prefix(40))) == nil)
    }
}
