import Glibc

/// The results of all gestures of a kind.
struct FeelResult {
    let kind: Kind
    var count = 0
    var meant = 0
    var destructive = 0
    var jumps = 0
    var stills = 0
    var carryErrors: [Double] = []
    var rests: [Double] = []

    init(kind: Kind) { self.kind = kind }

    mutating func add(_ verdict: Verdict, _ motions: Motions, rest: Double) {
        count += 1
        if verdict.isMeant { meant += 1 }
        if verdict.isDestructive { destructive += 1 }
        jumps += motions.jumps
        stills += motions.stills
        if let error = verdict.releaseError { carryErrors.append(error) }
        rests.append(rest)
    }

    /// The required share of gestures that are recognised as intended.
    private static let requiredShare = 0.995
    /// The allowed relative deviation of a release from its expected result, in 99 of 100 releases.
    private static let largestError = 0.05

    var isGood: Bool {
        Double(meant) >= Self.requiredShare * Double(count) && destructive == 0 && jumps == 0
            && stills == 0
            && (carryErrors.isEmpty || Self.quantile(carryErrors, 0.99) <= Self.largestError)
    }

    static func quantile(_ values: [Double], _ fraction: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[Int(fraction * Double(sorted.count - 1))]
    }
}

/// Prints the table of results, row by row.
struct FeelReport {
    private(set) var isGood = true
    private static let widths = [18, 7, 9, 7, 6, 7, 7, 16, 9]

    init() {
        print(
            Self.row([
                "kind", "played", "as meant", "else", "harm", "jumps", "still", "carry off, 99 %",
                "rest, ms",
            ]))
    }

    private static func row(_ cells: [String]) -> String {
        zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(width - cell.count, 1))
        }.joined()
    }

    private static func number(_ value: Double, _ digits: Int = 1) -> String {
        let factor = pow(10, Double(digits))
        return "\((value * factor).rounded() / factor)"
    }

    mutating func add(_ result: FeelResult) {
        if !result.isGood { isGood = false }
        let carry =
            result.carryErrors.isEmpty
            ? "" : Self.number(FeelResult.quantile(result.carryErrors, 0.99) * 100, 2) + " %"
        print(
            Self.row([
                result.kind.rawValue, "\(result.count)",
                Self.number(100 * Double(result.meant) / Double(max(result.count, 1)), 2) + " %",
                "\(result.count - result.meant)", "\(result.destructive)", "\(result.jumps)",
                "\(result.stills)", carry, Self.number(FeelResult.quantile(result.rests, 0.5), 0),
            ]))
        fflush(nil)
    }

    func end() { print(isGood ? "All limits are met." : "Some limits are exceeded.") }
}
