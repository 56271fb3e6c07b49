import CCodecs
import Geometry
import ImageTypes
import Localization

/// Encodes pixels as a WebP, by libwebp.
enum WebPEncoder {
    /// The longest side of a WebP in pixels.
    private static let longestSide = 16383

    static var isAvailable: Bool { ccodecs_open_webp_writer() != nil }

    private final class Rows {
        let pixels: EditedPixels
        let progress: () -> Void

        init(_ pixels: EditedPixels, _ progress: @escaping () -> Void) {
            (self.pixels, self.progress) = (pixels, progress)
        }
    }

    /// Encodes with a quality of 1…100, or without loss if it is nil.
    static func encode(
        _ pixels: EditedPixels, quality: Int?, _ progress: @escaping () -> Void
    ) throws(EditFailure) -> EncodedFile {
        let size = pixels.geometry.size
        guard let writer = ccodecs_open_webp_writer()?.pointee, pixels.kind == .rgba8,
            max(size.width, size.height) <= longestSide
        else { throw .refused(localized("the picture cannot be saved as WebP")) }
        let rows = Rows(pixels, progress)
        var result: UnsafeMutablePointer<UInt8>?
        var length = 0
        let code = withExtendedLifetime(rows) {
            writer.encode(
                Int32(size.width), Int32(size.height), Int32(quality ?? 0),
                { context, y, row in
                    guard let context, let row else { return }
                    let rows = Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue()
                    if y % 64 == 0 { rows.progress() }
                    rows.pixels.copyRow(Int(y), to: row)
                },
                { context in
                    guard let context else { return }
                    Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue().progress()
                }, Unmanaged.passUnretained(rows).toOpaque(), &result, &length)
        }
        guard code == 0, let result else {
            let reason = "error \(code) of libwebp"
            throw .failed(.unreadable(reason: localized("it cannot be encoded: \(reason)")))
        }
        return EncodedFile(taking: result, length) { writer.release($0) }
    }
}
