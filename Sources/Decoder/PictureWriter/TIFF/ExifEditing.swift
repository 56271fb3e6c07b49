import Containers
import Geometry

/// EXIF data of a changed picture.
enum ExifEditing {
    /// EXIF data with another orientation; minimal data if `tiff` is nil or corrupt.
    static func oriented(_ tiff: UnsafeRawBufferPointer?, _ orientation: Orientation) -> [UInt8] {
        guard let tiff, let structure = TIFFStructure(tiff) else {
            return TIFFStructure.minimal(orientation)
        }
        return structure.settingOrientation(orientation).applied(to: tiff)
    }

    /// Whether EXIF data have a directory after the first one, which is that of the thumbnail.
    static func hasThumbnail(_ tiff: UnsafeRawBufferPointer) -> Bool {
        TIFFStructure(tiff)?.secondDirectory != nil
    }

    /// EXIF data of a picture with other pixels, of `size` as stored: without the thumbnail, which
    /// shows the old ones, and without places in the old picture.
    ///
    /// Returns nil for corrupt data.
    static func repixeled(
        _ tiff: UnsafeRawBufferPointer, _ orientation: Orientation, _ size: PixelSize
    ) -> [UInt8]? {
        guard let structure = TIFFStructure(tiff) else { return nil }
        var copy = Array(tiff)
        func set(_ tag: Int, at directory: Int, to value: Int) {
            for entry in structure.entries(tag, at: directory) {
                // As a LONG, which holds every size.
                let bytes =
                    structure.encoded(4, 2) + structure.encoded(1, 4) + structure.encoded(value, 4)
                copy.replaceSubrange((entry + 2)..<(entry + 12), with: bytes)
            }
        }
        set(TIFFStructure.Tag.width, at: structure.start, to: size.width)
        set(TIFFStructure.Tag.height, at: structure.start, to: size.height)
        let exif = structure.value(TIFFStructure.Tag.exifDirectory, at: structure.start)
        if let exif, let count = structure.number(at: exif, 2), exif + 2 + count * 12 <= tiff.count
        {
            set(TIFFStructure.Tag.pixelWidth, at: exif, to: size.width)
            set(TIFFStructure.Tag.pixelHeight, at: exif, to: size.height)
        }
        removeThumbnail(structure, from: &copy)
        if let exif { removePlaces(structure, from: exif, &copy) }
        guard
            orientation != .upright
                || !structure.entries(TIFFStructure.Tag.orientation, at: structure.start).isEmpty
        else { return copy }
        return copy.withUnsafeBytes { bytes in
            TIFFStructure(bytes)?.settingOrientation(orientation).applied(to: bytes) ?? copy
        }
    }

    /// Takes the places of the subject out of a directory: the entries after them move up.
    private static func removePlaces(
        _ structure: TIFFStructure, from directory: Int, _ copy: inout [UInt8]
    ) {
        let places = [TIFFStructure.Tag.subjectArea, TIFFStructure.Tag.subjectLocation]
        guard let count = structure.number(at: directory, 2),
            case let end = directory + 2 + count * 12, end <= copy.count
        else { return }
        let entries = (0..<count).map { directory + 2 + $0 * 12 }
        let kept = entries.filter { entry in
            structure.number(at: entry, 2).map { !places.contains($0) } ?? true
        }
        guard kept.count < count else { return }
        // The link to the next directory follows, if there is room for one.
        let whole = directory..<min(end + 4, copy.count)
        var new = structure.encoded(kept.count, 2) + kept.flatMap { copy[$0..<($0 + 12)] }
        new += copy[end..<whole.upperBound]
        new += [UInt8](repeating: 0, count: whole.count - new.count)
        copy.replaceSubrange(whole, with: new)
    }

    /// Takes the further directories out of the list, and overwrites their pictures, so that they do not
    /// show what was cut off; a maker note may still have a picture.
    private static func removeThumbnail(_ structure: TIFFStructure, from copy: inout [UInt8]) {
        guard let (link, directory) = structure.secondDirectory else { return }
        copy.replaceSubrange(link..<(link + 4), with: [0, 0, 0, 0])
        let pictures = structure.pictures(from: directory).sorted {
            $0.lowerBound < $1.lowerBound
        }
        // Pictures may overlap: each byte is overwritten once.
        var done = 0
        for picture in pictures {
            for place in max(picture.lowerBound, done)..<max(picture.upperBound, done) {
                copy[place] = 0
            }
            done = max(done, picture.upperBound)
        }
        if let last = pictures.max(by: { $0.upperBound < $1.upperBound }),
            last.upperBound == copy.count
        {
            copy.removeSubrange(last)
        }
    }
}
