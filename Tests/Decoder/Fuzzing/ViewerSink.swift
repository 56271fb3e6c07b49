import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline

@testable import Codecs
@testable import DecodeClient

/// The viewer's end of a decoder, which requires that every delivery passes the viewer's checks.
final class ViewerSink: DecodeSink {
    private let info: PictureInfo
    private let thumbnail: ThumbnailRequest?

    init(_ info: PictureInfo, thumbnail: ThumbnailRequest? = nil) {
        self.info = info
        self.thumbnail = thumbnail
    }

    var acceptsPlanes: Bool { thumbnail == nil }

    func shouldContinue() -> Bool { true }

    func deliver(_ memory: Int32, isFinal: Bool) {
        Self.read(
            believed {
                try SealedMemory(taking: memory)
                    .bitmap(of: info, as: thumbnail, acceptsPlanes: acceptsPlanes)
            })
    }

    /// Returns the result of the viewer's checks, which memory from a correct decoder must pass.
    static func believed<Result>(_ body: () throws -> Result) -> Result {
        do { return try body() } catch {
            fatalError("the viewer rejects the memory of a correct decoder")
        }
    }

    private func believed<Result>(_ body: () throws -> Result) -> Result { Self.believed(body) }

    /// Reads the first and last pixel of every row, so that an invalid layout faults.
    static func read(_ bitmap: Bitmap) {
        var sum: UInt8 = 0
        func read(_ size: PixelSize, _ bytesPerPixel: Int, at offset: Int, _ stride: Int) {
            for y in 0..<size.height {
                let row = offset + y * stride
                sum ^=
                    bitmap.memory.bytes[row]
                    ^ bitmap.memory.bytes[row + size.width * bytesPerPixel - 1]
            }
        }
        for level in bitmap.levels {
            read(level.size, bitmap.format.bytesPerPixel, at: level.offset, level.stride)
            if let chroma = level.chroma { read(chroma.size, 2, at: chroma.offset, chroma.stride) }
        }
        withExtendedLifetime(sum) {}
    }
}

extension ViewerSink {
    /// Reads all rows, until the source fails.
    static func read(_ rows: any RowSource) {
        let length = rows.size.width * rows.layout.bytesPerPixel
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 16) { row in
            guard let start = row.baseAddress else { return }
            for _ in 0..<rows.size.height where rows.read([start]) != 1 { return }
        }
    }
}

/// Requires that the viewer can parse the reply of a correct decoder.
func checkArrives(_ reply: DecodeReply) {
    guard reply.bytes.count <= longestMessage, (try? DecodeReply(reply.bytes)) != nil else {
        fatalError("the viewer cannot parse \(reply)")
    }
}
