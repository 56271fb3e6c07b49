import ImageTypes
import Testing

@Suite struct StrideTests {
    /// A stride holds the row, and is an odd number of cache lines of 64 bytes.
    @Test func stridesAreOddNumbersOfCacheLines() {
        let wrongWidths = (1...70000).filter { width in
            let stride = Bitmap.Level.stride(ofWidth: width)
            return !(width * 4..<width * 4 + 128).contains(stride) || stride % 64 != 0
                || stride / 64 % 2 == 0
        }
        #expect(wrongWidths.isEmpty)
    }
}
