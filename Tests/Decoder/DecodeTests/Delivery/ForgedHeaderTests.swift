import CLinux
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import DecodeClient
@testable import ImageWire

/// Forged values in each field of the pixel header, from a compromised decoder.
@Suite struct ForgedHeaderTests {
    private let folder = TemporaryFolder()

    /// A header field of a 64 × 64 picture with one mip level: offset and width in bytes, correct value,
    /// and whether other values are valid too.
    struct Field: CustomTestStringConvertible, Sendable {
        var name: String
        var offset: Int
        var width: Int
        var value: Int
        var isFlexible = false

        var testDescription: String { name }

        static let all = [
            Field(name: "magic", offset: 0, width: 4, value: 0x3150_7456),
            Field(name: "width", offset: 4, width: 8, value: 64),
            Field(name: "height", offset: 12, width: 8, value: 64),
            Field(name: "orientation", offset: 20, width: 1, value: 1),
            Field(name: "format", offset: 21, width: 4, value: 0, isFlexible: true),
            Field(name: "levels", offset: 25, width: 8, value: 1),
            Field(name: "exponent", offset: 33, width: 8, value: 0),
            Field(name: "level's width", offset: 41, width: 8, value: 64),
            Field(name: "level's height", offset: 49, width: 8, value: 64),
            Field(name: "stride", offset: 57, width: 8, value: 320, isFlexible: true),
            Field(name: "offset", offset: 65, width: 8, value: 4096, isFlexible: true),
            Field(name: "copy's stride", offset: 73, width: 8, value: 0),
            Field(name: "copy's offset", offset: 81, width: 8, value: 0),
        ]

        var forgedValues: [Int] {
            let mask = width == 8 ? -1 : (1 << (width * 8)) - 1
            let values = [
                0, 1, 2, value - 1, value + 1, value + 4, value * 2, 24, 25, 24576, 28672, 28673,
                Int(Int32.max), 1 << 32, Int.max, Int.min, -1, -4096,
            ]
            return Set(values.map { $0 & mask }).subtracting([value]).sorted()
        }
    }

    @Test func theFieldOffsetsAreCorrect() throws {
        let size = PixelSize(width: 64, height: 64)
        let level = Bitmap.Level(mipLevel: 0, size: size, stride: 320, offset: 4096)
        let header = PixelHeader(
            size: size, orientation: .upright, format: .rgb24, levels: [level])
        for field in Field.all {
            let bytes = header.bytes[field.offset..<field.offset + field.width]
            #expect(
                bytes.reversed().reduce(0) { $0 << 8 | Int($1) } == field.value, "\(field.name)")
        }
        #expect(header.bytes.count == 89)
    }

    @Test(arguments: Field.all) func aForgedFieldIsDetected(_ field: Field) throws {
        let decoder = Binaries.hostileDecoder("decoder", in: folder)
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)))
        var id = 0
        for forged in field.forgedValues {
            id += 1
            let command = "HOSTILE writes-into-the-header \(field.offset) \(field.width) \(forged)"
            let result = Decoding(client, id: id, Array(command.utf8))
            if field.isFlexible, let bitmap = result.bitmaps.last {
                let level = bitmap.levels[0]
                let end = level.offset + (level.size.height - 1) * level.stride + 256
                #expect(level.offset >= 4096 && end <= bitmap.memory.bytes.count)
                #expect(level.stride >= 256 && bitmap.levels.count == 1)
            } else {
                #expect(result.failure == .invalidReply, "\(forged)")
            }
        }
        // The next picture is decoded normally.
        let card = TestPicture.card(30, 20)
        let next = Decoding(client, id: id + 1, card.png())
        #expect(next.bitmaps.last?.largestDifference(from: card) == 0)
    }

    /// Sealed memory with a valid header, and pixels that take no memory.
    private func memory(_ levels: [Bitmap.Level], of size: PixelSize) -> Int32 {
        let header = PixelHeader(
            size: size, orientation: .upright, format: .rgb24, levels: levels
        ).bytes
        let memory = clinux_memfd_create("forged")
        #expect(pwrite(memory, header, header.count, 0) == header.count)
        #expect(ftruncate(memory, PixelLayout.end(of: levels)) == 0)
        #expect(clinux_seal_patiently(memory) == 0)
        return memory
    }

    /// A frame would be painted from the finest level, which takes as long as the picture is large.
    @Test func aPictureWithoutItsCoarseLevelsIsRefused() throws {
        let size = PixelSize(width: 3000, height: 2000)
        let info = PictureInfo(size: size, orientation: .upright, format: "PNG")
        let levels = PixelLayout.levels(of: size)
        let whole = try SealedMemory(taking: memory(levels, of: size))
        #expect(try whole.bitmap(of: info, as: nil, acceptsPlanes: false).levels == levels)
        for forged in [[levels[0]], Array(levels.dropLast()), [levels[0], levels[3]]] {
            let forged = try SealedMemory(taking: memory(forged, of: size))
            #expect(throws: WireError.self) {
                try forged.bitmap(of: info, as: nil, acceptsPlanes: false)
            }
        }
    }

    /// The viewer holds what a decoder sends, so the limit of a picture is the viewer's, too.
    @Test func moreMemoryThanTheLimitIsRefused() throws {
        let size = PixelSize(width: 6000, height: 4000)
        let levels = PixelLayout.levels(of: size)
        var limits = DecodeLimits.standard
        limits.limit(bytes: 64 << 20)
        #expect(throws: WireError.self) {
            try SealedMemory(taking: memory(levels, of: size), limits)
        }
        limits.limit(bytes: 128 << 20)
        _ = try SealedMemory(taking: memory(levels, of: size), .standard)
    }

    @Test(arguments: [
        "seals-the-future-only", "may-still-shrink-it", "does-not-seal", "sends-a-file",
        "sends-a-sandbox-report", "sends-bytes 28673", "sends-bytes 1000000000",
        "sends-bytes 4095", "sends-bytes 20000",
    ])
    func invalidMemoryIsRefused(_ action: String) throws {
        let decoder = Binaries.hostileDecoder("decoder", in: folder)
        let result = try Decoding(Array("HOSTILE \(action)".utf8), decoder: decoder)
        #expect(result.failure == .invalidReply)
        #expect(result.bitmaps.isEmpty)
    }
}
