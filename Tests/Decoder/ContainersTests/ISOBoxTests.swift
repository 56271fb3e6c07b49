import Containers
import Testing

@Suite struct ISOBoxTests {
    private func box(_ type: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
        joined(number(length ?? body.count + 8, 4), Array(type.utf8), body)
    }

    private func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private func boxes(
        _ file: [UInt8], most: Int = 4096, endsAnywhere: Bool = false
    ) -> [(type: String, body: [UInt8])] {
        file.withUnsafeBytes { bytes in
            ISOBoxes(bytes, most: most, endsAnywhere: endsAnywhere).map {
                ($0.type, Array($0.body))
            }
        }
    }

    @Test func lengthsHaveThreeForms() {
        let long = joined(number(1, 4), Array("long".utf8), number(18, 8), [7, 8])
        let file = joined(box("ftyp", [1, 2]), long, box("mdat", [9, 9, 9], length: 0))
        let found = boxes(file)
        #expect(found.map(\.type) == ["ftyp", "long", "mdat"])
        #expect(found.map(\.body) == [[1, 2], [7, 8], [9, 9, 9]])
    }

    @Test func aBoxThatIsCutShortEndsTheIteration() {
        let file = box("ftyp", [1, 2]) + box("mdat", [9, 9], length: 100)
        #expect(boxes(file).map(\.type) == ["ftyp"])
        #expect(boxes(file, endsAnywhere: true).last?.body == [9, 9])
    }

    @Test func theNumberOfBoxesIsLimited() {
        let file = (0..<10).flatMap { _ in box("free", []) }
        #expect(boxes(file, most: 3).count == 3)
    }

    @Test func itemsHaveNumbersAndTypes() {
        let short = box(
            "infe", joined([2, 0, 0, 0], number(7, 2), [0, 0], Array("Exif".utf8)))
        let long = box(
            "infe", joined([3, 0, 0, 0], number(70_000, 4), [0, 0], Array("mime".utf8), [5]))
        let old = box(
            "infe", joined([0, 0, 0, 0], number(1, 2), [0, 0], Array("none".utf8)))
        let file = joined([0, 0, 0, 0], number(3, 2), short, old, long)
        file.withUnsafeBytes { bytes in
            let items = ISOItems(bytes).map { Array($0) } ?? []
            #expect(items.map(\.number) == [7, 70_000])
            #expect(items.map(\.type) == ["Exif", "mime"])
            #expect(items.last?.rest.elementsEqual([5]) == true)
        }
    }

    /// One extent in the file, one in the idat box, one of two extents, and one past the end.
    @Test func onlyItemsWithOneExtentInsideAreLocated() {
        func item(_ id: Int, method: Int, _ extents: [(Int, Int)]) -> [UInt8] {
            joined(
                number(id, 2), number(method, 2), number(0, 2), number(extents.count, 2),
                extents.flatMap { number($0.0, 4) + number($0.1, 4) })
        }
        let table = joined(
            [1, 0, 0, 0, 0x44, 0x00], number(4, 2), item(1, method: 0, [(2, 3)]),
            item(2, method: 1, [(0, 2)]), item(3, method: 0, [(0, 1), (2, 1)]),
            item(4, method: 0, [(8, 9)]))
        let file: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        let data: [UInt8] = [40, 41, 42]
        table.withUnsafeBytes { table in
            file.withUnsafeBytes { file in
                data.withUnsafeBytes { data in
                    let locations = ISOItemLocations(table, wanted: [1, 2, 3, 4])
                    func bytes(_ id: Int) -> [UInt8]? {
                        locations.bytes(of: id, file: file, data: data).map { Array($0) }
                    }
                    #expect(bytes(1) == [2, 3, 4] && bytes(2) == [40, 41])
                    #expect(bytes(3) == nil && bytes(4) == nil && bytes(5) == nil)
                    #expect(locations.bytes(of: 2, file: file, data: nil) == nil)
                }
            }
        }
    }
}
