import Glibc
import ImageTypes
import ImageWire
import Testing

/// The header and the pixels of sealed memory.
struct SealedPixels {
    let header: PixelHeader
    private let bytes: [UInt8]

    /// Reads the memory, and closes the descriptor.
    init(_ memory: Int32) throws {
        defer { close(memory) }
        let length = Int(lseek(memory, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: length)
        try #require(pread(memory, &bytes, length, 0) == length)
        header = try PixelHeader(
            checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: length)
        self.bytes = bytes
    }

    /// A pixel 0xAARRGGBB of a level; 0 is the finest one in the memory.
    func pixel(_ x: Int, _ y: Int, level: Int = 0) -> UInt32 {
        let place = header.levels[level]
        return bytes.withUnsafeBytes {
            $0.load(fromByteOffset: place.offset + y * place.stride + 4 * x, as: UInt32.self)
        }
    }

    /// The encoded file that follows the pixels.
    var file: [UInt8] { Array(bytes[header.file]) }
}
