/// Figures as a table for a person.
enum FigureTable {
    private static let columns = ["figure", "measured", "reference", "ratio", "bar", ""]

    /// The lines of the table, with aligned columns.
    static func lines(_ figures: [Figure]) -> [String] {
        let rows =
            [columns]
            + figures.map { figure in
                [
                    figure.name, "\(figure.value.rounded(to: 3)) \(figure.unit)",
                    "\(figure.reference.value.rounded(to: 3)) \(figure.unit), "
                        + figure.reference.name,
                    "\(figure.ratio.rounded(to: 2))",
                    figure.bar.map { "≤ \($0)" } ?? "",
                    figure.isWithinBar ? "" : "above its bar",
                ]
            }
        let widths = columns.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
