import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization

/// Encodes the pixels of a JPEG anew.
enum JPEGEncoder {
    private static let longestMessage = 200
    /// The longest side of a JPEG in pixels.
    private static let longestSide = 65500

    /// How a JPEG is stored; nil if its header cannot be read.
    static func format(_ bytes: UnsafeRawBufferPointer) -> ccodecs_jpeg_format? {
        var format = ccodecs_jpeg_format()
        return ccodecs_jpeg_read_format(bytes.bytes, bytes.count, &format) == 0 ? format : nil
    }

    /// The rows of a picture, one of which is converted at a time.
    private final class Rows {
        let pixels: EditedPixels
        let isGray: Bool
        let progress: () -> Void
        let row: UnsafeMutableRawPointer

        init(_ pixels: EditedPixels, isGray: Bool, _ progress: @escaping () -> Void) {
            (self.pixels, self.isGray, self.progress) = (pixels, isGray, progress)
            row = .allocate(byteCount: max(pixels.rowLength, 1), alignment: 16)
        }

        deinit { row.deallocate() }

        /// Writes a row as the encoder expects it.
        func copy(_ y: Int, to target: UnsafeMutablePointer<UInt8>) {
            pixels.copyRow(y, to: row)
            let source = row.assumingMemoryBound(to: UInt8.self)
            let width = pixels.geometry.rect.width
            if isGray {
                for x in 0..<width { target[x] = source[x * 4] }
            } else {
                target.update(from: source, count: width * 4)
            }
        }
    }

    /// Encodes pixels of 8 bits; `source` is how the source is stored, if that is known.
    static func encode(
        _ pixels: EditedPixels, like source: ccodecs_jpeg_format?, quality: Int,
        _ progress: @escaping () -> Void
    ) throws(EditFailure) -> EncodedFile {
        let size = pixels.geometry.size
        guard max(size.width, size.height) <= longestSide else {
            throw .refused(localized("the picture is too large for a JPEG"))
        }
        guard pixels.kind == .rgba8 || pixels.kind == .cmyk8 else {
            throw .failed(.damaged(reason: localized("its samples are not those of a JPEG")))
        }
        let isGray = pixels.isGrayForOutput
        var format = ccodecs_jpeg_format()
        format.components = pixels.kind == .cmyk8 ? 4 : isGray ? 1 : 3
        format.horizontal = (2, 1, 1, 2)
        format.vertical = (2, 1, 1, 2)
        if let source, source.components == format.components {
            format = source
            // Turned pixels have their subsampling turned.
            if pixels.geometry.orientation.swapsAxes {
                swap(&format.horizontal, &format.vertical)
            }
        }
        format.quality = Int32(quality)
        return try encode(Rows(pixels, isGray: isGray, progress), size, &format)
    }

    private static func encode(
        _ rows: Rows, _ size: PixelSize, _ format: inout ccodecs_jpeg_format
    ) throws(EditFailure) -> EncodedFile {
        var result: UnsafeMutablePointer<UInt8>?
        var length = 0
        var message = [CChar](repeating: 0, count: longestMessage)
        let code = withExtendedLifetime(rows) {
            ccodecs_jpeg_encode(
                &format, Int32(size.width), Int32(size.height),
                { context, y, row in
                    guard let context, let row else { return }
                    Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue().copy(Int(y), to: row)
                },
                { context in
                    guard let context else { return }
                    Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue().progress()
                }, Unmanaged.passUnretained(rows).toOpaque(), &result, &length, &message,
                message.count)
        }
        guard code == 0, let result else {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .failed(
                .unreadable(
                    reason: localized(
                        "it cannot be encoded: \(String(decoding: text, as: UTF8.self))")))
        }
        return EncodedFile(taking: result, length)
    }
}
