import Geometry
import ImageTypes
import TestKit
import Testing

/// Colours of pictures that are laid on the disk are those of pictures that are held.
extension SpilledTests {
    /// A profile that only the grid has, none of its tiles.
    @Test func aGridsOwnProfileIsHeeded() throws {
        let file = try TestHEIF.takingFromTiles("colr", of: try made("profile.avif"))
        let spilling = try Spilling(file)
        try spilling.expectAlike()
        let plain = try Decoding(try made("grid.avif"))
        expectExchanged(try spilling.overview, try #require(plain.bitmaps.last))
    }

    /// And the screen's.
    @Test func theScreensProfileIsHeeded() throws {
        let file = try made("it.jxl")
        let spilling = try Spilling(file, screen: ScreenProfile(TestProfile.swapped))
        try spilling.expectAlike()
        let plain = try Decoding(file)
        expectExchanged(try spilling.overview, try #require(plain.bitmaps.last))
    }

    /// Expects that red and blue have changed places, where they differ most.
    private func expectExchanged(
        _ bitmap: Bitmap, _ plain: Bitmap, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (x, y) in [(1100, 20), (1150, 400), (1000, 200), (100, 30)] {
            let (seen, other) = (bitmap.pixel(x, y), plain.pixel(x, y))
            #expect(
                abs(seen.r - other.b) < 12 && abs(seen.g - other.g) < 12
                    && abs(seen.b - other.r) < 12 && abs(other.r - other.b) > 30,
                "\(seen) \(other)", sourceLocation: sourceLocation)
        }
    }
}
