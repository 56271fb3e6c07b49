// Formats that are simple enough to be decoded without a library.
extension PictureFormat {
    /// The lengths, in bytes, of all versions of the second header of a BMP.
    private static let bitmapHeaders: [UInt8] = [12, 16, 40, 52, 56, 64, 108, 124]

    package static let bmp = PictureFormat(
        name: "BMP", mimeTypes: ["image/bmp"], extensions: ["bmp", "dib"], canBeAnimated: false,
        signatures: bitmapHeaders.map { .init("BM").and(.init([$0, 0, 0, 0], at: 14)) })
    /// Includes cursors, which are icons with a hotspot.
    package static let ico = PictureFormat(
        name: "ICO", mimeTypes: ["image/vnd.microsoft.icon", "image/x-icon"],
        extensions: ["ico", "cur"], canBeAnimated: false,
        signatures: [])
    package static let pnm = PictureFormat(
        name: "PNM",
        mimeTypes: [
            "image/x-portable-anymap", "image/x-portable-bitmap", "image/x-portable-graymap",
            "image/x-portable-pixmap", "image/x-portable-arbitrarymap",
        ], extensions: ["pnm", "pbm", "pgm", "ppm", "pam"], canBeAnimated: false,
        signatures: textual((1...7).map { "P\($0)" }))
    package static let pfm = PictureFormat(
        name: "PFM", mimeTypes: ["image/x-pfm"], extensions: ["pfm"], canBeAnimated: false,
        signatures: textual(["PF", "Pf"]))
    package static let qoi = PictureFormat(
        name: "QOI", mimeTypes: ["image/qoi"], extensions: ["qoi"], canBeAnimated: false,
        signatures: [.init("qoif")])
    package static let tga = PictureFormat(
        name: "TGA", mimeTypes: ["image/x-tga"],
        extensions: ["tga", "icb", "vda", "vst"], canBeAnimated: false, signatures: [])

    /// Signatures of `words`, each followed by any white space or a comment.
    private static func textual(_ words: [String]) -> [Signature] {
        words.flatMap { word in
            [9, 10, 13, 32, UInt8(ascii: "#")].map { .init(Array(word.utf8) + [$0]) }
        }
    }

    /// Whether `bytes` are the directory of an icon, which is nearly all zeros.
    static func isICO(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let start = Array(bytes.prefix(22))
        // There is at least one picture, and the first one is behind the directory.
        return start.count == 22 && start[0] == 0 && start[1] == 0
            && (start[2] == 1 || start[2] == 2) && start[3] == 0 && start[4] != 0 && start[5] == 0
            && start[9] == 0 && (start[18] >= 22 || start[19...21].contains { $0 != 0 })
    }

    /// Bits of an entry of a TGA's palette.
    private static let paletteBits: Set<UInt8> = [15, 16, 24, 32]

    /// Whether `bytes` are a valid TGA header; TGA has no magic number, so every field is checked.
    ///
    /// Source: Truevision, "TGA File Format Specification", version 2.0.
    static func isTGA(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let header = Array(bytes.prefix(18))
        guard isSupportedTGA(header), header[17] & 0xC0 == 0, [0, 1, 8].contains(header[17] & 15)
        else { return false }
        // A picture in colours may have a palette, which is of no use.
        if header[1] == 1 {
            return paletteBits.contains(header[7]) && header[5] | header[6] != 0
        }
        // Without a palette, some programs give the size of its entries all the same.
        return header[1] == 0 && header[3...6].allSatisfy { $0 == 0 }
            && (header[7] == 0 || paletteBits.contains(header[7]))
    }

    /// Whether the fields of a TGA's header that matter for the pixels have known values.
    package static func isSupportedTGA(_ header: [UInt8]) -> Bool {
        guard header.count == 18, [1, 2, 3, 9, 10, 11].contains(header[2]),
            header[12] | header[13] != 0, header[14] | header[15] != 0
        else { return false }
        let depth = header[16]
        return switch header[2] & 7 {
        case 1: header[1] == 1 && (depth == 8 || depth == 16) && paletteBits.contains(header[7])
        case 2: [15, 16, 24, 32].contains(depth)
        default: depth == 8 || depth == 16
        }
    }
}
