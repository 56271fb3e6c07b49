/// A format that this build decodes.
package struct PictureFormat: Hashable, Sendable {
    package var name: String
    package var mimeTypes: [String]
    /// Lower case, without the dot.
    package var extensions: [String]
    package var isAnimated: Bool
    /// The first bytes of every file of the format.
    package var signature: [UInt8]

    package static let jpeg = PictureFormat(
        name: "JPEG", mimeTypes: ["image/jpeg"], extensions: ["jpg", "jpeg", "jpe", "jfif"],
        isAnimated: false, signature: [0xFF, 0xD8, 0xFF])
    package static let png = PictureFormat(
        name: "PNG", mimeTypes: ["image/png"], extensions: ["png"], isAnimated: false,
        signature: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    package static let all = [jpeg, png]

    /// The format that a file of these first bytes has.
    package static func recognize(_ bytes: some Collection<UInt8>) -> PictureFormat? {
        all.first { bytes.starts(with: $0.signature) }
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
