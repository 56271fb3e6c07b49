import ImageTypes
import Testing

/// The stars of a picture, as texts of XMP and for a person.
@Suite struct StarRatingTests {
    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("5", 5), ("4.0", 4), ("4.9", 4), ("-1", 0), ("-0.5", 0), ("6", 5),
            ("1e18", 5), ("1e400", nil), ("nan", nil), ("-inf", nil), ("", nil), (" 4", nil),
            ("four", nil), ("4 stars", nil), ("٤", nil), ("★★★★", nil),
        ] as [(String, Int?)])
    func numbersOfTexts(text: String, stars: Int?) {
        #expect(StarRating.number(in: text) == stars)
    }

    @Test(
        arguments: [
            (-1, nil), (0, nil), (1, "★☆☆☆☆"), (3, "★★★☆☆"), (5, "★★★★★"), (6, "★★★★★"),
            (Int.min, nil), (Int.max, "★★★★★"),
        ] as [(Int, String?)])
    func textsOfNumbers(stars: Int, text: String?) {
        #expect(StarRating.text(stars) == text)
    }
}
