/// The stars of a picture as XMP writes them (`xmp:Rating`), in a sidecar and in a picture file.
package enum StarRating {
    /// The most stars.
    package static let most = 5

    /// The number of stars, 0…5, in a text such as "4" or "4.0"; nil for a text that is no number.
    ///
    /// A rejected picture, whose rating is -1, has 0.
    package static func number(in text: String) -> Int? {
        guard let number = Double(text), number.isFinite else { return nil }
        return Int(min(max(number.rounded(.down), 0), Double(most)))
    }

    /// The stars as a person sees them, such as "★★★☆☆"; nil for none.
    package static func text(_ stars: Int) -> String? {
        let stars = min(max(stars, 0), most)
        guard stars > 0 else { return nil }
        return String(repeating: "★", count: stars) + String(repeating: "☆", count: most - stars)
    }
}
