package import Geometry

/// Writes uncompressed OpenEXR files: scan lines or tiles, mip levels, parts, any windows.
///
/// Source: "OpenEXR File Layout".
package enum TestEXR {
    package enum Kind: Int, CaseIterable, Sendable { case uint, half, float }

    package struct Channel {
        package var name: String
        package var kind: Kind
        /// The subsampling on both axes, in pixels.
        package var apart: Int
        /// The linear light at a position, relative to the data window.
        package var light: (_ x: Int, _ y: Int) -> Float

        package init(
            _ name: String, _ kind: Kind = .half, apart: Int = 1,
            _ light: @escaping (_ x: Int, _ y: Int) -> Float
        ) {
            (self.name, self.kind, self.apart, self.light) = (name, kind, apart, light)
        }
    }

    package struct Part {
        package var data: PixelRect
        package var display: PixelRect
        package var channels: [Channel]
        /// The side length of the tiles; nil for scan lines.
        package var tile: Int?
        /// The number of mip levels; each is half as large as the one before, rounded up.
        package var levels = 1
        /// The x and y of red, green, blue and white.
        package var chromaticities: [Float] = []
        /// The `type` attribute, if it differs from the contents.
        package var type: String?

        package init(_ size: PixelSize, _ channels: [Channel], display: PixelRect? = nil) {
            data = PixelRect(size)
            self.display = display ?? data
            self.channels = channels.sorted { $0.name < $1.name }
        }
    }

    package static func encode(_ parts: [Part]) -> [UInt8] {
        let isDeep = parts.contains { $0.type?.hasPrefix("deep") ?? false }
        let isMulti = parts.count > 1 || isDeep
        let flags = (isMulti ? 0x1000 : 0) | (isDeep ? 0x800 : 0)
        let isTiled = !isMulti && parts[0].tile != nil
        var file = little(20_000_630, 4) + little(2 | flags | (isTiled ? 0x200 : 0), 4)
        let chunks = parts.enumerated().map { index, part in
            self.chunks(part, index: isMulti ? index : nil)
        }
        for (index, part) in parts.enumerated() {
            file += header(
                part, "\(index)", isMulti ? chunks[index].count : nil, isDeep: isDeep)
        }
        if isMulti { file.append(0) }
        var place = file.count + 8 * chunks.reduce(0) { $0 + $1.count }
        for chunk in chunks.joined() {
            file += little(place, 8)
            place += chunk.count
        }
        return file + chunks.joined().joined()
    }

    /// Encodes a header; `chunks` is the chunk count of a multi-part file.
    private static func header(
        _ part: Part, _ name: String, _ chunks: Int?, isDeep: Bool
    ) -> [UInt8] {
        func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
            text(name) + text(type) + little(value.count, 4) + value
        }
        func box(_ rect: PixelRect) -> [UInt8] {
            [rect.x, rect.y, rect.maxX - 1, rect.maxY - 1].flatMap { little($0, 4) }
        }
        let channels = part.channels.flatMap { channel -> [UInt8] in
            let sampling = little(channel.apart, 4) + little(channel.apart, 4)
            return text(channel.name) + little(channel.kind.rawValue, 4) + little(0, 4) + sampling
        }
        var bytes =
            attribute("channels", "chlist", channels + [0])
            + attribute("compression", "compression", [0])
            + attribute("dataWindow", "box2i", box(part.data))
            + attribute("displayWindow", "box2i", box(part.display))
            + attribute("lineOrder", "lineOrder", [0])
            + attribute("pixelAspectRatio", "float", floats([1]))
            + attribute("screenWindowCenter", "v2f", floats([0, 0]))
            + attribute("screenWindowWidth", "float", floats([1]))
        if !part.chromaticities.isEmpty {
            bytes += attribute("chromaticities", "chromaticities", floats(part.chromaticities))
        }
        if let tile = part.tile {
            let mode: UInt8 = part.levels > 1 ? 0x11 : 0
            bytes += attribute("tiles", "tiledesc", little(tile, 4) + little(tile, 4) + [mode])
        }
        if let chunks {
            let type = part.type ?? (part.tile == nil ? "scanlineimage" : "tiledimage")
            bytes += attribute("name", "string", Array(name.utf8))
            bytes += attribute("type", "string", Array(type.utf8))
            bytes += attribute("chunkCount", "int", little(chunks, 4))
            // Every part of a file with deep parts has these attributes.
            if isDeep {
                bytes += attribute("version", "int", little(1, 4))
                bytes += attribute("maxSamplesPerPixel", "int", little(1, 4))
            }
        }
        return bytes + [0]
    }

    /// Encodes the chunks of a part, each with its header.
    private static func chunks(_ part: Part, index: Int?) -> [[UInt8]] {
        let start = index.map { little($0, 4) } ?? []
        guard let tile = part.tile else {
            return (0..<part.data.height).map { y in
                let line = samples(part, 0..<part.data.width, y..<(y + 1), 1)
                return start + little(part.data.y + y, 4) + little(line.count, 4) + line
            }
        }
        var chunks: [[UInt8]] = []
        for level in 0..<part.levels {
            let size = PixelSize(width: part.data.width, height: part.data.height)
                .reduced(by: level)
            for row in 0..<((size.height + tile - 1) / tile) {
                for column in 0..<((size.width + tile - 1) / tile) {
                    let x = (column * tile)..<min((column + 1) * tile, size.width)
                    let y = (row * tile)..<min((row + 1) * tile, size.height)
                    let pixels = samples(part, x, y, 1 << level)
                    let place = [column, row, level, level].flatMap { little($0, 4) }
                    chunks.append(start + place + little(pixels.count, 4) + pixels)
                }
            }
        }
        return chunks
    }

    private static func samples(
        _ part: Part, _ columns: Range<Int>, _ rows: Range<Int>, _ scale: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in rows {
            for channel in part.channels
            where (part.data.y + y).isMultiple(of: channel.apart) {
                for x in columns where (part.data.x + x).isMultiple(of: channel.apart) {
                    let light = channel.light(x * scale, y * scale)
                    switch channel.kind {
                    case .uint: bytes += little(Int(light), 4)
                    case .half: bytes += little(Int(half(light)), 2)
                    case .float: bytes += floats([light])
                    }
                }
            }
        }
        return bytes
    }

    /// The IEEE 754 half-precision bits of a value, truncated.
    private static func half(_ value: Float) -> UInt16 {
        let bits = value.bitPattern
        let sign = UInt16(bits >> 16 & 0x8000)
        if value.isNaN { return 0x7E00 }
        guard abs(value) < 65536 else { return sign | 0x7C00 }
        // Smaller values are subnormal.
        guard abs(value) >= 0x1p-14 else { return sign | UInt16(abs(value) * 0x1p24) }
        return sign | UInt16((bits & 0x7FFF_FFFF) >> 13 - (112 << 10))
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    private static func floats(_ values: [Float]) -> [UInt8] {
        values.flatMap { little(Int($0.bitPattern), 4) }
    }

    private static func little(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
