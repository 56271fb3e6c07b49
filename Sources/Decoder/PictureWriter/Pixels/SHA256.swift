/// SHA-256 of bytes that arrive in parts.
///
/// Source: FIPS 180-4, section 6.2.
struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
        0x5BE0_CD19,
    ]
    /// The start of a block that is not complete.
    private var partial: [UInt8] = []
    private var length = 0

    private static let blockLength = 64

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length += bytes.count
        var rest = bytes
        if !partial.isEmpty {
            let taken = min(Self.blockLength - partial.count, rest.count)
            partial.append(contentsOf: rest[..<taken])
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            guard partial.count == Self.blockLength else { return }
            let block = partial
            partial = []
            block.withUnsafeBytes { process($0) }
        }
        let whole = rest.count / Self.blockLength * Self.blockLength
        if whole > 0 { process(UnsafeRawBufferPointer(rebasing: rest[..<whole])) }
        partial.append(contentsOf: rest[whole...])
    }

    mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The hash of all bytes: 32 bytes.
    func finished() -> [UInt8] {
        var copy = self
        let bits = UInt64(length) * 8
        let zeros = (Self.blockLength * 2 - 9 - partial.count) % Self.blockLength
        copy.update([0x80] + [UInt8](repeating: 0, count: zeros))
        copy.update(withUnsafeBytes(of: bits.bigEndian) { Array($0) })
        return copy.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// The hash of some bytes.
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finished()
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// Processes whole blocks.
    private mutating func process(_ blocks: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            Self.constants.withUnsafeBufferPointer { constants in
                var offset = 0
                while offset < blocks.count {
                    mix(blocks, offset, words, constants)
                    offset += Self.blockLength
                }
            }
        }
    }

    private mutating func mix(
        _ blocks: UnsafeRawBufferPointer, _ offset: Int,
        _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            words[index] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: offset + index * 4, as: UInt32.self)
            )
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = Self.rotated(early, 7) ^ Self.rotated(early, 18) ^ early >> 3
            let second = Self.rotated(late, 17) ^ Self.rotated(late, 19) ^ late >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let first = h &+ sum &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
            let other = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
            let second = other &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
