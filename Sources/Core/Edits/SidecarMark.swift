/// What the sidecar of a picture says about its marks.
package struct SidecarMark: Hashable, Sendable {
    package var isFavourite: Bool
    /// The number of stars, 0…5; nil if the sidecar has no rating.
    package let rating: Int?

    /// A mark with a rating that is limited to 0…5.
    package init(isFavourite: Bool = false, rating: Int? = nil) {
        self.isFavourite = isFavourite
        self.rating = rating.map { PictureMark(rating: $0).rating }
    }

    /// Whether the sidecar has neither a favourite nor a rating.
    package var isEmpty: Bool { !isFavourite && rating == nil }

    /// The marks of a picture whose file has `stars`, or 0; a rating in the sidecar, also 0, has
    /// priority.
    package func mark(starsInFile stars: Int) -> PictureMark {
        PictureMark(isFavourite: isFavourite, rating: rating ?? stars)
    }
}
