import Glibc

/// Detects leaked file descriptors, which AddressSanitizer does not report.
enum Descriptors {
    /// More descriptors than this program and its libraries need.
    private static let most = 64

    static func check() {
        let next = dup(STDERR_FILENO)
        precondition(next >= 0 && next < most, "file descriptors leak")
        close(next)
    }
}
