import Codecs
import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import Testing

/// Collects the deliveries of a tiled decoder.
final class TileSink: DecodeSink {
    private(set) var memory: [Int32] = []

    func shouldContinue() -> Bool { true }
    func deliver(_ memory: Int32, isFinal: Bool) { self.memory.append(memory) }
    deinit { for memory in memory { close(memory) } }

    /// The pixels of a tile, 0xAARRGGBB, premultiplied.
    func pixels(
        of part: PictureTile, _ tiled: some TiledDecoder
    ) throws -> (size: PixelSize, pixels: [UInt32]) {
        let memory = try tiled.part(part, self)
        defer { close(memory) }
        return try Self.pixels(memory, tiled.info)
    }

    /// The pixels of one level in sealed memory, 0xAARRGGBB, premultiplied; 0 is the finest level.
    static func pixels(
        _ memory: Int32, _ info: PictureInfo, level: Int = 0
    ) throws -> (size: PixelSize, pixels: [UInt32]) {
        let length = Int(lseek(memory, 0, SEEK_END))
        let base = try #require(mmap(nil, length, PROT_READ, MAP_PRIVATE, memory, 0))
        defer { munmap(base, length) }
        let header = try PixelHeader(
            checking: Array(UnsafeRawBufferPointer(start: base, count: PixelHeader.length)),
            memoryLength: length)
        #expect(header.orientation == info.orientation)
        let level = header.levels[level]
        var pixels: [UInt32] = []
        for y in 0..<level.size.height {
            for x in 0..<level.size.width {
                let offset = level.offset + y * level.stride + x * 4
                pixels.append(base.load(fromByteOffset: offset, as: UInt32.self))
            }
        }
        return (level.size, pixels)
    }
}
