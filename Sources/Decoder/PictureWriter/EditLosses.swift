import Localization

/// What a person is told that a new file lacks, where several formats say the same.
enum EditLosses {
    static let furtherPictures = localized(
        "the further pictures in the file, such as a gain map or a depth map, are left out")
    static let companionPictures = localized(
        "the further pictures in the file, such as a depth map, are left out")
    static let pages = localized("the further pictures in the file are left out")
    static let dataAfterPicture = localized(
        "the data after the picture, such as a video, are left out")
    static let dataOfPixels = localized(
        "the data about the old pixels, such as content credentials, are left out")
    static let unreadable = localized("the metadata that cannot be read are left out")
    static let thumbnailInExif = localized("the thumbnail inside the EXIF data is left out")

    static let thumbnailInPhotoshop = localized(
        "the thumbnail inside the Photoshop data is left out")

    /// The losses without those that are told already.
    static func distinct(_ losses: [String]) -> [String] {
        losses.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
