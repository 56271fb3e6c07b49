import CTestPictures
package import Geometry
import Glibc

/// The decoded pixels of a PNG screenshot.
package struct Screenshot: Sendable {
    package let size: PixelSize
    private let pixels: [UInt8]

    /// Reads a PNG file, or returns nil if the file is missing or corrupt.
    package init?(_ path: String) {
        guard let bytes = TestFile.read(path) else { return nil }
        var (width, height) = (Int32(0), Int32(0))
        var result: UnsafeMutablePointer<UInt8>?
        guard ctest_decode_png(bytes, bytes.count, &width, &height, &result) == 0 else {
            return nil
        }
        defer { free(result) }
        size = PixelSize(width: Int(width), height: Int(height))
        pixels = Array(UnsafeBufferPointer(start: result, count: size.width * size.height * 4))
    }

    package func color(_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int) {
        let index = (y * size.width + x) * 4
        return (Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
    }

    /// The share of pixels, 0…1, with a channel that differs by more than `tolerance`.
    package func difference(from other: Screenshot, tolerance: Int) -> Double {
        guard size == other.size else { return 1 }
        var count = 0
        for index in stride(from: 0, to: pixels.count, by: 4) {
            let isFar = (0..<3).contains {
                abs(Int(pixels[index + $0]) - Int(other.pixels[index + $0])) > tolerance
            }
            if isFar { count += 1 }
        }
        return Double(count) / Double(size.width * size.height)
    }
}

/// Reads and writes whole files.
package enum TestFile {
    package static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count <= 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    package static func text(_ path: String) -> String? {
        read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    package static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(descriptor >= 0, "\(path) cannot be written")
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            precondition(count > 0, "\(path) cannot be written")
            done += count
        }
    }
}
