import Testing

/// Puts ICC profiles into JP2 files.
enum JP2Profile {
    /// The file with the profile instead of an enumerated colour space in the `colr` box.
    static func put(_ profile: [UInt8], in file: [UInt8]) throws -> [UInt8] {
        var file = file
        func place(of name: String) throws -> Int {
            try #require(file.indices.first { file[$0...].starts(with: name.utf8) })
        }
        func number(_ value: Int) -> [UInt8] {
            withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
        }
        let (header, colors) = (try place(of: "jp2h"), try place(of: "colr"))
        let box = number(profile.count + 11) + Array("colr".utf8) + [2, 0, 0]
        // The original box is 15 bytes long.
        let length = Int(file[header - 2]) * 256 + Int(file[header - 1])
        file.replaceSubrange((colors - 4)..<(colors + 11), with: box + profile)
        file.replaceSubrange(
            (header - 4)..<header, with: number(length - 15 + box.count + profile.count))
        return file
    }
}
