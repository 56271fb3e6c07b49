package import Geometry

/// An encoder of APNG files.
package struct TestAnimation {
    package enum Disposal: UInt8, Sendable { case none, background, previous }

    package struct Frame {
        package var picture: [UInt8]
        package var size: PixelSize
        package var x = 0
        package var y = 0
        /// In milliseconds.
        package var duration: Int
        package var disposal = Disposal.none
        package var blends = false

        /// Creates a frame from rows of R, G, B, A.
        package init(
            _ samples: [UInt8], _ size: PixelSize, x: Int = 0, y: Int = 0, duration: Int = 100,
            disposal: Disposal = .none, blends: Bool = false
        ) {
            picture = TestPicture.png(samples, size, colorType: 6)
            self.size = size
            (self.x, self.y, self.duration) = (x, y, duration)
            (self.disposal, self.blends) = (disposal, blends)
        }

        /// Creates a frame of one colour.
        package init(
            _ color: (r: UInt8, g: UInt8, b: UInt8, a: UInt8), _ width: Int, _ height: Int,
            x: Int = 0, y: Int = 0, duration: Int = 100, disposal: Disposal = .none,
            blends: Bool = false
        ) {
            let samples = (0..<width * height).flatMap { _ in [color.r, color.g, color.b, color.a] }
            self.init(
                samples, PixelSize(width: width, height: height), x: x, y: y, duration: duration,
                disposal: disposal, blends: blends)
        }
    }

    /// Encodes an APNG; the first frame has the size of the picture and is the default image.
    package static func apng(_ frames: [Frame], loops: Int = 0) -> [UInt8] {
        guard let first = frames.first else { return [] }
        var file = Array(first.picture.prefix(8))
        file += chunk("IHDR", chunks("IHDR", of: first.picture)[0])
        file += chunk("acTL", number(frames.count) + number(loops))
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            let numbers = [sequence, frame.size.width, frame.size.height, frame.x, frame.y]
            let duration: [UInt8] = [
                UInt8(frame.duration >> 8), UInt8(frame.duration & 255), 3, 232,
            ]
            let kind: [UInt8] = [frame.disposal.rawValue, frame.blends ? 1 : 0]
            file += chunk("fcTL", numbers.flatMap { number($0) } + duration + kind)
            sequence += 1
            for data in chunks("IDAT", of: frame.picture) {
                if index == 0 {
                    file += chunk("IDAT", data)
                } else {
                    file += chunk("fdAT", number(sequence) + data)
                    sequence += 1
                }
            }
        }
        return file + chunk("IEND", [])
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return number(data.count) + body + number(Int(checksum(body)))
    }

    /// The CRC-32 of PNG chunks.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = crc & 1 != 0
                crc >>= 1
                if isOdd { crc ^= 0xEDB8_8320 }
            }
        }
        return ~crc
    }

    private static func chunks(_ name: String, of file: [UInt8]) -> [[UInt8]] {
        var (found, offset) = ([[UInt8]](), 8)
        while offset + 8 <= file.count {
            let length = file[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            let start = offset + 8
            if Array(file[(offset + 4)..<start]) == Array(name.utf8) {
                found.append(Array(file[start..<(start + length)]))
            }
            offset = start + length + 4
        }
        return found
    }
}
