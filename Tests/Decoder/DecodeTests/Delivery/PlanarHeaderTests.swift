import CLinux
import SeededRandom
import Geometry
import Glibc
import ImageTypes
import Testing

@testable import DecodeClient
@testable import ImageWire

/// Headers of planes, from an intact and from a compromised decoder.
@Suite struct PlanarHeaderTests {
    private static let size = PixelSize(width: 301, height: 203)
    private static let info = PictureInfo(size: size, orientation: .upright, format: "JPEG")

    private func header(_ format: ChromaFormat) -> PixelHeader {
        PixelHeader(
            size: Self.size, orientation: .upright, format: .planes, chroma: format,
            levels: PixelLayout.levels(of: Self.size, chroma: format))
    }

    /// Sealed memory with these bytes as its header, and samples that take no memory.
    private func memory(_ header: [UInt8], bytes: Int) -> Int32 {
        let memory = clinux_memfd_create("planes")
        #expect(pwrite(memory, header, header.count, 0) == header.count)
        #expect(ftruncate(memory, bytes) == 0)
        #expect(clinux_seal_patiently(memory) == 0)
        return memory
    }

    private func bitmap(
        _ header: [UInt8], bytes: Int, acceptsPlanes: Bool = true
    ) throws(WireError) -> Bitmap {
        try SealedMemory(taking: memory(header, bytes: bytes))
            .bitmap(of: Self.info, as: nil, acceptsPlanes: acceptsPlanes)
    }

    @Test func planesOfEveryFormatAreAccepted() throws {
        for columns in ChromaFormat.shifts {
            for rows in ChromaFormat.shifts {
                for edge in [ChromaFormat.edges.lowerBound, 0, ChromaFormat.edges.upperBound] {
                    let format = ChromaFormat(
                        matrix: .bt709, isFullRange: false, columnShift: columns, rowShift: rows,
                        left: edge, top: -edge)
                    let header = header(format)
                    let bitmap = try bitmap(
                        header.bytes, bytes: PixelLayout.end(of: header.levels))
                    #expect(bitmap.chroma == format && bitmap.levels == header.levels)
                    // Planes do not overlap, and coarse levels share no plane with the finest ones.
                    var ends = PixelHeader.length
                    for level in bitmap.levels {
                        #expect(level.offset >= ends)
                        ends = max(ends, level.end)
                    }
                }
            }
        }
    }

    /// Forges each byte of the header.
    ///
    /// What is accepted nevertheless lies inside the memory: `Bitmap` traps otherwise.
    @Test func everyForgedByteIsDetectedOrHarmless() throws {
        let header = header(ChromaFormat(columnShift: 1, rowShift: 1))
        let bytes = header.bytes
        let length = PixelLayout.end(of: header.levels)
        var accepted: Set<Int> = []
        for index in bytes.indices {
            let own = bytes[index]
            let values = [0, 1, 2, 7, 63, 127, 128, 255, own ^ 1, own &+ 64]
            for value in values where value != own {
                var forged = bytes
                forged[index] = value
                if (try? bitmap(forged, bytes: length)) != nil { accepted.insert(index) }
            }
        }
        // The matrix, the range, and the two edges: any of their values is a picture, in other colours or
        // with shifted chroma. The bytes are those after the format, of 25 bytes before.
        #expect(accepted == [25, 26, 43, 51])
    }

    /// Two forged bytes at once, so that sizes, strides and offsets may fit each other.
    @Test func randomHeadersNeverLeadOutsideTheMemory() {
        var random = SeededGenerator(seed: 61)
        let header = header(ChromaFormat(columnShift: 1, rowShift: 0))
        let length = PixelLayout.end(of: header.levels)
        for _ in 0..<4000 {
            var forged = header.bytes
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                guard let index = forged.indices.randomElement(using: &random) else { continue }
                forged[index] =
                    [0, 1, 64, 128, 255, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            _ = try? bitmap(forged, bytes: length)
        }
    }

    /// What reads pixels alone must not get planes: thumbnails, frames, tiles.
    @Test func planesThatNobodyAskedForAreRefused() throws {
        let header = header(ChromaFormat(columnShift: 1, rowShift: 1))
        let length = PixelLayout.end(of: header.levels)
        #expect(throws: WireError.self) {
            try bitmap(header.bytes, bytes: length, acceptsPlanes: false)
        }
        let tile = PictureTile(
            mipLevel: 0, rect: PixelRect(x: 0, y: 0, width: 301, height: 203))
        let sealed = try SealedMemory(taking: memory(header.bytes, bytes: length))
        #expect(throws: WireError.self) { try sealed.bitmap(of: Self.info, part: tile) }
    }

    @Test func planesHaveNoCopyInSRGB() {
        var header = header(ChromaFormat(columnShift: 0, rowShift: 0))
        let end = PixelLayout.end(of: header.levels)
        header.sRGBCopy = Bitmap.Level(
            mipLevel: 0, size: Self.size, stride: 1216, offset: PixelLayout.aligned(end))
        #expect(throws: WireError.self) {
            try bitmap(header.bytes, bytes: end + 1216 * Self.size.height + 64)
        }
    }
}
