import Containers

/// The tags that describe how a TIFF file stores its pixels; all others are data about the picture.
///
/// Sources: TIFF 6.0, sections 8 to 22; EXIF 2.3 (CIPA DC-008), 4.6.4 A; TIFF technical notes 1 and 2.
enum TIFFStructuralTags {
    private static let ranges: [ClosedRange<Int>] = [
        // Kind, size, samples, strips, scale and place on a page, and the number of the page.
        254...259, 262...266, 273...274, 277...284, 286...293, 296...297,
        // Transfer function, predictor, colours, halftone, tiles, and lines of a fax.
        301...301, 317...328,
        // Directories of further pictures, inks and formats of samples, and tables of a JPEG.
        330...330, 332...336, 338...342, 347...347, 512...521,
        // YCbCr and its reference levels.
        529...532,
        // The profile, which a new file has as its own.
        34675...34675,
    ]

    /// Whether the first directory of a file has a tag besides these and `others`.
    static func hasFurther(in file: TIFFReader, besides others: Set<Int>) -> Bool {
        let tags = file.directory(at: file.start).keys
        return tags.contains { tag in
            !others.contains(tag) && !ranges.contains { $0.contains(tag) }
        }
    }
}
