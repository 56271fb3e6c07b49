/// One measured figure and its reference, measured alternately in the same run.
struct Figure {
    /// The reference: a piece of work whose speed depends on the machine as the figure does.
    struct Reference {
        var name: String
        /// The value in the unit of the figure.
        var value: Double
    }

    /// The name of the figure, which must not change, since the baseline refers to it.
    var name: String
    /// The median of all rounds, in `unit`; lower is better.
    var value: Double
    var unit: String
    var reference: Reference
    /// The median of the rounds' ratios of value to reference, which varies less than the ratio of
    /// the medians on a busy machine.
    var ratio: Double
    /// The maximum ratio; nil if there is none.
    var bar: Double?

    /// Whether the ratio does not exceed the maximum.
    var isWithinBar: Bool { bar.map { ratio <= $0 } ?? true }

    /// A JSON object on one line.
    var line: String {
        var fields = [
            "\"figure\":\"\(name)\"", "\"value\":\(value.rounded(to: 4))", "\"unit\":\"\(unit)\"",
            "\"reference\":\"\(reference.name)\"",
            "\"reference_value\":\(reference.value.rounded(to: 4))",
            "\"ratio\":\(ratio.rounded(to: 4))",
        ]
        if let bar { fields.append("\"bar\":\(bar)") }
        return "{" + fields.joined(separator: ",") + "}"
    }
}

extension Double {
    /// The value rounded to `digits` decimal places.
    func rounded(to digits: Int) -> Double {
        let unit = (0..<digits).reduce(1.0) { unit, _ in unit * 10 }
        return (self * unit).rounded() / unit
    }
}
