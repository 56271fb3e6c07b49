import Geometry
import Glibc
import TestKit
import Testing

@testable import PictureWriter

/// Where metadata have thumbnails, also in data that are made to take long.
@Suite struct ThumbnailPlaceTests {
    // MARK: XMP

    private func elements(_ xmp: String) -> [String] {
        let bytes = Array(xmp.utf8)
        return bytes.withUnsafeBytes { XMPStaleProperty.all(in: $0) }.map(\.range).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }

    @Test(arguments: [
        "<xmp:Thumbnails><rdf:Alt/></xmp:Thumbnails>", "<xmp:Thumbnails />", "<a-b:Thumbnails/>",
        "<xmp:Thumbnails rdf:parseType=\"x>y\"\n><b>'</b></xmp:Thumbnails >",
        "<xmp:Thumbnails a='/>'/>",
    ])
    func elementsHaveTheirEnd(element: String) {
        let before = "<a title='<'><xmp:Thumbnailsize/>:Thumbnails "
        #expect(elements(before + element + "<xmp:Title>T</xmp:Title></a>") == [element])
        #expect(elements(element + "<b/>" + element) == [element, element])
    }

    @Test(arguments: [
        "<xmp:Thumbnails>", "<xmp:Thumbnails", "<xmp:Thumbnails '/>", "</xmp:Thumbnails>",
        "<Thumbnails/>", "<:Thumbnails/>", ":Thumbnails >",
    ])
    func incompleteElementsAreNone(text: String) {
        #expect(elements(text) == [])
    }

    @Test(arguments: [
        ":Thumbnails ", "<x:Thumbnails>", "<x:Thumbnails '", "<x:Thumbnails/>", "<x:Thumbnails",
        "</x:Thumbnails", "x:Thumbnails<",
    ])
    func repeatedTextTakesLinearTime(text: String) {
        let count = 200_000
        let found = elements(String(repeating: text, count: count))
        #expect(found.count == (text.hasSuffix("/>") ? count : 0))
    }

    // MARK: Photoshop's resources

    private func resource(_ kind: Int, _ data: [UInt8] = []) -> [UInt8] {
        Array("8BIM".utf8) + TestMetadata.number(kind, 2) + [0, 0]
            + TestMetadata.number(data.count, 4) + data
    }

    private func segment(_ resources: [UInt8]) -> [UInt8] {
        TestMetadata.segment(0xED, Array("Photoshop 3.0\0".utf8) + resources)
    }

    @Test func manySegmentsTakeLinearTime() {
        let (other, thumbnail) = (resource(0x0404), resource(0x040C))
        let segments = 40_000
        let one = segment(other + thumbnail + other + thumbnail)
        let file = [0xFF, 0xD8] + [[UInt8]](repeating: one, count: segments).joined()
        file.withUnsafeBytes { file in
            let thumbnails = PhotoshopThumbnails(file)
            #expect(!thumbnails.isEmpty)
            let remaining = thumbnails.remaining
            #expect(remaining.count == segments)
            let rest = Array("Photoshop 3.0\0".utf8) + other + other
            #expect(remaining.allSatisfy { $0 == rest })
        }
    }

    @Test func aSegmentOfNothingButAThumbnailIsLeftOut() {
        let parts = [resource(0x0404), resource(0x0409, [1, 2]), resource(0x040C), []]
        let file = [0xFF, 0xD8] + parts.flatMap(segment)
        file.withUnsafeBytes { file in
            let remaining = PhotoshopThumbnails(file).remaining
            #expect(remaining.map { $0 != nil } == [true, false, false, false])
        }
    }

    // MARK: EXIF

    /// EXIF data with a directory of EXIF values, whose type is `type`, a thumbnail of `length`, and a text
    /// behind it.
    private func exif(type: Int, length: Int) -> (bytes: [UInt8], text: Range<Int>) {
        let text = Array("0123456789\0\0".utf8)
        let (first, second) = (8, 8 + 2 + 12 + 4)
        let camera = second + 2 + 24 + 4
        let thumbnail = camera + 2 + 12 + 4
        let place = thumbnail + 40
        let main = TestMetadata.entry(0x8769, type: type, count: 1, TestMetadata.number(camera, 4))
        let small = TestMetadata.directory([
            TestMetadata.entry(0x0201, type: 4, count: 1, TestMetadata.number(thumbnail, 4)),
            TestMetadata.entry(0x0202, type: 4, count: 1, TestMetadata.number(length, 4)),
        ])
        let values = TestMetadata.directory([
            TestMetadata.entry(0x9003, type: 2, count: text.count, TestMetadata.number(place, 4))
        ])
        let parts: [[UInt8]] = [
            Array("MM\0*".utf8), TestMetadata.number(first, 4), TestMetadata.number(1, 2), main,
            TestMetadata.number(second, 4), small, values, [0xFF, 0xD8],
            [UInt8](repeating: 7, count: 38), text,
        ]
        return (parts.flatMap(\.self), place..<(place + text.count))
    }

    /// A thumbnail whose length is wrong may reach into other values; the offset of a directory may have
    /// the type IFD.
    @Test(arguments: [4, 13], [40, 46, 52])
    func aThumbnailEndsBeforeOtherValues(type: Int, length: Int) throws {
        let (bytes, text) = exif(type: type, length: length)
        try bytes.withUnsafeBytes { tiff in
            #expect(ExifEditing.hasThumbnail(tiff))
            let changed = try #require(
                ExifEditing.repixeled(tiff, .upright, .init(width: 9, height: 9)))
            #expect(changed[text] == bytes[text])
            #expect(!changed.contains(7))
            #expect(!changed.withUnsafeBytes { ExifEditing.hasThumbnail($0) })
        }
    }

    // MARK: Changes

    private func changed(_ ranges: [Range<Int>]) throws -> Int32 {
        var changes = ByteChanges()
        for range in ranges { changes.replace(range, with: [1, 2]) }
        let source = [UInt8](repeating: 0, count: 10)
        return try source.withUnsafeBytes { try changes.sealed($0) }
    }

    @Test func changesThatOverlapAreRefused() throws {
        for ranges in [[2..<5, 4..<6], [4..<6, 2..<5], [0..<10, 3..<3], [9..<11]] {
            #expect(throws: EditFailure.refused("parts of the file lie in the same place")) {
                try changed(ranges)
            }
        }
        close(try changed([4..<6, 2..<4, 4..<4, 10..<10]))
    }
}
