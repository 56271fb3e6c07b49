/// One measured figure beside its reference, both measured in turns in the same run.
struct Figure {
    /// What a reference is: a piece of work that every machine does about as well as the rest.
    struct Reference {
        var name: String
        /// In the unit of the figure.
        var value: Double
    }

    /// What is measured; the baseline knows it by this, so it stays the same for good.
    var name: String
    /// The median of all rounds, in `unit`; less is better.
    var value: Double
    var unit: String
    var reference: Reference
    /// The median of the rounds' own ratios of value to reference, which swings less than the ratio
    /// of the medians where the machine is not quiet.
    var ratio: Double
    /// What the ratio is to be at most; nil where nothing is promised.
    var bar: Double?

    /// Whether the ratio is what it is to be.
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
    /// The nearest number with so many digits after the point.
    func rounded(to digits: Int) -> Double {
        let unit = (0..<digits).reduce(1.0) { unit, _ in unit * 10 }
        return (self * unit).rounded() / unit
    }
}
