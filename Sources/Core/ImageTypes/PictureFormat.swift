/// A format that this build decodes.
package struct PictureFormat: Hashable, Sendable {
    package var name: String
    package var mimeTypes: [String]
    /// Lower case, without the dot.
    package var extensions: [String]
    package var canBeAnimated: Bool
    /// The signatures of the format's files; a file has one of them.
    package var signatures: [Signature]

    /// Bytes at fixed offsets that identify a kind of file.
    package struct Signature: Hashable, Sendable {
        private var parts: [Part]

        private struct Part: Hashable, Sendable {
            var offset: Int
            var bytes: [UInt8]
        }

        package init(_ bytes: [UInt8], at offset: Int = 0) {
            parts = [Part(offset: offset, bytes: bytes)]
        }

        package init(_ text: String, at offset: Int = 0) {
            self.init(Array(text.utf8), at: offset)
        }

        /// The signature of files that have both.
        package func and(_ other: Signature) -> Signature {
            var both = self
            both.parts += other.parts
            return both
        }

        func isIn(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
            parts.allSatisfy { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
        }
    }

    package static let jpeg = PictureFormat(
        name: "JPEG", mimeTypes: ["image/jpeg"], extensions: ["jpg", "jpeg", "jpe", "jfif"],
        canBeAnimated: false, signatures: [.init([0xFF, 0xD8, 0xFF])])
    package static let png = PictureFormat(
        name: "PNG", mimeTypes: ["image/png", "image/apng"], extensions: ["png", "apng"],
        canBeAnimated: true,
        signatures: [.init([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])])

    package static let gif = PictureFormat(
        name: "GIF", mimeTypes: ["image/gif"], extensions: ["gif"], canBeAnimated: true,
        signatures: [.init("GIF87a"), .init("GIF89a")])
    package static let tiff = PictureFormat(
        name: "TIFF", mimeTypes: ["image/tiff"], extensions: ["tif", "tiff"], canBeAnimated: false,
        signatures: [
            .init([0x49, 0x49, 42, 0]), .init([0x4D, 0x4D, 0, 42]),
            .init([0x49, 0x49, 43, 0, 8, 0, 0, 0]), .init([0x4D, 0x4D, 0, 43, 0, 8, 0, 0]),
        ])

    package static let webP = PictureFormat(
        name: "WebP", mimeTypes: ["image/webp"], extensions: ["webp"], canBeAnimated: true,
        signatures: [.init("RIFF").and(.init("WEBP", at: 8))])

    /// Includes generic major brands ("mif1", "msf1", "miaf") with AVIF among the compatible
    /// brands.
    package static let avif = PictureFormat(
        name: "AVIF", mimeTypes: ["image/avif"], extensions: ["avif", "avifs"], canBeAnimated: true,
        signatures: brands(["avif", "avis"])
            + (0..<16).flatMap { place in
                ["avif", "avis"].flatMap { own in
                    brands(["mif1", "msf1", "miaf"]).map {
                        $0.and(.init(own, at: 16 + 4 * place))
                    }
                }
            })
    /// Tried after AVIF: takes the other files with a generic major brand.
    package static let heic = PictureFormat(
        name: "HEIC", mimeTypes: ["image/heic", "image/heif"],
        extensions: ["heic", "heif", "hif", "heics", "heifs"], canBeAnimated: false,
        signatures: brands([
            "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1", "miaf",
        ]))

    /// In a container, or as a bare codestream.
    package static let jpegXL = PictureFormat(
        name: "JPEG XL", mimeTypes: ["image/jxl"], extensions: ["jxl"], canBeAnimated: true,
        signatures: [
            .init([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
            .init([0xFF, 0x0A]),
        ])

    /// In a container, or as a bare codestream.
    package static let jpeg2000 = PictureFormat(
        name: "JPEG 2000", mimeTypes: ["image/jp2", "image/jpx"],
        extensions: ["jp2", "j2k", "j2c", "jpc", "jpf", "jpx"], canBeAnimated: false,
        signatures: [
            .init([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
            .init([0xFF, 0x4F, 0xFF, 0x51]),
        ])

    package static let radiance = PictureFormat(
        name: "Radiance HDR", mimeTypes: ["image/vnd.radiance"], extensions: ["hdr", "pic"],
        canBeAnimated: false, signatures: [.init("#?RADIANCE\n"), .init("#?RGBE\n")])

    package static let openEXR = PictureFormat(
        name: "OpenEXR", mimeTypes: ["image/x-exr"], extensions: ["exr", "sxr", "mxr"],
        canBeAnimated: false, signatures: [.init([0x76, 0x2F, 0x31, 0x01])])

    /// Signatures of major brands in the file type box of ISO/IEC 14496-12.
    private static func brands(_ names: [String]) -> [Signature] {
        names.map { .init("ftyp", at: 4).and(.init($0, at: 8)) }
    }

    package static let all = [
        jpeg,
        png,
        gif,
        // Before TIFF, because some raw formats are almost TIFF.
        raw,
        tiff,
        webP,
        // Before HEIC, which takes all other files in the same container.
        avif,
        heic,
        jpegXL,
        jpeg2000,
        radiance,
        openEXR,
        bmp,
        ico,
        pnm,
        pfm,
        qoi,
        svg,
        // TGA has no magic number, so it is tried only after every other format declined.
        tga,
    ]

    /// The number of first bytes of a file that have the signatures of all formats; an SVG may begin
    /// with a longer comment.
    package static let signatureLength = 1024

    /// The format of a file with these bytes, or with these first bytes; nil for an unknown one.
    package static func recognize(_ bytes: some RandomAccessCollection<UInt8>) -> PictureFormat? {
        all.first { format in format.signatures.contains { $0.isIn(bytes) } }
            ?? (isSVG { bytes.prefix($0) } ? .svg : isICO(bytes) ? .ico : isTGA(bytes) ? .tga : nil)
    }

    /// Whether a folder lists a file of that name, by its extension.
    ///
    /// The format is recognised from the content later.
    package static func matches(name: [UInt8]) -> Bool { index(ofName: name) != nil }

    /// The format of a file's extension; nil for an unknown one.
    package static func named(_ name: [UInt8]) -> PictureFormat? {
        index(ofName: name).map { all[$0] }
    }

    /// The place in `all` of the format of a name's extension.
    private static func index(ofName name: [UInt8]) -> Int? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let suffix = name[(dot + 1)...]
        return suffixes.first { known, _ in
            known.count == suffix.count
                && zip(known, suffix).allSatisfy { $0 == ((65...90).contains($1) ? $1 + 32 : $1) }
        }?.format
    }

    /// Every format's extensions as bytes, and its place in `all`.
    private static let suffixes = all.enumerated().flatMap { place, format in
        format.extensions.map { (bytes: Array($0.utf8), format: place) }
    }
}
