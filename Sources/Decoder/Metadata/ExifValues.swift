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

    private let library: ccodecs_exif_library
    private let raw: OpaquePointer

    /// Whether libexif is there to read EXIF data.
    static var isAvailable: Bool { ccodecs_open_exif() != nil }

    /// Nil if the bytes are not a TIFF structure, or have none of the shown values.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let copy = ExifCopy.copy(of: bytes),
            let library = ccodecs_open_exif()?.pointee,
            let raw = library.open(copy, copy.count)
        else { return nil }
        (self.library, self.raw) = (library, raw)
    }

    deinit { library.close(raw) }

    /// A value as text; nil if it is missing.
    func text(_ directory: Directory, _ tag: Int) -> String? {
        var buffer = [CChar](repeating: 0, count: PictureMetadata.longestValue + 1)
        guard library.text(raw, directory.raw, Int32(tag), &buffer, buffer.count) != 0 else {
            return nil
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return MetadataText.tidy(String(decoding: bytes, as: UTF8.self))
    }

    /// The number at `index` of a value; nil if it is missing or not finite.
    func number(_ directory: Directory, _ tag: Int, at index: Int = 0) -> Double? {
        var number = 0.0
        let isThere = library.number(
            raw, directory.raw, Int32(tag), UInt32(index), &number)
        return isThere != 0 && number.isFinite ? number : nil
    }
}
