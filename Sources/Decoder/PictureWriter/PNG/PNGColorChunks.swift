import ImageTypes
import RasterPipeline

/// The colour space of a PNG that is made from another format.
enum PNGColorChunks {
    /// The unit of chromaticities and of gamma.
    private static let unit = 100_000.0

    /// The chunks that declare a colour space; none for sRGB, and nil if no chunk can.
    ///
    /// Source: PNG, third edition (W3C), 11.3.2.
    static func bytes(_ color: ColorSource) -> [UInt8]? {
        switch color {
        case .standard: return []
        case .profile(let profile):
            // Keyword, compression method, and the compressed profile.
            return PNGChunk.bytes("iCCP", Array("ICC profile".utf8) + [0, 0] + stored(profile))
        case .encoded(let encoding):
            if let primaries = encoding.primaries.codePoint,
                let transfer = encoding.transfer.codePoint
            {
                return PNGChunk.bytes("cICP", [UInt8(primaries), UInt8(transfer), 0, 1])
            }
            return gamma(encoding)
        }
    }

    /// Chunks for any primaries and a gamma; nil for other transfer functions, and for primaries that
    /// are no real colours.
    private static func gamma(_ encoding: ColorEncoding) -> [UInt8]? {
        let gamma: Double
        switch encoding.transfer {
        case .gamma(let exponent): gamma = 1 / exponent
        case .linear: gamma = 1
        case .sRGB, .bt709, .perceptualQuantizer, .hybridLogGamma: return nil
        }
        let colors = encoding.primaries
        let points = [colors.white, colors.red, colors.green, colors.blue]
        guard points.allSatisfy({ (0...1).contains($0.x) && $0.y > 0 && $0.y <= 1 }) else {
            return nil
        }
        func number(_ value: Double) -> [UInt8] { PNGChunk.encoded(Int((value * unit).rounded())) }
        return PNGChunk.bytes("cHRM", points.flatMap { number($0.x) + number($0.y) })
            + PNGChunk.bytes("gAMA", number(gamma))
    }

    /// Data as a zlib stream without compression: a profile is small beside the pixels.
    ///
    /// Sources: RFC 1950, section 2.2, and RFC 1951, section 3.2.4.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        let most = 0xFFFF
        var result: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + most, data.count)
            let length = UInt16(end - start)
            result.append(end == data.count ? 1 : 0)
            for number in [length, ~length] {
                result += [UInt8(number & 0xFF), UInt8(number >> 8)]
            }
            result += data[start..<end]
            start = end
        } while start < data.count
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in data {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return result + PNGChunk.encoded(Int(high << 16 | low))
    }
}
