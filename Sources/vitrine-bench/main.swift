/// Measures what a person feels: `vitrine-bench` prints one JSON object a figure.
///
/// It is a program of the package for those who work on it; it is not installed.
for figure in GestureBench.figures() { print(figure.line) }
