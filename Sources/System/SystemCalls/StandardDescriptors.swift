import Glibc

/// Standard input, output and errors.
package enum StandardDescriptors {
    /// Opens those that are closed, as /dev/null: the next file or socket that a program opens would have
    /// their numbers, and messages would go there.
    package static func open() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is that of the descriptor.
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }
}
