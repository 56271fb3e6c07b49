/// Measures the performance that a user feels: prints one JSON object per figure, each with a
/// reference that was measured alternately with it.
///
/// A tool for developers of the package; it is not installed.
import Glibc

exit(BenchRun(Array(CommandLine.arguments.dropFirst())).run())
