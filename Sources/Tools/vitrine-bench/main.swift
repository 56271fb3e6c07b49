/// Measures what a person feels: `vitrine-bench` prints one JSON object a figure, each with a
/// reference that was measured in turns with it.
///
/// It is a program of the package for those who work on it; it is not installed.
import Glibc

exit(BenchRun(Array(CommandLine.arguments.dropFirst())).run())
