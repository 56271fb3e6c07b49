import Pictures
import Testing

@Suite struct StrideTests {
    /// Rows hold their pixels, begin with cache lines, and lie in different ones from page to page.
    @Test func rowsAreLinesAndNoPages() {
        for width in 1...70000 {
            let stride = Bitmap.Level.stride(ofWidth: width)
            #expect((width * 4..<width * 4 + 128).contains(stride), "\(width)")
            #expect(stride % 64 == 0 && stride % 4096 != 0, "\(width)")
        }
    }
}
