import Geometry
import ImageTypes
import TestKit
import Testing

/// Pictures with a backing file have the same colours as pictures in memory.
extension DiskBackedTests {
    /// Whether avifenc writes the profile of a grid; version 1.2 of Debian 13 leaves the profile out.
    static let toolWritesGridProfiles: Bool = {
        let bench = Workbench()
        bench.put("card.png", TestPicture.card(256, 128).png())
        bench.put("it.icc", TestProfile.swapped)
        return bench.succeeds(
            "avifenc -s 10 -g 2x1 --icc it.icc card.png it.avif && grep -q colrprof it.avif")
    }()

    /// The profile is a property of the grid item only, not of its tiles.
    @Test(.enabled(if: toolWritesGridProfiles))
    func theProfileOfAGridIsApplied() throws {
        let file = try TestHEIF.takingFromTiles("colr", of: try made("profile.avif"))
        let spilling = try DiskBackedComparison(file)
        try spilling.expectAlike()
        let plain = try Decoding(try made("grid.avif"))
        expectExchanged(try spilling.overview, try #require(plain.bitmaps.last))
    }

    @Test func theScreenProfileIsApplied() throws {
        let file = try made("it.jxl")
        let spilling = try DiskBackedComparison(file, screen: ScreenProfile(TestProfile.swapped))
        try spilling.expectAlike()
        let plain = try Decoding(file)
        expectExchanged(try spilling.overview, try #require(plain.bitmaps.last))
    }

    /// Expects swapped red and blue at points where the two differ clearly.
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
