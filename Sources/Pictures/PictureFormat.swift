/// A format that this build decodes.
package struct PictureFormat: Hashable, Sendable {
    package var name: String
    package var mimeTypes: [String]
    /// Lower case, without the dot.
    package var extensions: [String]
    package var isAnimated: Bool
    /// What tells its files, any of them.
    package var signatures: [Signature]

    /// Bytes that are found in every file of a kind.
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

        /// Both.
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
        isAnimated: false, signatures: [.init([0xFF, 0xD8, 0xFF])])
    package static let png = PictureFormat(
        name: "PNG", mimeTypes: ["image/png", "image/apng"], extensions: ["png", "apng"],
        isAnimated: true,
        signatures: [.init([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])])

    package static let gif = PictureFormat(
        name: "GIF", mimeTypes: ["image/gif"], extensions: ["gif"], isAnimated: true,
        signatures: [.init("GIF87a"), .init("GIF89a")])
    package static let tiff = PictureFormat(
        name: "TIFF", mimeTypes: ["image/tiff"], extensions: ["tif", "tiff"], isAnimated: false,
        signatures: [
            .init([0x49, 0x49, 42, 0]), .init([0x4D, 0x4D, 0, 42]),
            .init([0x49, 0x49, 43, 0, 8, 0, 0, 0]), .init([0x4D, 0x4D, 0, 43, 0, 8, 0, 0]),
        ])

    package static let all = [
        jpeg,
        png,
        gif,
        // Before TIFF, which some of them are nearly.
        raw,
        tiff,
        bmp,
        ico,
        pnm,
        pfm,
        qoi,
        svg,
        // It has no signature: what any other takes is none.
        tga,
    ]

    /// So many bytes of a file are enough to tell its format.
    package static let signatureLength = 1024

    /// The format that a file of these first bytes has.
    package static func recognize(_ bytes: some RandomAccessCollection<UInt8>) -> PictureFormat? {
        all.first { format in format.signatures.contains { $0.isIn(bytes) } }
            ?? (isSVG(bytes) ? .svg : isICO(bytes) ? .ico : isTGA(bytes) ? .tga : nil)
    }

    /// Whether a file of that name is listed in a folder; what it is, its content tells later.
    package static func matches(name: [UInt8]) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let suffix = name[(dot + 1)...]
        return suffixes.contains { known in
            known.count == suffix.count
                && zip(known, suffix).allSatisfy { $0 == ((65...90).contains($1) ? $1 + 32 : $1) }
        }
    }

    /// Every format's extensions as bytes.
    private static let suffixes = all.flatMap { $0.extensions.map { Array($0.utf8) } }
}
