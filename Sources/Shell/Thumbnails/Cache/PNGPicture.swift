package import ImageTypes

/// Pictures as PNG files for other programs.
package enum PNGPicture {
    /// The finest level of a bitmap in sRGB as a PNG.
    package static func encode(_ bitmap: Bitmap) -> [UInt8] { PNGFile.picture(bitmap, []) }
}
