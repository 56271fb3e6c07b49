import TestKit
import Testing

@testable import PictureWriter

/// Where metadata have thumbnails, also in data that are made to take long.
@Suite(.timeLimit(.minutes(1))) struct ThumbnailPlaceTests {
    // MARK: Photoshop's resources

    private func resource(_ kind: Int, _ data: [UInt8] = []) -> [UInt8] {
        Array("8BIM".utf8) + TestMetadata.number(kind, 2) + [0, 0]
            + TestMetadata.number(data.count, 4) + data
    }

    private func segment(_ resources: [UInt8]) -> [UInt8] {
        TestMetadata.segment(0xED, Array("Photoshop 3.0\0".utf8) + resources)
    }

    @Test func manySegmentsTakeLinearTime() {
        let (other, thumbnail) = (resource(0x0404), resource(0x040C))
        let segments = 40_000
        let one = segment(other + thumbnail + other + thumbnail)
        let file = [0xFF, 0xD8] + [[UInt8]](repeating: one, count: segments).joined()
        file.withUnsafeBytes { file in
            let thumbnails = PhotoshopThumbnails(file)
            #expect(!thumbnails.isEmpty)
            let remaining = thumbnails.remaining
            #expect(remaining.count == segments)
            let rest = Array("Photoshop 3.0\0".utf8) + other + other
            #expect(remaining.allSatisfy { $0 == rest })
        }
    }

    @Test func aSegmentOfNothingButAThumbnailIsLeftOut() {
        let parts = [resource(0x0404), resource(0x0409, [1, 2]), resource(0x040C), []]
        let file = [0xFF, 0xD8] + parts.flatMap(segment)
        file.withUnsafeBytes { file in
            let remaining = PhotoshopThumbnails(file).remaining
            #expect(remaining.map { $0 != nil } == [true, false, false, false])
        }
    }
}
