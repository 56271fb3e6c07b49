import ImageTypes
import Testing

@Suite struct NaturalOrderTests {
    @Test func namesAreInNaturalOrder() {
        let names = [
            "IMG_2.jpg", "img_10.jpg", "IMG_1.jpg", "a.png", "B.png", "page 007.png", "page 7.png",
            "page 06.png",
        ]
        let sorted = names.sorted {
            NaturalOrder.isOrdered(Array($0.utf8), before: Array($1.utf8))
        }
        #expect(
            sorted == [
                "a.png", "B.png", "IMG_1.jpg", "IMG_2.jpg", "img_10.jpg", "page 06.png",
                "page 007.png", "page 7.png",
            ])
    }

    @Test func theOrderIsStrictAndTotal() {
        let names: [[UInt8]] = [
            [], [0xFF, 0xFE], Array("1".utf8), Array("01".utf8), Array("1a".utf8), Array("A".utf8),
            Array("a".utf8), Array("99999999999999999999999".utf8), [0x31, 0xC3],
        ]
        for (i, a) in names.enumerated() {
            for (j, b) in names.enumerated() {
                let (before, after) = (
                    NaturalOrder.isOrdered(a, before: b), NaturalOrder.isOrdered(b, before: a)
                )
                #expect(i == j ? !before && !after : before != after)
            }
        }
    }

    @Test func pictureFormatsMatchByFileExtension() {
        #expect(PictureFormat.matches(name: Array("a.JPEG".utf8)))
        #expect(PictureFormat.matches(name: Array("b.png".utf8)))
        #expect(!PictureFormat.matches(name: Array("notes.txt".utf8)))
        #expect(!PictureFormat.matches(name: Array("jpg".utf8)))
    }

    /// Bytes that sort as digits do, sort numbers by value.
    @Test func collatableNumbersSortByValueInAnyOrderOfDigits() {
        func text(_ name: String) -> String {
            String(decoding: NaturalOrder.collatable(Array(name.utf8)), as: UTF8.self)
        }
        #expect(text("a.png") == "a.png")
        #expect(text("img9-010") == "img19-210")
        #expect(text("0") == "0" && text("000x") == "0x")
        let values = [
            0, 1, 9, 10, 99, 100, 12_345_678, 99_999_999, 123_456_789, 999_999_999, 1_000_000_000,
            99_999_999_999_999_999, 100_000_000_000_000_000, 999_999_999_999_999_999,
            1_000_000_000_000_000_000,
        ]
        let texts = values.map { text("\($0)x") }
        #expect(texts == texts.sorted())
    }
}
