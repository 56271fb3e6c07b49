/// What a person has marked a picture with.
package struct PictureMark: Hashable, Sendable {
    /// The most stars.
    package static let mostStars = 5

    package var isFavourite: Bool
    /// The number of stars, 0…5; 0 is no rating.
    package let rating: Int

    /// A mark with a rating that is limited to 0…5.
    package init(isFavourite: Bool = false, rating: Int = 0) {
        self.isFavourite = isFavourite
        self.rating = min(max(rating, 0), Self.mostStars)
    }

    /// Whether the picture has no mark.
    package var isEmpty: Bool { !isFavourite && rating == 0 }
}

/// A change of one of a picture's two marks; the other mark stays.
package enum MarkChange: Hashable, Sendable {
    case favourite(Bool)
    /// The number of stars, 0…5.
    case rating(Int)

    package func applied(to mark: SidecarMark) -> SidecarMark {
        switch self {
        case .favourite(let isFavourite):
            SidecarMark(isFavourite: isFavourite, rating: mark.rating)
        case .rating(let stars): SidecarMark(isFavourite: mark.isFavourite, rating: stars)
        }
    }
}
