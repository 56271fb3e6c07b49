/// How many characters must be added, removed or replaced to make one text of another (Levenshtein).
enum EditDistance {
    /// Longer texts count as far apart.
    private static let longest = 64

    static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard first.count <= longest, second.count <= longest else { return .max }
        var row = Array(0...second.count)
        for (index, byte) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
