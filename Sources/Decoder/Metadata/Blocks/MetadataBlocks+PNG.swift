import Containers

extension MetadataBlocks {
    /// Maximum length of a text in bytes; longer texts are cut.
    private static let longestText = 8192
    /// Maximum number of texts; further texts are ignored.
    private static let mostTexts = 32
    /// Maximum number of texts with XMP data that are tried.
    private static let mostXMP = 4

    /// Reads the metadata chunks, wherever they are.
    ///
    /// A chunk of its own comes before the same kind of data in a raw profile.
    /// Sources: PNG, third edition (W3C), 11.3; XMP part 3, 1.1.5.
    mutating func readPNG(_ bytes: UnsafeRawBufferPointer) {
        var packets = 0
        for chunk in PNGChunks(bytes) {
            let data = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
            switch chunk.name {
            case "eXIf": exif = exif ?? data
            // Primaries, then the transfer function.
            case "cICP":
                if data.count == 4 { dynamicRange = HighDynamicRange(transfer: Int(data[1])) }
            case "iCCP": profileName = PNGText.keyword(of: data).map { $0.text }
            case "tEXt", "zTXt", "iTXt":
                guard let text = PNGText(chunk.name, data) else { continue }
                if text.isXMP {
                    packets += 1
                    if packets <= Self.mostXMP { readXMP(text) }
                } else if !text.isRawProfile {
                    add(text)
                }
            default: break
            }
        }
        for profile in RawProfile.texts(in: PNGChunks(bytes), of: bytes) {
            read(RawProfile(profile.text))
        }
    }

    private mutating func readXMP(_ text: PNGText) {
        guard xmp == nil else { return }
        xmp = text.slice ?? text.bytes.map { keep($0) }
        if xmp == nil { hasUnreadable = true }
    }

    private mutating func read(_ profile: RawProfile?) {
        switch profile {
        case .exif(let data): if exif == nil { exif = keep(data) }
        case .xmp(let data): if xmp == nil { xmp = keep(data) }
        case .iptc(let data):
            guard iptc == nil else { break }
            let kept = keep(data)
            iptc = Self.iptc(inResources: kept) ?? (kept.first == Self.recordMarker ? kept : nil)
        case nil: hasUnreadable = true
        }
    }

    private mutating func add(_ text: PNGText) {
        guard texts.count < Self.mostTexts else { return }
        let bytes = text.beginning(Self.longestText)
        // Latin-1: each byte is the value of a Unicode scalar.
        let string =
            text.isUTF8
            ? String(decoding: bytes, as: UTF8.self)
            : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        texts.append((text.keyword, string))
    }
}

/// The EXIF data of a PNG that decide how the picture is shown and sorted.
extension Exif {
    /// Reads the eXIf chunk of a PNG, or a raw profile: before the pixels, or in the last bytes of the
    /// file.
    package init(png bytes: UnsafeRawBufferPointer) {
        self.init()
        let chunks = PNGChunks(bytes)
        let early = Array(chunks.prefix { $0.name != "IDAT" })
        if !read(early, in: bytes) { _ = read(chunks.tail, in: bytes) }
    }

    /// Reads the data of some chunks; false if there are none.
    private mutating func read(
        _ chunks: [PNGChunks.Chunk], in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        if let chunk = chunks.first(where: { $0.name == "eXIf" }) {
            self = Exif(tiff: UnsafeRawBufferPointer(rebasing: bytes[chunk.data]))
            return true
        }
        for (_, text) in RawProfile.texts(in: chunks, of: bytes) {
            guard case .exif(let tiff)? = RawProfile(text) else { continue }
            self = tiff.withUnsafeBytes { Exif(tiff: $0) }
            return true
        }
        return false
    }
}
