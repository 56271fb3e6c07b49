/// The figures of one subject.
///
/// To add a subject, add a file with a suite, and the name of the suite to `all`.
struct BenchSuite: Sendable {
    /// The name for `--only`.
    var name: String
    /// Measures the figures, which may take seconds.
    var figures: @Sendable () -> [Figure]

    static let all = [gestures, painting, start, desktop, frames, tablet]
    /// Suites that only `--only` measures: those that take minutes, and other sets of instructions.
    static let others = [fades, paintingPortable, paintingSIMD]
}
