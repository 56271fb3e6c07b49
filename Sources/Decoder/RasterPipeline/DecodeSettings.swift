package import Geometry
package import ImageTypes
import Localization
import Synchronization

/// What holds for all pictures that are opened from now on: size limits, the screen's colours,
/// and the format that is expected.
package enum DecodeSettings {
    private static let currentLimits = Mutex(DecodeLimits.standard)

    /// The size limits of pictures that are opened from now on.
    package static var limits: DecodeLimits {
        get { currentLimits.withLock { $0 } }
        set { currentLimits.withLock { $0 = newValue } }
    }

    private static let currentScreen = Mutex([UInt8]())

    /// The ICC profile of the screen, which colours are converted to from now on; empty for sRGB.
    package static var screen: [UInt8] {
        get { currentScreen.withLock { $0 } }
        set { currentScreen.withLock { $0 = newValue } }
    }

    private static let currentExpectation = Mutex(PictureFormat?.none)

    /// The format that a file's extension tells, for content that fits no format.
    package static var expected: PictureFormat? {
        get { currentExpectation.withLock { $0 } }
        set { currentExpectation.withLock { $0 = newValue } }
    }

    /// The finest mip level that cairo can address.
    ///
    /// Throws `.tooLarge` above `most` pixels, and `.damaged` for a picture without pixels.
    package static func finestMipLevel(
        for size: PixelSize, most: Int = limits.pixels
    ) throws(DecodeFailure) -> Int {
        guard size.width > 0, size.height > 0 else {
            throw .damaged(reason: localized("it has no pixels"))
        }
        guard !size.isLarger(than: most) else {
            throw .tooLarge(width: size.width, height: size.height, most: most)
        }
        var mipLevel = 0
        while max(size.reduced(by: mipLevel).width, size.reduced(by: mipLevel).height)
            > PictureLimits.side
        {
            mipLevel += 1
        }
        return mipLevel
    }
}
