import CCodecs
import Containers
import Geometry
import ImageTypes
import RasterPipeline

/// The planes of a lossy WebP.
final class WebPPlanes: PlaneSource {
    let size: PixelSize
    /// As libwebp converts them to pixels: BT.601, and chroma samples are centred.
    let format = ChromaFormat(isFullRange: false, columnShift: 1, rowShift: 1)
    private let library: ccodecs_webp_library
    private let raw: OpaquePointer
    private var y = 0

    /// Starts decoding; `bytes` has to outlive the object.
    init(
        _ library: ccodecs_webp_library, _ bytes: UnsafeRawBufferPointer,
        _ info: ccodecs_webp_info
    ) throws(DecodeFailure) {
        guard
            let raw = library.create(
                bytes.bytes, bytes.count, info, CCODECS_WEBP_PLANES, nil, 0, 0)
        else { throw WebPCodec.failure(CCODECS_WEBP_NO_MEMORY) }
        (self.library, self.raw, size) = (library, raw, info.size)
        guard library.begin(raw) != 0 else { throw WebPCodec.failure(library.status(raw)) }
    }

    deinit { library.destroy(raw) }

    var isComplete: Bool { library.status(raw) == CCODECS_WEBP_FINE }

    func read(luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]) -> Int {
        let end = min(Int(library.decode(raw, Int32(y + luma.count))), size.height)
        let count = max(0, min(luma.count, end - y))
        for (index, row) in luma.prefix(count).enumerated() {
            library.copy_luma(raw, Int32(y + index), row)
        }
        for (index, row) in chroma.prefix((count + 1) / 2).enumerated() {
            library.copy_chroma(raw, Int32(y / 2 + index), row)
        }
        y += count
        return count
    }
}
