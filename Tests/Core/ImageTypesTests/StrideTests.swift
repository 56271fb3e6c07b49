import ImageTypes
import Testing

@Suite struct StrideTests {
    /// Rows hold their pixels, begin with cache lines, and lie in different ones from page to page.
    @Test func rowsAreLinesAndNoPages() {
        let others = (1...70000).filter { width in
            let stride = Bitmap.Level.stride(ofWidth: width)
            return !(width * 4..<width * 4 + 128).contains(stride) || stride % 64 != 0
                || stride % 4096 == 0
        }
        #expect(others.isEmpty)
    }
}
