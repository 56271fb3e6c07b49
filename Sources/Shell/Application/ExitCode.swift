/// What the program ends with; scripts and supervisors rely on the numbers.
enum ExitCode: Int32 {
    case done = 0
    /// Every picture failed, there is no compositor, a file could not be written, …
    case nothingShown = 1
    case wrongArguments = 2
    /// A supervisor starts the program again.
    case compositorGone = 3
}
