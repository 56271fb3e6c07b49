/// The exit codes of the program; scripts and supervisors rely on the numbers.
enum ExitCode: Int32 {
    case done = 0
    /// No picture could be shown, there is no compositor, a file could not be written, or another failure.
    case nothingShown = 1
    case wrongArguments = 2
    /// The connection to the compositor was lost; a supervisor can restart the program.
    case compositorGone = 3
}
