/// A number of random scripts, each with its seed, in parts that run side by side.
package struct RandomScripts: Sendable {
    private let count: Int
    private let parts: Int

    package init(_ count: Int, parts: Int) { (self.count, self.parts) = (count, parts) }

    /// What is wrong with the first script of a part that has complaints, with its seed; nil where
    /// none has any.
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
