import Glibc

/// The MD5 digest, from which the thumbnail cache makes file names; not used for security.
///
/// Source: RFC 1321.
enum MD5 {
    /// The digest's sixteen bytes as lower-case hexadecimal digits.
    static func hexDigest(of message: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return digest(of: message).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: SIMD4<UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            state &+= transformed(state, padded[start..<(start + 64)])
        }
        return (0..<4).flatMap { index in
            (0..<4).map { UInt8(truncatingIfNeeded: state[index] >> UInt32(8 * $0)) }
        }
    }

    /// The message with its padding (3.1 and 3.2).
    ///
    /// The padding is a one bit, zeros up to 56 bytes modulo 64, and the length in bits.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        let bits = UInt64(message.count) &* 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        let padding: [UInt8] = [0x80] + [UInt8](repeating: 0, count: zeros)
        return message + padding + length
    }

    /// By how many bits each of the four steps of a round rotates.
    private static let rotations: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]

    /// The integer part of 2³² · |sin i|, i from 1 to 64.
    private static let sines: [UInt32] = (1...64).map {
        UInt32(truncatingIfNeeded: UInt64(abs(sin(Double($0))) * 4_294_967_296))
    }

    /// The four rounds over one block (3.4).
    private static func transformed(
        _ state: SIMD4<UInt32>, _ block: ArraySlice<UInt8>
    ) -> SIMD4<UInt32> {
        var words: [UInt32] = []
        words.reserveCapacity(16)
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append((0..<4).reduce(0) { $0 | UInt32(block[start + $1]) << UInt32(8 * $1) })
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let mixed: UInt32
            let word: Int
            switch step / 16 {
            case 0: (mixed, word) = (b & c | ~b & d, step)
            case 1: (mixed, word) = (b & d | c & ~d, (5 * step + 1) % 16)
            case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
            }
            let sum = a &+ mixed &+ words[word] &+ sines[step]
            let rotation = rotations[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << rotation | sum >> (32 - rotation)))
        }
        return [a, b, c, d]
    }
}
