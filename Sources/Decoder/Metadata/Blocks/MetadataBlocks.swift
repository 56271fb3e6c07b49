import Containers

/// The metadata blocks of a picture file; every format has the same few kinds of blocks.
///
/// The blocks are slices of the file, or of memory that this value owns where the file packs them: use
/// them within the lifetime of this value. They are located here but not parsed; no pixels are decoded.
package struct MetadataBlocks {
    /// A TIFF structure.
    package var exif: UnsafeRawBufferPointer?
    package var xmp: UnsafeRawBufferPointer?
    /// IPTC-IIM records.
    package var iptc: UnsafeRawBufferPointer?
    /// An ICC profile, or its beginning.
    package var profile: UnsafeRawBufferPointer?
    /// The profile's name, if the format stores one.
    var profileName: String?
    /// The text chunks of a PNG.
    var texts: [(keyword: String, text: String)] = []
    /// How the file stores light brighter than white; nil for a picture that ends at white.
    var dynamicRange: HighDynamicRange?
    /// Whether the file has metadata in a form that cannot be read.
    package internal(set) var hasUnreadable = false
    private var unpacked: [UnpackedBytes] = []

    /// Locates the blocks of a file; files of unknown formats have none.
    package init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            readJPEG(bytes)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            readPNG(bytes)
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            readWebP(bytes)
        } else if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
            readHEIF(bytes)
        } else if bytes.dropFirst(4).starts(with: "JXL ".utf8) {
            readJXL(bytes)
        } else if let file = TIFFReader(bytes) {
            readTIFF(file, bytes)
        } else if Self.bigTIFF.contains(where: { bytes.starts(with: $0) }) {
            hasUnreadable = true
        }
    }

    /// The starts of BigTIFF files, whose directories `TIFFReader` does not read.
    private static let bigTIFF: [[UInt8]] = [[0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]

    /// Keeps data that the file packs, for the lifetime of this value.
    mutating func keep(_ data: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnpackedBytes(data)
        unpacked.append(memory)
        return memory.bytes
    }

    // MARK: JPEG

    /// What an XMP packet in a segment begins with.
    static let xmpName = "http://ns.adobe.com/xap/1.0/\0"

    /// Sources: EXIF 2.3, 4.7; XMP part 3, 1.1.3; ICC.1:2022, B.4.
    private mutating func readJPEG(_ bytes: UnsafeRawBufferPointer) {
        let segments = JPEGSegments(bytes)
        exif = segments.first(JPEGSegments.application + 1, named: "Exif\0\0")
        xmp = segments.first(JPEGSegments.application + 1, named: Self.xmpName)
        dynamicRange = HighDynamicRange(jpeg: bytes)
        // After the name come the chunk's number and the number of chunks.
        profile = segments.first(JPEGSegments.application + 2, named: "ICC_PROFILE\0\u{1}")?
            .dropping(1)
        iptc = segments.first(JPEGSegments.application + 13, named: "Photoshop 3.0\0")
            .flatMap(Self.iptc)
    }

    // MARK: TIFF

    private enum Tag {
        static let xmp = 700
        static let iptc = 33723
        static let photoshop = 34377
        static let profile = 34675
    }

    private mutating func readTIFF(_ file: TIFFReader, _ bytes: UnsafeRawBufferPointer) {
        exif = bytes
        let first = file.directory(at: file.start)
        xmp = first[Tag.xmp].flatMap { file.value($0) }
        profile = first[Tag.profile].flatMap { file.value($0) }
        iptc =
            first[Tag.iptc].flatMap { file.value($0) }
            ?? first[Tag.photoshop].flatMap { file.value($0) }.flatMap(Self.iptc)
    }

    // MARK: Photoshop's resources

    /// The kind of the resource with the IPTC-IIM records.
    private static let iptcResource = 0x0404
    /// The first byte of IPTC-IIM records.
    static let recordMarker: UInt8 = 0x1C

    /// The IPTC-IIM records in Photoshop's resources; nil if there are none.
    static func iptc(inResources bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        PhotoshopResources(bytes).first { $0.kind == iptcResource }
            .map { UnsafeRawBufferPointer(rebasing: bytes[$0.data]) }
    }

    // MARK: WebP

    /// Source: RFC 9649, 2.3 and 2.7.
    private mutating func readWebP(_ bytes: UnsafeRawBufferPointer) {
        let chunks = RIFFChunks(bytes)
        exif = chunks.exif
        xmp = chunks.first("XMP ")
        profile = chunks.first("ICCP")
    }
}
