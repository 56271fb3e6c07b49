/// Writes uncompressed GIFs: each pixel is a literal code of nine bits.
package enum TestGIF {
    package struct Frame {
        package var left: Int
        package var top: Int
        package var width: Int
        package var height: Int
        package var isInterlaced: Bool
        /// The palette indices in rows, top to bottom.
        package var indices: [UInt8]
        /// The local palette, 0xRRGGBB; empty for the global palette.
        package var palette: [UInt32] = []

        package init(
            left: Int, top: Int, width: Int, height: Int, isInterlaced: Bool = false,
            indices: [UInt8]
        ) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
            (self.isInterlaced, self.indices) = (isInterlaced, indices)
        }
    }

    /// Encodes a GIF; `loop` is an application name and a loop count; palettes have 2 or 4 colours.
    package static func encode(
        _ width: Int, _ height: Int, _ palette: [UInt32], _ frames: [Frame],
        loop: (name: String, repetitions: Int)? = nil
    ) -> [UInt8] {
        var file = Array("GIF89a".utf8) + word(width) + word(height)
        file += [0x80 | bits(palette), 0, 0] + colors(palette)
        if let loop {
            file +=
                [0x21, 0xFF, 11] + Array(loop.name.utf8) + [3, 1] + word(loop.repetitions) + [0]
        }
        for frame in frames {
            file += [0x2C] + word(frame.left) + word(frame.top) + word(frame.width)
            let own = frame.palette.isEmpty ? 0 : 0x80 | bits(frame.palette)
            file += word(frame.height) + [own | (frame.isInterlaced ? 0x40 : 0)]
            file += colors(frame.palette) + blocks(frame)
        }
        return file + [0x3B]
    }

    private static func word(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8 & 255)]
    }

    private static func bits(_ palette: [UInt32]) -> UInt8 { palette.count > 2 ? 1 : 0 }

    private static func colors(_ palette: [UInt32]) -> [UInt8] {
        palette.flatMap { color -> [UInt8] in
            let shifts: [UInt32] = [16, 8, 0]
            return shifts.map { UInt8(truncatingIfNeeded: color >> $0) }
        }
    }

    private static func blocks(_ frame: Frame) -> [UInt8] {
        let passes = frame.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        let rows = passes.flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
        let indices = rows.flatMap { frame.indices[($0 * frame.width)..<(($0 + 1) * frame.width)] }
        var codes: [Int] = []
        for (place, index) in indices.enumerated() {
            // Clear codes keep the code length at nine bits.
            if place % 250 == 0 { codes.append(256) }
            codes.append(Int(index))
        }
        codes.append(257)
        var (bytes, pending, count) = ([UInt8](), 0, 0)
        for code in codes {
            pending |= code << count
            count += 9
            while count >= 8 {
                bytes.append(UInt8(pending & 255))
                pending >>= 8
                count -= 8
            }
        }
        bytes.append(UInt8(pending & 255))
        var result: [UInt8] = [8]
        while !bytes.isEmpty {
            let block = bytes.prefix(255)
            result += [UInt8(block.count)] + block
            bytes.removeFirst(block.count)
        }
        return result + [0]
    }
}
