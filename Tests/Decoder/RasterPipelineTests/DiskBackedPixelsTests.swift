import CLinux
import Geometry
import Glibc
import ImageTypes
import ImageWire
import RasterPipeline
import Testing

@Suite struct DiskBackedPixelsTests {
    private let size = PixelSize(width: 300, height: 170)

    private final class Sink: DecodeSink {
        private let isWanted: Bool
        init(isWanted: Bool = true) { self.isWanted = isWanted }
        func shouldContinue() -> Bool { isWanted }
        func deliver(_ memory: Int32, isFinal: Bool) { close(memory) }
    }

    private func backingFile(_ bytes: Int) -> Int32 {
        let memory = clinux_memfd_create("backingFile")
        ftruncate(memory, bytes)
        return memory
    }

    private func pixels(
        _ orientation: Orientation = .upright, scratch: Int = 0
    ) throws -> DiskBackedPixels {
        let bytes = try #require(PixelLayout.backingFileBytes(for: size, scratch: scratch))
        return try DiskBackedPixels(
            size, orientation, scratch: scratch, in: backingFile(bytes), releaseInterval: 1 << 12)
    }

    @Test func theOverviewAndTheTilesHaveThePixels() throws {
        let pixels = try pixels()
        let filled = try #require(
            try pixels.fill(Sink()) { scratch in
                #expect(scratch?.base == nil)
                return RowPattern(size)
            })
        #expect(filled.isComplete)
        let overview = try SealedPixels(filled.overview)
        #expect(overview.header.size == size)
        #expect(overview.pixel(299, 169) == RowPattern.pixel(299, 169))
        let rect = PixelRect(x: 40, y: 30, width: 50, height: 20)
        let tile = try SealedPixels(try pixels.tile(PictureTile(mipLevel: 0, rect: rect)))
        #expect(tile.header.size == rect.size && tile.header.levels.count == 1)
        for (x, y) in [(0, 0), (49, 0), (0, 19), (49, 19)] {
            #expect(tile.pixel(x, y) == RowPattern.pixel(40 + x, 30 + y))
        }
    }

    @Test func theRowsAreTurnedUpright() throws {
        let pixels = try pixels(.upsideDown)
        let filled = try #require(try pixels.fill(Sink()) { _ in RowPattern(size) })
        let overview = try SealedPixels(filled.overview)
        #expect(overview.header.orientation == .upsideDown)
        #expect(overview.pixel(0, 0) == RowPattern.pixel(299, 169))
    }

    @Test func tilesOutsideThePictureAreRefused() throws {
        let pixels = try pixels()
        let filled = try #require(try pixels.fill(Sink()) { _ in RowPattern(size) })
        close(filled.overview)
        for (mipLevel, rect) in [
            (0, PixelRect(x: 290, y: 0, width: 20, height: 5)),
            (0, PixelRect(x: 0, y: 0, width: 0, height: 5)),
            (30, PixelRect(x: 0, y: 0, width: 1, height: 1)),
        ] {
            #expect(throws: DecodeFailure.damaged(reason: "the requested tile does not exist")) {
                try pixels.tile(PictureTile(mipLevel: mipLevel, rect: rect))
            }
        }
    }

    @Test func codecsGetTheScratchMemoryThatTheyAskFor() throws {
        let pixels = try pixels(scratch: 4)
        let filled = try #require(
            try pixels.fill(Sink()) { scratch throws(DecodeFailure) in
                guard let base = scratch?.base.assumingMemoryBound(to: UInt8.self) else {
                    throw .cutShort
                }
                #expect(base[0] == 0 && base[4 * size.width * size.height - 1] == 0)
                return RowPattern(size, available: 100)
            })
        #expect(!filled.isComplete)
        // Rows that are missing are black.
        #expect(try SealedPixels(filled.overview).pixel(5, 150) == 0xFF00_0000)
    }

    @Test func theSinkCanStopTheDecoding() throws {
        let filled = try pixels().fill(Sink(isWanted: false)) { _ in RowPattern(size) }
        #expect(filled == nil)
    }

    /// A file that is too short is refused, and its descriptor is closed all the same.
    @Test(arguments: [0, 4]) func aShortFileIsRefused(scratch: Int) throws {
        let backingFile = backingFile(4096)
        #expect(throws: DecodeFailure.unreadable(reason: "there is no room on the disk for it")) {
            try DiskBackedPixels(
                size, .upright, scratch: scratch, in: backingFile, releaseInterval: 1)
        }
    }
}
