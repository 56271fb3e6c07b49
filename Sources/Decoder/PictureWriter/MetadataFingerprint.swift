import Containers
import Geometry
import ImageWire
import Metadata
import RasterPipeline

/// Hashes of the metadata that has to survive an edit.
enum MetadataFingerprint {
    /// Directories of EXIF data besides the first one.
    private static let directories = [
        TIFFStructure.Tag.exifDirectory, TIFFStructure.Tag.positionDirectory,
    ]
    /// Tags that an edit changes, or that hold places in the file.
    private static let changed: Set<Int> = [
        TIFFStructure.Tag.width, TIFFStructure.Tag.height, TIFFStructure.Tag.orientation,
        TIFFStructure.Tag.exifDirectory, TIFFStructure.Tag.positionDirectory, 0xA005,
        TIFFStructure.Tag.pixelWidth, TIFFStructure.Tag.pixelHeight,
        TIFFStructure.Tag.subjectArea, TIFFStructure.Tag.subjectLocation,
        TIFFStructure.Tag.stripOffsets, TIFFStructure.Tag.stripLengths, 0x0144, 0x0145, 0x014A,
        // XMP, IPTC, Photoshop resources and profile of a TIFF file have hashes of their own.
        0x02BC, 0x83BB, 0x8649, 0x8773,
    ]

    /// The hashes of a file, as in `PictureFingerprint.metadata`.
    ///
    /// `color` is the colour space of the decoded rows, which has the profile of formats that
    /// compress it.
    static func hashes(of bytes: UnsafeRawBufferPointer, _ color: ColorSource? = nil) -> [[UInt8]] {
        let blocks = MetadataBlocks(bytes)
        defer { withExtendedLifetime(blocks) {} }
        var profile = blocks.profile.map { Array($0) }
        if let color {
            profile = if case .profile(let bytes) = color { bytes } else { nil }
        }
        return [
            exif(blocks.exif), blocks.xmp.map(xmp) ?? [],
            blocks.iptc.map { SHA256.hash(Array($0)) } ?? [], profile.map(SHA256.hash) ?? [],
        ]
    }

    /// The hash of XMP data without what an edit leaves out; a copy of the orientation counts as upright.
    private static func xmp(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        SHA256.hash(XMPEditing.repixeled(bytes, .upright))
    }

    /// The hash of the values of EXIF data, wherever they are stored; empty without any value.
    private static func exif(_ bytes: UnsafeRawBufferPointer?) -> [UInt8] {
        guard let bytes, let reader = TIFFReader(bytes) else { return [] }
        var hash = SHA256()
        var count = 0
        let first = reader.directory(at: reader.start)
        var all = [(0, first)]
        for tag in directories {
            guard let offset = first[tag].flatMap(reader.long) else { continue }
            all.append((tag, reader.directory(at: offset)))
        }
        for (name, entries) in all {
            for tag in entries.keys.sorted() where !changed.contains(tag) {
                guard let entry = entries[tag] else { continue }
                let value = reader.value(entry)
                let numbers = [name, tag, entry.type, entry.count, value?.count ?? -1]
                for number in numbers {
                    withUnsafeBytes(of: UInt64(bitPattern: Int64(number))) { hash.update($0) }
                }
                if let value { hash.update(value) }
                count += 1
            }
        }
        return count == 0 ? [] : hash.finished()
    }
}
