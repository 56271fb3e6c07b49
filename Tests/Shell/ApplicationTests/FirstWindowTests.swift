import Geometry
import Testing

@testable import Application

/// The size of the very first window.
@Suite struct FirstWindowTests {
    private let screen = Size(width: 1920, height: 1080)

    @Test(
        arguments: [
            // Large pictures fill four fifths along one side.
            (PixelSize(width: 6000, height: 4000), 1.0, Size(width: 1296, height: 864)),
            (PixelSize(width: 4000, height: 1000), 1, Size(width: 1536, height: 384)),
            // A picture that fits has one device pixel per pixel.
            (PixelSize(width: 800, height: 600), 1, Size(width: 800, height: 600)),
            (PixelSize(width: 800, height: 600), 2, Size(width: 400, height: 300)),
            // Small pictures and strips have a usable window.
            (PixelSize(width: 64, height: 64), 1, Size(width: 360, height: 360)),
            (PixelSize(width: 1, height: 20000), 1, Size(width: 360, height: 864)),
            (PixelSize(width: 20000, height: 1), 1, Size(width: 1536, height: 240)),
            (PixelSize(width: 1, height: 1), 0, Size(width: 360, height: 240)),
        ] as [(PixelSize, Double, Size)])
    func aPictureGivesTheSize(picture: PixelSize, scale: Double, expected: Size) {
        #expect(FirstWindow.size(of: picture, scale: scale, on: screen) == expected)
    }

    /// A screen that is smaller than the smallest window.
    @Test func aTinyScreenChangesNothing() {
        let size = FirstWindow.size(
            of: PixelSize(width: 6000, height: 4000), scale: 1, on: Size(width: 10, height: 10))
        #expect(size == Size(width: 360, height: 240))
    }
}
