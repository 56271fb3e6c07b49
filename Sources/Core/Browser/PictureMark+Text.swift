import Edits
import Localization

extension PictureMark {
    /// The mark as a screen reader says it, such as "favourite, 3 stars"; empty for no mark.
    var text: String {
        let stars =
            rating == 0
            ? [] : [localized("\(rating) star", many: "\(rating) stars", count: rating)]
        return ((isFavourite ? [localized("favourite")] : []) + stars).joined(separator: ", ")
    }
}
