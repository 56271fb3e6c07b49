import Geometry
import ImageTypes

extension Bitmap {
    /// The mean of all pixels, as premultiplied 0xAARRGGBB.
    var averageColor: UInt32 {
        // The coarsest mip level is enough: each of its pixels is the mean of many original pixels.
        let mipLevel = levels[levels.count - 1]
        var sums: SIMD4<UInt64> = .zero
        for y in 0..<mipLevel.size.height {
            let start = mipLevel.offset + y * mipLevel.stride
            for x in 0..<mipLevel.size.width {
                let pixel = memory.bytes.load(fromByteOffset: start + 4 * x, as: UInt32.self)
                sums &+= SIMD4(
                    UInt64(pixel & 255), UInt64(pixel >> 8 & 255), UInt64(pixel >> 16 & 255),
                    UInt64(pixel >> 24))
            }
        }
        let count = UInt64(mipLevel.size.width * mipLevel.size.height)
        let means = (sums &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: count)
        return UInt32(means.w) << 24 | UInt32(means.z) << 16 | UInt32(means.y) << 8
            | UInt32(means.x)
    }
}
