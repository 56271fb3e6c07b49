import Containers
import Testing

@Suite struct BigEndianReaderTests {
    @Test func numbersAreReadInOrder() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
        bytes.withUnsafeBytes {
            var reader = BigEndianReader($0)
            #expect(reader.number(1) == 1 && reader.number(2) == 0x0203)
            #expect(reader.number(4) == 0x0405_0607 && reader.number(0) == 0)
            #expect(reader.rest.isEmpty)
        }
    }

    /// A failed read consumes nothing, so that the caller can read something shorter.
    @Test func nothingIsConsumedWithoutEnoughBytes() {
        let bytes: [UInt8] = [1, 2, 3]
        bytes.withUnsafeBytes {
            var reader = BigEndianReader($0)
            #expect(
                reader.number(4) == nil && reader.consume(4) == nil && reader.consume(-1) == nil)
            #expect(reader.consume(3)?.elementsEqual([1, 2, 3]) == true)
        }
    }

    @Test func numbersBeyondIntAreRefused() {
        let bytes = [UInt8](repeating: 0xFF, count: 8) + [0x7F] + [UInt8](repeating: 0xFF, count: 7)
        bytes.withUnsafeBytes {
            var reader = BigEndianReader($0)
            #expect(reader.number(8) == nil)
            #expect(reader.number(8) == .max)
        }
    }

    @Test func partsLieInsideTheBytes() {
        let bytes: [UInt8] = [1, 2, 3, 4]
        bytes.withUnsafeBytes {
            #expect($0.part(at: 1, length: 2)?.elementsEqual([2, 3]) == true)
            #expect($0.part(at: 4, length: 0)?.isEmpty == true)
            for (offset, length) in [(-1, 1), (0, 5), (3, 2), (5, 0), (1, -1), (1, .max)] {
                #expect($0.part(at: offset, length: length) == nil, "\(offset), \(length)")
            }
            #expect($0.dropping(1).elementsEqual([2, 3, 4]) && $0.dropping(9).isEmpty)
        }
    }
}
