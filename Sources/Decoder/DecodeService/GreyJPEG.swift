/// The bytes of a grey baseline JPEG of 64×64 pixels in YCbCr 4:2:0, whose every coefficient is zero.
///
/// Source of the segments: ITU-T T.81, annex B.
package enum GreyJPEG {
    private static let components: [UInt8] = [1, 2, 3]

    package static var bytes: [UInt8] {
        let tables = segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        let frame = segment(
            0xC0,
            [8, 0, 64, 0, 64, 3] + components.flatMap { [$0, $0 == 1 ? 0x22 : 0x11, 0] })
        // One code of one bit for "no difference", and one for "end of the block".
        let codes = [0x00, 0x10].flatMap {
            segment(0xC4, [$0, 1] + [UInt8](repeating: 0, count: 16))
        }
        let scan = segment(0xDA, [3] + components.flatMap { [$0, 0] } + [0, 63, 0])
        // 16 MCUs of six blocks with two codes each, all of them a zero bit.
        let blocks = [UInt8](repeating: 0, count: 16 * 6 * 2 / 8)
        let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD9])
        return Array([start, tables, frame, codes, scan, blocks, end].joined())
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, 0, UInt8(content.count + 2)] + content
    }
}
