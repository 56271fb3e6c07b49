import Geometry
import ImageTypes
import Localization

/// A bitmap header of any version, as BMP and ICO files have it.
///
/// Source: Microsoft, "Bitmap Header Types" and "BITMAPV5HEADER". OS/2 headers have 12 bytes, or 16
/// to 64.
struct BMPHeader {
    enum Packing: Hashable {
        case plain
        /// Run-length encoding with 4 or 8 bits per pixel.
        case runs
    }

    var size: PixelSize
    let isTopDown: Bool
    let bits: Int
    let packing: Packing
    /// Bit masks of red, green, blue and alpha; 0 for a missing channel.
    let masks: [UInt32]
    /// Colours as 0x00RRGGBB.
    let palette: [UInt32]
    /// Offset of the pixels in bytes, unless a file header gives another.
    let end: Int
    let profile: [UInt8]?

    private static let versions: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]

    init(_ bytes: FileBytes, at start: Int, paletteEnd: Int = .max) throws(DecodeFailure) {
        let length = bytes.little32(start)
        guard bytes.has(4, at: start) else { throw .cutShort }
        guard Self.versions.contains(length) else {
            throw .damaged(reason: localized("unknown version of the bitmap header"))
        }
        guard bytes.has(length, at: start) else { throw .cutShort }
        let isOld = length == 12
        let (width, height) =
            isOld
            ? (bytes.little16(start + 4), bytes.little16(start + 6))
            : (bytes.signed32(start + 4), bytes.signed32(start + 8))
        guard width > 0, height != 0 else {
            throw .damaged(reason: localized("invalid width or height"))
        }
        size = PixelSize(width: width, height: abs(height))
        isTopDown = height < 0
        bits = bytes.little16(start + (isOld ? 10 : 14))
        let method = isOld || length < 20 ? 0 : bytes.little32(start + 16)
        packing = method == 1 || method == 2 ? .runs : .plain
        let isKnown =
            switch (method, bits) {
            case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): true
            case (1, 8), (2, 4): true
            // In OS/2 headers these numbers stand for other methods.
            case (3, 16), (3, 32), (6, 16), (6, 32): length != 64
            default: false
            }
        guard isKnown else { throw .damaged(reason: localized("unknown compression method")) }
        masks = Self.masks(bytes, start, length, method, bits)
        let paletteStart = start + length + (length == 40 ? [3: 12, 6: 16][method] ?? 0 : 0)
        palette = Self.palette(bytes, start, length, paletteStart, bits, paletteEnd)
        end = paletteStart + palette.count * (isOld ? 3 : 4)
        profile = length == 124 ? Self.profile(bytes, start) : nil
    }

    private static func masks(
        _ bytes: FileBytes, _ start: Int, _ length: Int, _ method: Int, _ bits: Int
    ) -> [UInt32] {
        switch (method, bits) {
        case (3, _), (6, _):
            let hasAlpha = method == 6 || length >= 56
            return (0..<4).map {
                $0 < 3 || hasAlpha ? UInt32(bytes.little32(start + 40 + 4 * $0)) : 0
            }
        case (_, 16): return [0x7C00, 0x03E0, 0x001F, 0]
        default: return [0xFF_0000, 0xFF00, 0xFF, 0]
        }
    }

    private static func palette(
        _ bytes: FileBytes, _ start: Int, _ length: Int, _ paletteStart: Int, _ bits: Int,
        _ paletteEnd: Int
    ) -> [UInt32] {
        guard bits <= 8 else { return [] }
        let entry = length == 12 ? 3 : 4
        let declaredCount = length >= 36 ? bytes.little32(start + 32) : 0
        // OS/2 files may have fewer than 2^bits colours without declaring it.
        let capacity = max(0, (min(paletteEnd, bytes.count) - paletteStart) / entry)
        let count = min(declaredCount == 0 ? 1 << bits : declaredCount, 256, capacity)
        return (0..<count).map { index in
            let place = paletteStart + index * entry
            return UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 1]) << 8
                | UInt32(bytes[place])
        }
    }

    /// The ICC profile that a header of version 5 refers to; nil if it is not embedded.
    private static func profile(_ bytes: FileBytes, _ start: Int) -> [UInt8]? {
        let (place, count) = (bytes.little32(start + 112), bytes.little32(start + 116))
        // "MBED" (embedded profile) as a little-endian number.
        guard bytes.little32(start + 56) == 0x4D42_4544, count > 0,
            bytes.has(count, at: start + place)
        else { return nil }
        return Array(bytes.part(start + place, count).raw)
    }
}
