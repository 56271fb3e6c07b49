/// Writes BMP files with a BITMAPINFOHEADER (40 bytes).
enum BitmapFile {
    static func little(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func make(
        _ width: Int, _ height: Int, _ bits: Int, method: Int = 0, palette: [Int] = [],
        masks: [Int] = [], pixels: [UInt8]
    ) -> [UInt8] {
        let colors = masks.flatMap(little) + palette.flatMap(little)
        let header = little(40) + little(width) + little(height) + [1, 0, UInt8(bits), 0]
        let rest = little(method) + little(pixels.count) + little(0) + little(0)
        let start = 14 + 40 + colors.count
        let file = Array("BM".utf8) + little(start + pixels.count) + little(0) + little(start)
        let counts = little(palette.count) + little(0)
        return file + header + rest + counts + colors + pixels
    }
}
