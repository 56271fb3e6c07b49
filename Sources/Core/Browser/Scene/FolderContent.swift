/// What a tile of a folder shows, supplied by the owner of the thumbnails.
package struct FolderContent: Sendable {
    package var name: String
    /// The number of pictures, or why the folder cannot be read; empty while unknown.
    package var detail: String
    /// The first pictures of the folder; at most `mostCovers`.
    package var covers: [CellContent]
    package var isUnreadable: Bool

    package static let mostCovers = 4

    package init(
        name: String = "", detail: String = "", covers: [CellContent] = [],
        isUnreadable: Bool = false
    ) {
        (self.name, self.detail) = (name, detail)
        (self.covers, self.isUnreadable) = (covers, isUnreadable)
    }
}
