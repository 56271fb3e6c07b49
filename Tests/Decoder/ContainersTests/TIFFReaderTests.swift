import Containers
import Testing

@Suite struct TIFFReaderTests {
    private static let orders = [true, false]

    private func number(_ value: Int, _ count: Int, _ isLittle: Bool) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// A structure with one directory, whose entries are tag, type, count and value field.
    private func file(
        _ entries: [(Int, Int, Int, [UInt8])], next: Int = 0, _ isLittle: Bool
    ) -> [UInt8] {
        joined(
            isLittle ? [0x49, 0x49] : [0x4D, 0x4D], number(42, 2, isLittle),
            number(8, 4, isLittle), number(entries.count, 2, isLittle),
            entries.flatMap { tag, type, count, value in
                joined(
                    number(tag, 2, isLittle), number(type, 2, isLittle),
                    number(count, 4, isLittle), value,
                    [UInt8](repeating: 0, count: 4 - value.count))
            }, number(next, 4, isLittle))
    }

    private func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    @Test(arguments: orders) func entriesAreReadInBothByteOrders(isLittle: Bool) throws {
        let file = file(
            [
                (1, 3, 1, number(6, 2, isLittle)), (2, 4, 1, number(70_000, 4, isLittle)),
                (3, 3, 2, number(5, 2, isLittle) + number(7, 2, isLittle)),
                (1, 3, 1, number(9, 2, isLittle)),
            ], next: 1234, isLittle)
        try file.withUnsafeBytes { bytes in
            let reader = try #require(TIFFReader(bytes))
            #expect(reader.isLittle == isLittle && reader.start == 8)
            let directory = reader.directory(at: reader.start)
            // Of two entries with the same tag, the first counts.
            #expect(directory[1].flatMap(reader.short) == 6)
            #expect(directory[2].flatMap(reader.long) == 70_000)
            #expect(directory[2].flatMap(reader.short) == nil)
            #expect(directory[3].map { reader.numbers($0, limit: 8) } == [5, 7])
            #expect(directory[3].map { reader.numbers($0, limit: 1) } == [5])
            #expect(reader.next(after: reader.start) == 1234)
        }
    }

    @Test(arguments: orders) func longValuesLieOutsideTheirEntries(isLittle: Bool) throws {
        let text = Array("2026:11:21\0".utf8)
        let start = 8 + 2 + 2 * 12 + 4
        let file =
            file(
                [
                    (1, 2, text.count, number(start, 4, isLittle)),
                    (2, 1, 64, number(start, 4, isLittle)),
                ], isLittle) + text
        try file.withUnsafeBytes { bytes in
            let reader = try #require(TIFFReader(bytes))
            let directory = reader.directory(at: reader.start)
            #expect(directory[1].flatMap(reader.text) == Array("2026:11:21".utf8))
            #expect(directory[1].flatMap { reader.value($0, limit: 4) }?.count == 4)
            // The second value ends after the file.
            #expect(directory[2].flatMap { reader.value($0) } == nil)
            #expect(reader.next(after: reader.start) == nil)
        }
    }

    @Test func otherBytesAreNoTIFF() {
        for bytes in [[], [0x49, 0x49, 42, 0], [0x49, 0x4D, 42, 0, 8, 0, 0, 0] as [UInt8]] {
            bytes.withUnsafeBytes { #expect(TIFFReader($0) == nil) }
        }
    }
}
