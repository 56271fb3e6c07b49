import Geometry
import ImageTypes
import Painting
import Testing

@Suite struct PrintedPageTests {
    private func close(_ first: Rect, _ second: Rect) -> Bool {
        abs(first.x - second.x) < 1e-6 && abs(first.y - second.y) < 1e-6
            && abs(first.width - second.width) < 1e-6 && abs(first.height - second.height) < 1e-6
    }

    @Test func aPictureIsAsLargeAsTheMarginsLet() {
        let paper = Paper(
            size: Size(width: 600, height: 800),
            printable: Rect(x: 50, y: 100, width: 400, height: 600))
        #expect(
            close(
                paper.placement(of: PixelSize(width: 40, height: 20)),
                Rect(x: 50, y: 300, width: 400, height: 200)))
        #expect(
            close(
                paper.placement(of: PixelSize(width: 1000, height: 6000)),
                Rect(x: 200, y: 100, width: 100, height: 600)))
    }

    @Test func sheetsAreInMillimetres() throws {
        let paper = try #require(
            Paper(width: 254, height: 508, top: 25.4, bottom: 50.8, left: 12.7, right: 25.4))
        #expect(abs(paper.size.width - 720) < 1e-9 && abs(paper.size.height - 1440) < 1e-9)
        #expect(close(paper.printable, Rect(x: 36, y: 72, width: 612, height: 1224)))
        #expect(Paper.a4(isLandscape: true).size.width == Paper.a4(isLandscape: false).size.height)
    }

    @Test(arguments: [
        (Double.nan, 297.0, 10.0), (210, .infinity, 10), (-210, 297, 10), (0, 0, 0),
        (1e9, 297, 10), (210, 297, -1), (210, 297, 105), (210, 297, .nan), (210, 297, .infinity),
    ])
    func sheetsThatMakeNoSenseAreRefused(width: Double, height: Double, margin: Double) {
        #expect(
            Paper(
                width: width, height: height, top: margin, bottom: margin, left: margin,
                right: margin) == nil)
    }

    private final class Pixels: PixelMemory {
        /// Nothing writes to the memory after `init`, and it lives as long as this object.
        nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

        init(_ pixels: [UInt32]) {
            let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: pixels.count)
            _ = memory.initialize(from: pixels)
            bytes = UnsafeRawBufferPointer(memory)
        }

        deinit { bytes.deallocate() }
    }

    private var bitmap: Bitmap {
        let size = PixelSize(width: 4, height: 2)
        return Bitmap(
            size: size, format: .rgb24,
            levels: [.init(mipLevel: 0, size: size, stride: 16, offset: 0)],
            memory: Pixels(Array(repeating: 0xFFFF_0000, count: 8)))
    }

    @Test func thePageIsADocument() throws {
        var bytes: [UInt8] = []
        try PrintedPage.write(bitmap, on: .a4(isLandscape: true)) {
            bytes += Array($0)
            return true
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("%PDF-") && text.contains("%%EOF"))
        #expect(text.contains("/Width 4") && text.contains("/Height 2"))
    }

    /// A full disk, for example.
    @Test func aFailedWriteIsAnError() {
        #expect(throws: CairoError.self) {
            try PrintedPage.write(bitmap, on: .a4(isLandscape: false)) { _ in false }
        }
    }
}
