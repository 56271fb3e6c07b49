import Glibc

/// Finds out whether files stay open, which AddressSanitizer does not look at.
enum Descriptors {
    /// More than this program and the libraries that it opens need.
    private static let most = 64

    static func check() {
        let next = dup(STDERR_FILENO)
        precondition(next >= 0 && next < most, "files stay open")
        close(next)
    }
}
