import Glibc
import ImageTypes
import ImageWire
import TestKit
import Testing

/// The header and the pixels of sealed memory.
struct SealedPixels {
    let header: PixelHeader
    private let bytes: [UInt8]

    /// Reads the memory, and closes the descriptor.
    init(_ memory: Int32) throws {
        defer { close(memory) }
        bytes = try #require(TestFile.read("/proc/self/fd/\(memory)"))
        header = try PixelHeader(
            checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: bytes.count)
    }

    /// A pixel 0xAARRGGBB of a level; 0 is the finest one in the memory.
    func pixel(_ x: Int, _ y: Int, level: Int = 0) -> UInt32 {
        pixel(x, y, header.levels[level])
    }

    /// A pixel of the copy in sRGB; nil without a copy.
    func pixelOfCopy(_ x: Int, _ y: Int) -> UInt32? { header.sRGBCopy.map { pixel(x, y, $0) } }

    private func pixel(_ x: Int, _ y: Int, _ place: Bitmap.Level) -> UInt32 {
        bytes.withUnsafeBytes {
            $0.load(fromByteOffset: place.offset + y * place.stride + 4 * x, as: UInt32.self)
        }
    }
}
