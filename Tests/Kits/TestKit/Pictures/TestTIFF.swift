/// Writes little-endian, uncompressed TIFFs with arbitrary tags.
package enum TestTIFF {
    package struct Page {
        package var width: Int
        package var height: Int
        package var bits: Int
        package var samples: Int
        package var photometric: Int
        package var pixels: [UInt8]
        package var fields: [Field] = []

        package init(
            width: Int, height: Int, bits: Int, samples: Int, photometric: Int, pixels: [UInt8]
        ) {
            (self.width, self.height, self.bits) = (width, height, bits)
            (self.samples, self.photometric, self.pixels) = (samples, photometric, pixels)
        }
    }

    /// A tag and its value, as bytes of the type's size.
    package struct Field {
        package var tag: Int
        package var type: Int
        package var count: Int
        package var bytes: [UInt8]

        package init(_ tag: Int, bytes: [UInt8], type: Int = 1) {
            (self.tag, self.type, count, self.bytes) = (tag, type, bytes.count, bytes)
        }

        package init(_ tag: Int, shorts: [Int]) {
            (self.tag, type, count) = (tag, 3, shorts.count)
            bytes = shorts.flatMap { TestTIFF.little($0, 2) }
        }

        package init(_ tag: Int, longs: [Int]) {
            (self.tag, type, count) = (tag, 4, longs.count)
            bytes = longs.flatMap { TestTIFF.little($0, 4) }
        }

        /// Creates a field of rationals with the denominator 10 000.
        package init(_ tag: Int, fractions: [Double], isSigned: Bool = false) {
            (self.tag, type, count) = (tag, isSigned ? 10 : 5, fractions.count)
            bytes = fractions.flatMap {
                TestTIFF.little(Int(($0 * 10000).rounded()), 4) + TestTIFF.little(10000, 4)
            }
        }
    }

    /// Encodes the pages in sequence; `subPages` belong to the first page.
    package static func encode(_ pages: [Page], subPages: [Page] = []) -> [UInt8] {
        var file: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
        let subs = subPages.map { append($0, to: &file, next: nil) }
        var link = 4
        for (index, page) in pages.enumerated() {
            var page = page
            if index == 0, !subs.isEmpty {
                page.fields.append(Field(330, longs: subs))
            }
            let place = append(page, to: &file, next: 0)
            file.replaceSubrange(link..<(link + 4), with: little(place, 4))
            link = file.count - 4
        }
        return file
    }

    /// Appends a page and returns the offset of its directory, which ends the file.
    private static func append(_ page: Page, to file: inout [UInt8], next: Int?) -> Int {
        let pixels = file.count
        file += page.pixels + (page.pixels.count.isMultiple(of: 2) ? [] : [0])
        var fields =
            [
                Field(256, longs: [page.width]), Field(257, longs: [page.height]),
                Field(258, shorts: Array(repeating: page.bits, count: page.samples)),
                Field(259, shorts: [1]), Field(262, shorts: [page.photometric]),
                Field(273, longs: [pixels]), Field(277, shorts: [page.samples]),
                Field(278, longs: [page.height]), Field(279, longs: [page.pixels.count]),
            ].filter { own in !page.fields.contains { $0.tag == own.tag } } + page.fields
        fields.sort { $0.tag < $1.tag }
        for index in fields.indices where fields[index].bytes.count > 4 {
            let place = file.count
            file += fields[index].bytes + (fields[index].bytes.count.isMultiple(of: 2) ? [] : [0])
            fields[index].bytes = little(place, 4)
        }
        let directory = file.count
        file += little(fields.count, 2)
        for field in fields {
            file += little(field.tag, 2) + little(field.type, 2) + little(field.count, 4)
            file += field.bytes + Array(repeating: 0, count: 4 - field.bytes.count)
        }
        file += little(next ?? 0, 4)
        return directory
    }

    private static func little(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
