import Edits
import Geometry
import ImageTypes
import ImageWire
import RasterPipeline
import TestKit
import Testing

@testable import PictureWriter

/// Boxes that do not say what they should.
@Suite struct ContainerBoxTests {
    private let bench = EditBench()

    // MARK: Places of items

    /// The body of an iloc box of version 0; `sizes` are those of offsets, lengths and bases.
    private func locations(_ sizes: (Int, Int, Int), _ items: [[UInt8]]) -> [UInt8] {
        [0, 0, 0, 0, UInt8(sizes.0 << 4 | sizes.1), UInt8(sizes.2 << 4)]
            + TestMetadata.number(items.count, 2) + items.flatMap(\.self)
    }

    private func move(_ box: [UInt8], by growth: Int) throws -> ByteChanges {
        var changes = ByteChanges()
        try box.withUnsafeBytes {
            try ItemOffsets($0, 0..<box.count).move(from: 100, by: growth, &changes)
        }
        return changes
    }

    @Test func offsetsTooLargeToGrowAreRefused() throws {
        let id = TestMetadata.number(1, 2) + [0, 0]
        let base = id + TestMetadata.number(Int.max - 3, 8) + TestMetadata.number(0, 2)
        #expect(throws: EditFailure.self) { try move(locations((0, 4, 8), [base]), by: 10) }
        let extent =
            id + TestMetadata.number(1, 2) + TestMetadata.number(Int.max - 3, 8)
            + TestMetadata.number(4, 4)
        #expect(throws: EditFailure.self) { try move(locations((8, 4, 0), [extent]), by: 10) }
    }

    @Test func extentsWithoutFieldsAreRefused() throws {
        let item = TestMetadata.number(1, 2) + [0, 0] + TestMetadata.number(0xFFFF, 2)
        let box = locations((0, 0, 0), [[UInt8]](repeating: item, count: 0xFFFF))
        #expect(throws: EditFailure.self) { try move(box, by: 10) }
        // One extent is the whole file or item.
        let whole = TestMetadata.number(1, 2) + [0, 0] + TestMetadata.number(1, 2)
        #expect(try move(locations((0, 0, 0), [whole]), by: 10).growth == 0)
    }

    // MARK: JPEG XL

    /// The boxes of a file, with their headers.
    private func boxes(_ bytes: [UInt8]) -> [(type: String, body: [UInt8])] {
        var result: [(String, [UInt8])] = []
        var rest = bytes[...]
        while rest.count >= 8 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let end = size == 0 ? rest.endIndex : rest.startIndex + size
            let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            result.append((name, Array(rest[(rest.startIndex + 8)..<end])))
            rest = rest[end...]
        }
        return result
    }

    /// The header may be split among boxes, and then the first one does not have all of it.
    @Test func aHeaderInSeveralBoxesIsRefused() throws {
        let source = try bench.source(
            "it.jxl", by: "cjxl photo.png it.jxl -d 1 -e 3 --container=1", tags: false)
        func split(at place: Int) -> [UInt8] {
            boxes(source).flatMap { box -> [UInt8] in
                guard box.type == "jxlc" else { return TestMetadata.box(box.type, box.body) }
                return TestMetadata.box(
                    "jxlp", TestMetadata.number(0, 4) + box.body.prefix(place))
                    + TestMetadata.box(
                        "jxlp", TestMetadata.number(0x8000_0001, 4) + box.body.dropFirst(place))
            }
        }
        bench.put("split.jxl", split(at: 3))
        try bench.run("djxl split.jxl split.png 2>&1")
        for place in 0...3 {
            #expect(throws: EditFailure.self, "\(place)") {
                try Edited(split(at: place), turn: .rotatedLeft)
            }
        }
        // How many more bytes the header takes depends on the version of libjxl: a picture that is not
        // refused is turned as it should be.
        for place in 4...6 {
            guard let edited = try? Edited(split(at: place), turn: .rotatedLeft) else { continue }
            #expect(
                try fingerprint(edited.bytes).pixels
                    == fingerprint(split(at: place), PictureEdit(turn: .rotatedLeft)).pixels,
                "\(place)")
        }
        // A box whose length looks like the rest of the header, behind three bytes of it.
        let before = boxes(source).filter { $0.type != "jxlc" }
        let stream = try #require(boxes(source).first { $0.type == "jxlc" }).body
        let misleading =
            before.flatMap { TestMetadata.box($0.type, $0.body) }
            + TestMetadata.box("jxlp", TestMetadata.number(0, 4) + stream[..<3])
            + TestMetadata.box("free", [UInt8](repeating: 0, count: 64))
            + TestMetadata.box("jxlp", TestMetadata.number(0x8000_0001, 4) + stream[3...])
        #expect(throws: EditFailure.self) { try Edited(misleading, turn: .rotatedLeft) }
        // All of the header, and not much more.
        let bytes = split(at: 40)
        let edited = try Edited(bytes, turn: .rotatedLeft)
        #expect(
            try fingerprint(edited.bytes).pixels
                == fingerprint(bytes, PictureEdit(turn: .rotatedLeft)).pixels)
        // A box without even the number of its part.
        let short = boxes(source).flatMap { box in
            TestMetadata.box(
                box.type == "jxlc" ? "jxlp" : box.type, box.type == "jxlc" ? [0, 0] : box.body)
        }
        #expect(throws: EditFailure.self) { try Edited(short, turn: .rotatedLeft) }
    }

    // MARK: Colours of a PNG

    private func png(_ command: String, _ name: String) throws -> [UInt8] {
        let source = try bench.source(
            name, by: "convert photo.png photo.ppm && \(command)", tags: false)
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 1, y: 2, width: 20, height: 20))))
        request.mayReencode = true
        return try Edited(source, request).bytes
    }

    private func jxl(_ colors: String) -> String {
        "cjxl photo.ppm it.jxl -d 0 -e 3 -x 'color_space=\(colors)'"
    }

    private func chunk(_ name: String, _ file: [UInt8]) -> [UInt8]? {
        let name = Array(name.utf8)
        guard let place = file.indices.first(where: { file[$0...].starts(with: name) }) else {
            return nil
        }
        let length = file[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
        return Array(file[(place + 4)..<(place + 4 + length)])
    }

    /// Code points are those that say what is shown: sRGB's curve is not that of BT.709.
    @Test func codePointsOfThePNGAreThoseOfTheSource() throws {
        #expect(try chunk("cICP", png(jxl("RGB_D65_DCI_Rel_SRG"), "it.jxl")) == [12, 13, 0, 1])
        #expect(try chunk("cICP", png(jxl("RGB_D65_202_Rel_PeQ"), "it.jxl")) == [9, 16, 0, 1])
        #expect(
            try chunk(
                "cICP", png("avifenc -s 9 --cicp 12/13/6 photo.png it.avif", "it.avif"))
                == [12, 13, 0, 1])
        // sRGB needs no declaration, or is declared.
        let standard = try chunk("cICP", png(jxl("RGB_D65_SRG_Rel_SRG"), "it.jxl"))
        #expect(standard == nil || standard == [1, 13, 0, 1])
    }

    /// A gamma has no code point, nor have most primaries.
    @Test func coloursWithoutCodePointsAreDeclaredByGamma() throws {
        let file = try png(jxl("RGB_D65_202_Rel_g0.4"), "it.jxl")
        bench.put("mine.png", file)
        #expect(chunk("cICP", file) == nil)
        let tags = try bench.run(
            "exiftool -s -s -s -n -PNG:Gamma -WhitePointX -RedX -RedY -BlueY mine.png")
        let numbers = tags.split(separator: "\n").compactMap { Double($0) }
        let asked = [2.5, 0.3127, 0.708, 0.292, 0.046]
        #expect(numbers.count == asked.count, "\(tags)")
        #expect(zip(numbers, asked).allSatisfy { abs($0 - $1) < 0.001 }, "\(tags)")
    }

    @Test func coloursThatNoChunkDeclaresAreRefused() throws {
        let colors = ColorEncoding(
            primaries: .init(
                white: .init(0.3, 0.3), red: .init(0.6, 0.3), green: .init(0.3, 0.6),
                blue: .init(0.1, 0.1)), transfer: .sRGB)
        let chunks: [UInt8]? = PNGColorChunks.bytes(.encoded(colors))
        #expect(chunks == nil)
    }
}
