/// What the sidecar of a picture says about its marks.
package struct SidecarMark: Hashable, Sendable {
    package var isFavourite: Bool
    /// The number of stars, 0…5; nil where the sidecar says nothing about them.
    package let rating: Int?

    /// A mark with a rating that is limited to 0…5.
    package init(isFavourite: Bool = false, rating: Int? = nil) {
        self.isFavourite = isFavourite
        self.rating = rating.map { PictureMark(rating: $0).rating }
    }

    /// Whether the sidecar says nothing.
    package var isEmpty: Bool { !isFavourite && rating == nil }

    /// The marks of a picture whose own file has `stars`, or 0: the sidecar has priority where it says
    /// anything, also that there are no stars.
    package func mark(starsInFile stars: Int) -> PictureMark {
        PictureMark(isFavourite: isFavourite, rating: rating ?? stars)
    }
}
