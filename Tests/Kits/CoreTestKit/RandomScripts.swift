import Glibc

/// A number of random scripts, each with its seed, divided into parts that run in parallel.
package struct RandomScripts: Sendable {
    private let count: Int
    private let parts: Int

    /// `VITRINE_SCRIPTS` multiplies the number of scripts; a fraction leaves at least one for each part.
    package init(_ count: Int, parts: Int) {
        // `unsafe`: the text is copied at once, and no test changes the environment.
        let factor =
            unsafe getenv("VITRINE_SCRIPTS").flatMap { unsafe Double(String(cString: $0)) } ?? 1
        (self.count, self.parts) = (max(Int(Double(count) * factor), parts), parts)
    }

    /// Returns the seed and the complaints of the first failed script of a part, or nil.
    package func failure(in part: Int, check: (_ seed: UInt64) -> [String]) -> String? {
        let share = count / parts
        for seed in part * share..<(part + 1) * share {
            let complaints = check(UInt64(seed))
            if !complaints.isEmpty {
                return "seed \(seed): \(complaints.prefix(3).joined(separator: "; "))"
            }
        }
        return nil
    }
}
