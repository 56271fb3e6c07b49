import Geometry

/// Writes QOI pictures with all kinds of chunks.
package enum TestQOI {
    package static func header(_ width: Int, _ height: Int, channels: UInt8) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        return Array("qoif".utf8) + big(width) + big(height) + [channels, 0]
    }

    /// Source: the format's specification, version 1.0.
    package static func encode(_ picture: TestPicture) -> [UInt8] {
        var file = header(picture.size.width, picture.size.height, channels: 3)
        var seen = [[Int]](repeating: [0, 0, 0, 0], count: 64)
        var (last, run) = ([0, 0, 0, 255], 0)
        func endRun() {
            if run > 0 { file.append(UInt8(0xC0 | (run - 1))) }
            run = 0
        }
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let color = picture.color(x, y)
                let pixel = [color.r, color.g, color.b, 255]
                if pixel == last {
                    run += 1
                    if run == 62 { endRun() }
                    continue
                }
                endRun()
                let place = (pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + 255 * 11) % 64
                if seen[place] == pixel {
                    file.append(UInt8(place))
                } else {
                    seen[place] = pixel
                    file += step(zip(pixel, last).map { $0 - $1 }, pixel)
                }
                last = pixel
            }
        }
        endRun()
        return file + [0, 0, 0, 0, 0, 0, 0, 1]
    }

    private static func step(_ change: [Int], _ pixel: [Int]) -> [UInt8] {
        let (red, green, blue) = (change[0], change[1], change[2])
        if [red, green, blue].allSatisfy((-2...1).contains) {
            let differences = [red, green, blue].reduce(0) { $0 << 2 | ($1 + 2) }
            return [UInt8(0x40 | differences)]
        }
        if (-32...31).contains(green), (-8...7).contains(red - green),
            (-8...7).contains(blue - green)
        {
            return [
                UInt8(0x80 | (green + 32)), UInt8((red - green + 8) << 4 | (blue - green + 8)),
            ]
        }
        return [0xFE] + pixel.prefix(3).map(UInt8.init)
    }
}
