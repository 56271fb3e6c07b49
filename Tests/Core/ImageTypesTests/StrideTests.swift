import ImageTypes
import Testing

@Suite struct StrideTests {
    /// A stride holds the row, is a multiple of 64 bytes, and is not a multiple of 4096 bytes.
    @Test func stridesAreCacheLinesButNotPages() {
        let wrongWidths = (1...70000).filter { width in
            let stride = Bitmap.Level.stride(ofWidth: width)
            return !(width * 4..<width * 4 + 128).contains(stride) || stride % 64 != 0
                || stride % 4096 == 0
        }
        #expect(wrongWidths.isEmpty)
    }
}
