import Geometry

/// The header of a JPEG XL codestream, as far as the orientation concerns it.
///
/// Source: ISO/IEC 18181-1, annexes A and E (headers).
struct JXLHeader {
    /// What has to change for an orientation.
    enum Place {
        /// The orientation is in three bits at this place.
        case present(Int)
        /// All metadata has its default, which the bit at this place says.
        case allDefault(Int)
        /// The extra fields are missing, which the bit at this place says; the tone mapping, which they
        /// include, would be at the second place.
        case missing(Int, toneMapping: Int)
    }

    let orientation: Orientation
    let place: Place
    /// The number of bits before the padding; nil if that is not known, after an ICC profile.
    let end: Int?

    private static let sides = [(1, 9), (1, 13), (1, 18), (1, 30)].map {
        (offset: $0.0, bits: $0.1)
    }

    /// Parses a codestream; nil if it is corrupt or has fields that are not known.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var bits = JXLBits(bytes)
        guard bits.number(16) == 0x0AFF, Self.skipSize(&bits) else { return nil }
        let start = bits.place
        guard let isDefault = bits.flag() else { return nil }
        if isDefault {
            (orientation, place) = (.upright, .allDefault(start))
            end = bits.flag() == true ? bits.place : nil
            return
        }
        let extra = bits.place
        guard let hasExtra = bits.flag() else { return nil }
        if hasExtra {
            let field = bits.place
            guard let value = bits.number(3), let found = Orientation(rawValue: UInt8(value + 1))
            else { return nil }
            (orientation, place, end) = (found, .present(field), nil)
            return
        }
        guard Self.skipDepth(&bits), bits.skip(1), Self.skipChannels(&bits), bits.skip(1),
            let hasProfile = Self.skipColors(&bits)
        else { return nil }
        (orientation, place) = (.upright, .missing(extra, toneMapping: bits.place))
        // No extensions, and the default of the transform.
        guard bits.number(2) == 0, bits.flag() == true, !hasProfile else {
            end = nil
            return
        }
        end = bits.place
    }

    private static func skipSize(_ bits: inout JXLBits) -> Bool {
        guard let isSmall = bits.flag() else { return false }
        func side() -> Int? { isSmall ? bits.number(5) : bits.number(sides) }
        guard side() != nil, let ratio = bits.number(3) else { return false }
        return ratio != 0 || side() != nil
    }

    private static func skipDepth(_ bits: inout JXLBits) -> Bool {
        guard let isFloat = bits.flag(), let way = bits.number(2) else { return false }
        return bits.skip((way == 3 ? 6 : 0) + (isFloat ? 4 : 0))
    }

    private static func skipChannels(_ bits: inout JXLBits) -> Bool {
        guard let count = bits.number([(0, 0), (1, 0), (2, 4), (1, 12)]) else { return false }
        for _ in 0..<count {
            guard let isDefault = bits.flag() else { return false }
            if isDefault { continue }
            guard let type = bits.value(), skipDepth(&bits),
                bits.number([(0, 0), (3, 0), (4, 0), (1, 3)]) != nil,
                let length = bits.number([(0, 0), (0, 4), (16, 5), (48, 10)]),
                bits.skip(length * 8)
            else { return false }
            switch type {
            // Alpha, which may be premultiplied; a spot colour; a channel of a colour filter.
            case 0: guard bits.skip(1) else { return false }
            case 2: guard bits.skip(4 * 16) else { return false }
            case 5:
                guard bits.number([(1, 0), (0, 2), (3, 4), (19, 8)]) != nil else { return false }
            default: break
            }
        }
        return true
    }

    /// Skips the colour encoding; returns whether there is an ICC profile, and nil for corrupt data.
    private static func skipColors(_ bits: inout JXLBits) -> Bool? {
        guard let isDefault = bits.flag() else { return nil }
        if isDefault { return false }
        guard let hasProfile = bits.flag(), let space = bits.value() else { return nil }
        if hasProfile { return true }
        let (gray, xyb, custom) = (1, 2, 2)
        func skipPoints(_ count: Int) -> Bool {
            (0..<(count * 2)).allSatisfy { _ in
                bits.number([(0, 19), (524_288, 19), (1_048_576, 20), (2_097_152, 21)]) != nil
            }
        }
        if space != xyb {
            guard let white = bits.value(), white != custom || skipPoints(1) else { return nil }
            if space != gray {
                guard let primaries = bits.value(), primaries != custom || skipPoints(3) else {
                    return nil
                }
            }
            guard let hasGamma = bits.flag(), hasGamma ? bits.skip(24) : bits.value() != nil
            else { return nil }
        }
        return bits.value() == nil ? nil : false
    }
}
