/// Figures of one subject.
///
/// A new subject is a file with one of these, and its name in `all`.
struct BenchSuite: Sendable {
    /// For `--only`.
    var name: String
    /// Measures, which may take seconds.
    var figures: @Sendable () -> [Figure]

    static let all = [gestures, painting, start, frames, tablet]
}
