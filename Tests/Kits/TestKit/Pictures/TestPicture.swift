import CTestPictures
package import Geometry
import Glibc

/// A generated picture with known pixels.
package struct TestPicture: Sendable {
    package let size: PixelSize
    /// R, G, B rows, top to bottom.
    package let pixels: [UInt8]

    /// Creates a picture from a function of the pixel position.
    package init(size: PixelSize, _ color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)) {
        self.size = size
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.width * size.height * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (r, g, b) = color(x, y)
                pixels += [r, g, b]
            }
        }
        self.pixels = pixels
    }

    /// Four quarters of different colours with a gradient.
    ///
    /// Every rotation and every mirroring changes the picture.
    package static func card(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(size: PixelSize(width: width, height: height)) { x, y in
            let slope = UInt8(40 * x / width)
            switch (x < width / 2, y < height / 2) {
            case (true, true): return (200 + slope, 30, 30)
            case (false, true): return (30, 180 + slope, 30)
            case (true, false): return (30, 30, 210 + slope)
            case (false, false): return (200, 200, slope)
            }
        }
    }

    /// Smooth gradients and fine noise, about as expensive to decode as a photograph.
    package static func photograph(_ width: Int, _ height: Int) -> TestPicture {
        var seed: UInt32 = 1
        return TestPicture(size: PixelSize(width: width, height: height)) { x, y in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let noise = Int(seed >> 28)
            let u = (x &* 255) / width
            let v = (y &* 255) / height
            let ripple = (x / 7 + y / 5) & 31
            return (
                UInt8(clamping: u / 2 + ripple + noise + 40), UInt8(clamping: v / 2 + noise + 60),
                UInt8(clamping: (510 - u - v) / 3 + ripple + noise)
            )
        }
    }

    package func color(_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int) {
        let index = (y * size.width + x) * 3
        return (Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
    }

    /// The stored pixels of a file that has `orientation` and shows this picture upright.
    package func stored(as orientation: Orientation) -> TestPicture {
        let (w, h) = (size.width, size.height)
        return TestPicture(size: orientation.swapsAxes ? size.transposed : size) { x, y in
            let (u, v) =
                switch orientation {
                case .upright: (x, y)
                case .mirrored: (w - 1 - x, y)
                case .upsideDown: (w - 1 - x, h - 1 - y)
                case .mirroredUpsideDown: (x, h - 1 - y)
                case .transposed: (y, x)
                case .rotatedLeft: (w - 1 - y, x)
                case .transversed: (w - 1 - y, h - 1 - x)
                case .rotatedRight: (y, h - 1 - x)
                }
            let index = (v * w + u) * 3
            return (pixels[index], pixels[index + 1], pixels[index + 2])
        }
    }

    /// Encodes a JPEG, with an EXIF segment for orientations other than upright.
    ///
    /// Chroma has half the columns and rows (4:2:0) if the JPEG is `subsampled`, else as many as luma.
    package func jpeg(
        quality: Int = 95, orientation: Orientation = .upright, progressive: Bool = false,
        restartRows: Int = 0, subsampled: Bool = false
    ) -> [UInt8] {
        Self.jpeg(
            pixels, size, components: 3, quality: quality, orientation: orientation,
            progressive: progressive, restartRows: restartRows, subsampled: subsampled)
    }

    /// Decodes a JPEG by libjpeg, reduced by 1, 2, 4 or 8, and discards the pixels.
    package static func decode(jpeg: [UInt8], reducedBy denominator: Int = 1) {
        _ = ctest_decode_jpeg(jpeg, jpeg.count, Int32(denominator))
    }

    /// Decodes a JPEG of one or three components by libjpeg, reduced by 1, 2, 4 or 8.
    ///
    /// The rows are grey or B, G, R, 0xff. `isComplete` is false if libjpeg had warnings. Returns
    /// nil if there are no rows.
    package static func rows(
        ofJPEG file: [UInt8], reducedBy denominator: Int = 1
    ) -> (rows: [[UInt8]], isComplete: Bool)? {
        var (result, length, count) = (UnsafeMutablePointer<UInt8>?.none, Int32(0), Int32(0))
        var warnings = 0
        let code = ctest_read_jpeg(
            file, file.count, Int32(denominator), &result, &length, &count, &warnings)
        defer { free(result) }
        guard code == 0 else { return nil }
        let rows = (0..<Int(count)).map { y in
            let start = result.map { $0 + y * Int(length) }
            return Array(UnsafeBufferPointer(start: start, count: Int(length)))
        }
        return (rows, warnings == 0)
    }

    /// Encodes a JPEG of 1, 3 or 4 components; 4 are inverted CMYK, as Adobe writes it.
    package static func jpeg(
        _ samples: [UInt8], _ size: PixelSize, components: Int, quality: Int = 95,
        orientation: Orientation = .upright, progressive: Bool = false, restartRows: Int = 0,
        subsampled: Bool = false
    ) -> [UInt8] {
        let exif = orientation == .upright ? [] : exifSegment(orientation)
        var (result, length) = (UnsafeMutablePointer<UInt8>?.none, 0)
        let code = ctest_encode_jpeg(
            samples, Int32(size.width), Int32(size.height), Int32(components), Int32(quality),
            progressive ? 1 : 0, Int32(restartRows), subsampled ? 1 : 0, exif, exif.count, &result,
            &length)
        return copyAndFree(code, result, length)
    }

    /// Encodes an 8-bit RGB PNG.
    package func png(interlaced: Bool = false) -> [UInt8] {
        Self.png(pixels, size, colorType: 2, interlaced: interlaced)
    }

    package static func png(
        _ samples: [UInt8], _ size: PixelSize, colorType: Int, bitDepth: Int = 8,
        interlaced: Bool = false, palette: [UInt8] = []
    ) -> [UInt8] {
        var (result, length) = (UnsafeMutablePointer<UInt8>?.none, 0)
        let code = ctest_encode_png(
            samples, Int32(size.width), Int32(size.height), Int32(colorType), Int32(bitDepth),
            interlaced ? 1 : 0, palette, &result, &length)
        return copyAndFree(code, result, length)
    }

    private static func copyAndFree(
        _ code: Int32, _ result: UnsafeMutablePointer<UInt8>?, _ length: Int
    ) -> [UInt8] {
        defer { free(result) }
        precondition(code == 0, "cannot encode a test picture: code \(code)")
        return Array(UnsafeBufferPointer(start: result, count: length))
    }

    /// A JPEG of one colour with an EXIF date such as "2026:11:21 09:30:00", and an offset from UTC such
    /// as "+05:45".
    package static func dated(_ text: String, offset: String? = nil, red: UInt8 = 128) -> [UInt8] {
        let texts = [(0x03, text), (0x11, offset)].compactMap { tag, text in
            text.map { (tag: UInt8(tag), bytes: Array($0.utf8) + [0]) }
        }
        // The first directory points to the EXIF directory at 26; the texts follow the directory.
        var place = 32 + texts.count * 12
        var tiff: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8]
            + [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            + [0, UInt8(texts.count)]
        for (tag, bytes) in texts {
            tiff += [0x90, tag, 0, 2, 0, 0, 0, UInt8(bytes.count), 0, 0, 0, UInt8(place)]
            place += bytes.count
        }
        tiff += [0, 0, 0, 0]
        let segment = Array("Exif\0\0".utf8) + tiff + texts.flatMap(\.bytes)
        let jpeg = TestPicture.jpeg(
            [UInt8](repeating: red, count: 32 * 32 * 3), PixelSize(width: 32, height: 32),
            components: 3)
        let length = segment.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + segment
            + jpeg.dropFirst(2)
    }

    /// An EXIF segment body: "Exif" and a big-endian TIFF with the orientation.
    private static func exifSegment(_ orientation: Orientation) -> [UInt8] {
        Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
            + [0, orientation.rawValue, 0, 0, 0, 0, 0, 0]
    }
}
