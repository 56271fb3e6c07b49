import Containers
package import Geometry
package import ImageTypes

/// The EXIF data that decides how a picture is shown and sorted.
///
/// Source: EXIF 2.3 (CIPA DC-008) 4.5 and 4.6; the data is a TIFF file of its own. Corrupt data
/// counts as missing.
package struct Exif: Hashable, Sendable {
    /// The orientation that has to be applied to the stored rows.
    package private(set) var orientation = Orientation.upright
    /// When and with what the picture was taken.
    package private(set) var capture = Capture()
    /// When the picture was taken; nil if unknown.
    package var taken: CaptureTime? { capture.time }

    /// No EXIF data.
    package init() {}

    private enum Tag {
        static let make = 0x010F
        static let model = 0x0110
        static let orientation = 0x0112
        static let dateTime = 0x0132
        static let exifDirectory = 0x8769
        static let dateTimeOriginal = 0x9003
        static let dateTimeDigitized = 0x9004
        static let offset = 0x9010
        static let offsetOriginal = 0x9011
        static let offsetDigitized = 0x9012
    }

    /// Reads a TIFF structure.
    package init(tiff: UnsafeRawBufferPointer) {
        if let file = TIFFReader(tiff) { read(file) }
    }

    private mutating func read(_ file: TIFFReader) {
        let first = file.directory(at: file.start)
        if let value = first[Tag.orientation].flatMap(file.short),
            let raw = UInt8(exactly: value)
        {
            orientation = Orientation(rawValue: raw) ?? .upright
        }
        let exif = first[Tag.exifDirectory].flatMap(file.long).map(file.directory) ?? [:]
        // Each date has an offset of its own; one that is no date counts as missing.
        let dates = [
            (exif[Tag.dateTimeOriginal], exif[Tag.offsetOriginal]),
            (exif[Tag.dateTimeDigitized], exif[Tag.offsetDigitized]),
            (first[Tag.dateTime], exif[Tag.offset]),
        ]
        let names = [Tag.make, Tag.model].compactMap { first[$0].flatMap(file.text) }
        capture.camera = names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        capture.time =
            dates.lazy.compactMap { date, offset in
                date.flatMap(file.text).flatMap(Self.seconds).map {
                    CaptureTime(
                        wallClock: $0,
                        utcOffset: offset.flatMap(file.text).flatMap(CaptureTime.utcOffset))
                }
            }.first
    }

    /// Reads a JPEG's first EXIF segment.
    package init(jpeg: UnsafeRawBufferPointer) {
        let segments = JPEGSegments(jpeg)
        guard let segment = segments.first(JPEGSegments.application + 1, named: "Exif\0\0") else {
            self.init()
            return
        }
        self.init(tiff: segment)
    }

    /// Seconds since 1970-01-01 of a text such as "2026:11:21 09:30:00"; nil if it is not a date.
    ///
    /// Source of the day number: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    /// days_from_civil.
    static func seconds(_ text: [UInt8]) -> Int? {
        let fields = text.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard fields.count == 6, let year = fields[0], let month = fields[1], let day = fields[2],
            let hour = fields[3], let minute = fields[4], let second = fields[5],
            (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let fromMarch = month <= 2 ? year - 1 : year
        let era = fromMarch / 400
        let yearOfEra = fromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }
}
