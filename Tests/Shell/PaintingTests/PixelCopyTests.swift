import Geometry
import Glibc
import ImageTypes
import Testing

@testable import Painting

/// How long the pixels of a rotated picture of planes are kept.
@Suite struct PixelCopyTests {
    private let cache = PixelCopyCache()
    private let bitmap = PlanarPicture.flat(
        PixelSize(width: 300, height: 200), ChromaFormat(columnShift: 1, rowShift: 1), luma: 90,
        chroma: 128)

    /// A frame that shows the rotated picture or a refined one.
    private func frame(isRotated: Bool = false, isRefined: Bool = false) -> PixelCopy? {
        cache.begin()
        defer { cache.end() }
        if isRefined { cache.noteRefinedPicture() }
        return isRotated ? cache.copy(of: bitmap.levels[0], in: bitmap, .best) : nil
    }

    @Test func aCopyServesAllFramesOfAMotion() throws {
        let copy = try #require(frame(isRotated: true))
        #expect(frame(isRotated: true) === copy)
    }

    /// At rest, the refined picture stands for the rotated one, whose next motion needs the copy again.
    @Test func aCopyOutlastsTheRefinedPicture() throws {
        let copy = try #require(frame(isRotated: true))
        _ = frame(isRefined: true)
        #expect(frame(isRotated: true) === copy)
    }

    /// An upright picture, the grid, or an animation follows.
    @Test func anyOtherFrameDropsTheCopy() {
        weak let copy = frame(isRotated: true)
        #expect(copy != nil)
        _ = frame()
        // Another thread unmaps the memory.
        for _ in 0..<5000 where copy != nil { usleep(1000) }
        #expect(copy == nil)
        #expect(frame(isRotated: true) != nil)
    }

    /// Only tiles that a region touches are made, by any number of threads at once.
    @Test func onlyWhatIsNeededIsMade() throws {
        let copy = try #require(frame(isRotated: true))
        copy.make(PixelRect(x: 130, y: 70, width: 2, height: 2))
        func pixel(_ x: Int, _ y: Int) -> UInt32 {
            copy.bitmap.memory.bytes.load(
                fromByteOffset: y * copy.level.stride + x * 4, as: UInt32.self)
        }
        #expect(pixel(131, 71) == 0xFF5A_5A5A)
        #expect(pixel(0, 0) == 0 && pixel(131, 0) == 0 && pixel(0, 71) == 0)
        copy.make(PixelRect(copy.level.size))
        #expect(pixel(0, 0) == 0xFF5A_5A5A && pixel(299, 199) == 0xFF5A_5A5A)
    }
}
