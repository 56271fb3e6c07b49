import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import Synchronization
import Testing

@testable import Codecs

/// What a decoder makes of a codec that declares little.
@Suite struct StillDecoderTests {
    private static let size = PixelSize(width: 90, height: 60)

    /// Can decode the full picture, and nothing else; the rows have the size `rowSize`.
    private struct PlainCodec: StillCodec {
        static let format = PictureFormat.bmp
        let size = StillDecoderTests.size
        var rowSize = StillDecoderTests.size

        init(_ bytes: UnsafeRawBufferPointer) {}
        init(rowSize: PixelSize) { self.rowSize = rowSize }

        func rows() -> any RowSource { PlainRows(rowSize) }
    }

    private final class PlainRows: RowSource {
        let size: PixelSize
        let layout = SampleLayout.gray8
        let color = ColorSource.standard
        let isComplete = true

        init(_ size: PixelSize) { self.size = size }

        func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
            for row in rows { memset(row, 128, size.width) }
            return rows.count
        }
    }

    private final class Sink: DecodeSink {
        let deliveries = Mutex<[Bool]>([])

        func shouldContinue() -> Bool { true }

        func deliver(_ memory: Int32, isFinal: Bool) {
            close(memory)
            deliveries.withLock { $0.append(isFinal) }
        }
    }

    private func decoder(_ codec: PlainCodec) throws -> StillDecoder {
        try StillDecoder(codec, fileLength: 100)
    }

    @Test func thePictureIsUprightUndatedStillAndInMemory() throws {
        let decoder = try decoder(PlainCodec(rowSize: Self.size))
        #expect(
            decoder.info
                == PictureInfo(
                    size: Self.size, orientation: .upright, format: PictureFormat.bmp.name))
        #expect(decoder.streaming == nil)
        #expect(try decoder.animation() == nil)
    }

    @Test(arguments: [1, 10, 1000]) func thePictureIsTheOnlyDelivery(side: Int) throws {
        var decoder = try decoder(PlainCodec(rowSize: Self.size))
        let sink = Sink()
        let target = PixelSize(width: side, height: side)
        #expect(try decoder.decode(for: target, to: sink) == nil)
        #expect(sink.deliveries.withLock { $0 } == [true])
        #expect(try decoder.rows(covering: target).size == Self.size)
    }

    @Test func rowsOfAnotherSizeAreDamage() throws {
        var decoder = try decoder(PlainCodec(rowSize: PixelSize(width: 45, height: 30)))
        let failure = DecodeFailure.damaged(
            reason: "the decoded size differs from the size in the header")
        #expect(throws: failure) { try decoder.decode(for: Self.size, to: Sink()) }
        #expect(throws: failure) { try decoder.rows(covering: Self.size) }
    }
}
