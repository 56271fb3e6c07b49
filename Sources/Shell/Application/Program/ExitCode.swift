import Glibc

/// The exit codes of the program; scripts and supervisors rely on the numbers.
enum ExitCode: Int32 {
    case done = 0
    /// No picture could be shown, there is no compositor, a file could not be written, or another failure.
    case nothingShown = 1
    case wrongArguments = 2
    /// The connection to the compositor was lost; a supervisor can restart the program.
    case compositorGone = 3
    /// A signal has ended a kiosk: 128 and the number of the signal, as shells report it.
    ///
    /// A supervisor can tell that from the exit gesture, and starts the kiosk again.
    case hangup = 129
    case interrupted = 130
    case terminated = 143

    /// The exit code of a kiosk that a signal has ended; nil for another signal.
    init?(signal: Int32) {
        guard [SIGHUP, SIGINT, SIGTERM].contains(signal) else { return nil }
        self.init(rawValue: 128 + signal)
    }
}
