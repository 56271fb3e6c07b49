import Geometry
import ImageTypes
import Testing

/// Robustness checks for all formats.
enum RobustnessChecks {
    /// Truncates a file at several fractions of its length and returns how many gave a picture.
    ///
    /// Expects a picture of the full size with a message, or a failure other than a crash or a hang.
    static func truncate(_ file: [UInt8], size: PixelSize, at parts: [Double]) throws -> Int {
        var shown = 0
        for part in parts {
            let result = try Decoding(Array(file.prefix(Int(Double(file.count) * part))))
            #expect(result.failure != .crashed && result.failure != .hung, "at \(part)")
            if let bitmap = result.bitmaps.last {
                shown += 1
                #expect(bitmap.size == size)
                #expect(result.message?.contains("cut short") == true, "at \(part)")
            } else {
                #expect(result.failure != nil, "at \(part)")
            }
        }
        return shown
    }

    /// Changes random bytes in several rounds and expects a picture or a failure, but no crash.
    static func damage(_ file: [UInt8], seed: UInt64, rounds: Int = 12, bytes: Int = 12) throws {
        var generator = seed
        func next() -> Int {
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(generator >> 33)
        }
        for round in 0..<rounds {
            var damaged = file
            // Even rounds damage only the first 512 bytes, which hold the sizes.
            let reach = round.isMultiple(of: 2) ? min(file.count, 512) : file.count
            for _ in 0..<bytes { damaged[next() % reach] = UInt8(next() & 255) }
            let result = try Decoding(damaged)
            #expect(result.failure != .crashed && result.failure != .hung, "\(seed), \(round)")
            #expect(result.failure != nil || !result.bitmaps.isEmpty)
        }
    }
}
