import CCodecs
import ImageTypes

/// The values of an EXIF block, read by libexif.
final class ExifValues {
    enum Directory {
        case picture, camera, gps

        fileprivate var raw: ccodecs_exif_directory {
            switch self {
            case .picture: CCODECS_EXIF_PICTURE
            case .camera: CCODECS_EXIF_CAMERA
            case .gps: CCODECS_EXIF_GPS
            }
        }
    }

    private let raw: OpaquePointer

    /// Whether libexif is there to read EXIF data.
    static var isAvailable: Bool { ccodecs_exif_is_available() != 0 }

    /// Nil if the bytes are not a TIFF structure, or have none of the shown values.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let copy = ExifCopy.copy(of: bytes),
            let raw = ccodecs_exif_open(copy, copy.count)
        else { return nil }
        self.raw = raw
    }

    deinit { ccodecs_exif_close(raw) }

    /// A value as text; nil if it is missing.
    func text(_ directory: Directory, _ tag: Int) -> String? {
        var buffer = [CChar](repeating: 0, count: PictureMetadata.longestValue + 1)
        guard ccodecs_exif_text(raw, directory.raw, Int32(tag), &buffer, buffer.count) != 0 else {
            return nil
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return MetadataText.tidy(String(decoding: bytes, as: UTF8.self))
    }

    /// The number at `index` of a value; nil if it is missing or not finite.
    func number(_ directory: Directory, _ tag: Int, at index: Int = 0) -> Double? {
        var number = 0.0
        let isThere = ccodecs_exif_number(
            raw, directory.raw, Int32(tag), UInt32(index), &number)
        return isThere != 0 && number.isFinite ? number : nil
    }
}
