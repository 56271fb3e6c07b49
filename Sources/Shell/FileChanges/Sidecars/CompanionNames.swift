/// The names of the files that belong to a picture: the whole name of the picture and a suffix.
///
/// Files that have only the stem of a picture's name may belong to several pictures, and are none of
/// these.
package enum CompanionNames {
    /// The suffix of the sidecar, where this viewer, darktable and digiKam keep marks.
    static let sidecar = Array(".xmp".utf8)
    /// Next, those of RawTherapee, ART and DxO PhotoLab, and of exports of Google Photos.
    static let suffixes = [sidecar] + [".pp3", ".arp", ".dop", ".json"].map { Array($0.utf8) }

    /// The paths that companions of a picture have.
    static func all(of picture: [UInt8]) -> [[UInt8]] { suffixes.map { picture + $0 } }

    /// The paths without those that belong to another one of them, and follow that one by themselves.
    package static func withoutCompanions(_ paths: [[UInt8]]) -> [[UInt8]] {
        let companions = Set(paths.flatMap { all(of: $0) })
        return paths.filter { !companions.contains($0) }
    }
}
