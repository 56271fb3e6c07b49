import Geometry
import ImageTypes

/// A JPEG, halved three times, by the means of its blocks.
final class JPEGDCRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isComplete = true
    private let means: JPEGDCImage
    /// What a difference from luma adds to red and to blue, and what both take from green in 65536ths.
    private let red: [Int]
    private let blue: [Int]
    private let greenOfRed: [Int]
    private let greenOfBlue: [Int]
    private var y = 0

    init(_ means: JPEGDCImage, _ color: ColorSource) {
        self.means = means
        self.color = color
        size = means.size.reduced(by: JPEGCodec.blockExponent)
        layout = means.planes.count == 1 ? .gray8 : .opaqueWords
        // Source: ITU-T T.871, 7, rounded as libjpeg does.
        func table(_ factor: Double, _ half: Int, _ shift: Int) -> [Int] {
            let fixed = Int(factor * 65536 + (factor < 0 ? -0.5 : 0.5))
            return (-128..<128).map { (fixed * $0 + half) >> shift }
        }
        red = table(1.402, 32768, 16)
        blue = table(1.772, 32768, 16)
        greenOfRed = table(-0.71414, 0, 0)
        greenOfBlue = table(-0.34414, 32768, 0)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for (number, row) in rows.enumerated() {
            guard y < size.height else { return number }
            let starts = means.planes.map { y * $0.rows / means.mostRows * $0.stride }
            if layout == .gray8 {
                let target = row.assumingMemoryBound(to: UInt8.self)
                for x in 0..<size.width { target[x] = means.planes[0].means[starts[0] + x] }
            } else {
                convert(starts, to: row.assumingMemoryBound(to: UInt32.self))
            }
            y += 1
        }
        return rows.count
    }

    private func convert(_ starts: [Int], to target: UnsafeMutablePointer<UInt32>) {
        let (luma, first, second) = (means.planes[0], means.planes[1], means.planes[2])
        let most = means.mostColumns
        for x in 0..<size.width {
            let light = Int(luma.means[starts[0] + x * luma.columns / most])
            let cb = Int(first.means[starts[1] + x * first.columns / most])
            let cr = Int(second.means[starts[2] + x * second.columns / most])
            let r = UInt32(UInt8(clamping: light + red[cr]))
            let g = UInt32(UInt8(clamping: light + (greenOfRed[cr] + greenOfBlue[cb]) >> 16))
            let b = UInt32(UInt8(clamping: light + blue[cb]))
            target[x] = 0xFF00_0000 | r << 16 | g << 8 | b
        }
    }
}
