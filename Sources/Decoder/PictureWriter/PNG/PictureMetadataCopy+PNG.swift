import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

extension PictureMetadataCopy {
    /// What becomes of a chunk of a PNG whose pixels change.
    private enum Fate {
        case copied
        case replaced(by: [UInt8])
        /// The encoder or this type writes the chunk, or another form of its data.
        case written
        case leftOut(isTold: Bool)
    }

    /// What to add to a PNG without metadata, `file`.
    func changes(
        ofPNG file: UnsafeRawBufferPointer, _ size: PixelSize, _ color: ColorSource
    ) throws(EditFailure) -> ByteChanges {
        var added: [UInt8] = []
        if format == .png {
            for (chunk, fate) in fates {
                switch fate {
                case .copied: added += source[PNGChunk.range(chunk)]
                case .replaced(let bytes): added += bytes
                case .written, .leftOut: break
                }
            }
        } else {
            guard let colors = PNGColorChunks.bytes(color) else {
                throw .refused(localized("the colour space of the picture cannot be saved as PNG"))
            }
            added += colors
        }
        if let exif = newExif(size) { added += PNGChunk.bytes("eXIf", exif) }
        if let xmp = newXMP {
            let name = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]
            added += PNGChunk.bytes("iTXt", name + xmp)
        }
        var changes = ByteChanges()
        changes.insert(added, at: PNGEncoder.headerLength)
        return changes
    }

    /// Whether a person is told of chunks that a new PNG does not have.
    var leavesOutChunks: Bool {
        fates.contains { if case .leftOut(isTold: true) = $0.fate { true } else { false } }
    }

    /// Whether a new PNG lacks a thumbnail in Photoshop's resources.
    var leavesOutThumbnail: Bool {
        fates.contains { if case .replaced = $0.fate { true } else { false } }
    }

    // MARK: Chunks

    /// Chunks that the encoder writes, and those of animations, which are not encoded anew.
    private static let ownChunks: Set<String> = [
        "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "acTL", "fcTL", "fdAT",
    ]
    /// Chunks that describe samples or the file itself, and that nobody misses.
    private static let staleChunks: Set<String> = ["bKGD", "hIST", "sBIT", "sPLT", "tIME", "iDOT"]
    /// Chunks that stay true although they are not safe to copy for programs that do not know them.
    private static let colorChunks: Set<String> = [
        "cHRM", "gAMA", "iCCP", "sRGB", "cICP", "mDCV", "mDCv", "cLLI", "cLLi",
    ]

    private var fates: [(chunk: PNGChunks.Chunk, fate: Fate)] {
        let chunks = PNGChunks(source)
        let profiles = Set(RawProfile.texts(in: chunks, of: source).map(\.chunk.data.lowerBound))
        return chunks.map { ($0, fate(of: $0, isRead: profiles.contains($0.data.lowerBound))) }
    }

    /// Source: PNG, third edition (W3C), 5.4 and 14.2: a chunk of which nothing is known is copied only
    /// if its name says so.
    private func fate(of chunk: PNGChunks.Chunk, isRead: Bool) -> Fate {
        let name = chunk.name
        if Self.ownChunks.contains(name) || name == "eXIf" { return .written }
        if Self.staleChunks.contains(name) { return .leftOut(isTold: false) }
        if Self.colorChunks.contains(name) { return .copied }
        let data = UnsafeRawBufferPointer(rebasing: source[chunk.data])
        if let text = PNGText(name, data) { return fate(of: text, isRead: isRead) }
        return Self.isSafeToCopy(name) ? .copied : .leftOut(isTold: true)
    }

    private static func isSafeToCopy(_ name: String) -> Bool {
        let letters = Array(name.utf8)
        return letters.count == 4 && letters[3] & 0x20 != 0
            && letters.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) }
    }

    private func fate(of text: PNGText, isRead: Bool) -> Fate {
        guard text.isRawProfile else { return text.isXMP ? .written : .copied }
        guard isRead else { return .leftOut(isTold: true) }
        // EXIF and XMP data become chunks of their own; damaged profiles are told of as such.
        guard case .iptc(let data)? = RawProfile(text) else { return .written }
        let rest = PhotoshopThumbnails.removed(from: data)
        guard rest.count < data.count else { return .copied }
        return .replaced(
            by: PNGChunk.bytes("tEXt", RawProfile.chunk(text.keyword, kind: "iptc", rest)))
    }
}
