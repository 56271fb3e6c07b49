import ImageWire
import Geometry
import Glibc
import ImageTypes

@testable import Codecs
@testable import DecodeClient

/// The viewer's end of a decoder: what is delivered has to be what the viewer believes.
final class Recipient: DecodeSink {
    private let info: PictureInfo
    private let thumbnail: ThumbnailRequest?

    init(_ info: PictureInfo, thumbnail: ThumbnailRequest? = nil) {
        self.info = info
        self.thumbnail = thumbnail
    }

    func shouldContinue() -> Bool { true }

    func deliver(_ memory: Int32, isFinal: Bool) {
        Self.read(believed { try SealedMemory(taking: memory).bitmap(of: info, as: thumbnail) })
    }

    /// What the viewer makes of an honest decoder's memory.
    static func believed<Result>(_ body: () throws -> Result) -> Result {
        do { return try body() } catch {
            fatalError("the viewer does not believe the decoder")
        }
    }

    private func believed<Result>(_ body: () throws -> Result) -> Result { Self.believed(body) }

    /// Reads the ends of every row, as a painter would.
    static func read(_ bitmap: Bitmap) {
        var sum: UInt32 = 0
        for level in bitmap.levels {
            for y in 0..<level.size.height {
                let row = level.offset + y * level.stride
                for place in [row, row + (level.size.width - 1) * 4] {
                    sum ^= bitmap.memory.bytes.load(fromByteOffset: place, as: UInt32.self)
                }
            }
        }
        withExtendedLifetime(sum) {}
    }
}

extension Recipient {
    /// Decodes rows until they end.
    static func read(_ rows: any RowSource) {
        let length = rows.size.width * rows.layout.bytesPerPixel
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 16) { row in
            guard let start = row.baseAddress else { return }
            for _ in 0..<rows.size.height where rows.read([start]) != 1 { return }
        }
    }
}

/// What the viewer makes of an honest decoder's reply: the same.
func checkArrives(_ reply: DecodeReply) {
    guard reply.bytes.count <= longestMessage, (try? DecodeReply(reply.bytes)) != nil else {
        fatalError("the viewer does not understand \(reply)")
    }
}
