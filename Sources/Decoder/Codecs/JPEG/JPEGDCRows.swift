import Geometry
import ImageTypes
import RasterPipeline

/// Rows of a JPEG at 1/8 of its size, made of its DC coefficients.
final class JPEGDCRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isComplete = true
    private let image: JPEGDCImage
    /// What Cr adds to red, Cb to blue, and both to green; the latter in units of 1/65536.
    private let red: [Int]
    private let blue: [Int]
    private let greenOfRed: [Int]
    private let greenOfBlue: [Int]
    private var y = 0

    init(_ image: JPEGDCImage, _ color: ColorSource) {
        self.image = image
        self.color = color
        size = image.size.reduced(by: JPEGCodec.blockMipLevel)
        layout = image.planes.count == 1 ? .gray8 : .bgrx8
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
            let starts = image.planes.map { y * $0.rows / image.mostRows * $0.stride }
            if layout == .gray8 {
                let target = row.assumingMemoryBound(to: UInt8.self)
                for x in 0..<size.width { target[x] = image.planes[0].means[starts[0] + x] }
            } else {
                convert(starts, to: row.assumingMemoryBound(to: UInt32.self))
            }
            y += 1
        }
        return rows.count
    }

    private func convert(_ starts: [Int], to target: UnsafeMutablePointer<UInt32>) {
        let (yPlane, cbPlane, crPlane) = (image.planes[0], image.planes[1], image.planes[2])
        let columns = image.mostColumns
        for x in 0..<size.width {
            let luma = Int(yPlane.means[starts[0] + x * yPlane.columns / columns])
            let cb = Int(cbPlane.means[starts[1] + x * cbPlane.columns / columns])
            let cr = Int(crPlane.means[starts[2] + x * crPlane.columns / columns])
            let r = UInt32(UInt8(clamping: luma + red[cr]))
            let g = UInt32(UInt8(clamping: luma + (greenOfRed[cr] + greenOfBlue[cb]) >> 16))
            let b = UInt32(UInt8(clamping: luma + blue[cb]))
            target[x] = 0xFF00_0000 | r << 16 | g << 8 | b
        }
    }
}
