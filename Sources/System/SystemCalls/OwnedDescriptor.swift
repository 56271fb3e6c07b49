import Glibc

/// An open descriptor, which is closed when nobody needs it any more.
package final class OwnedDescriptor: Sendable {
    package let descriptor: Int32

    /// Takes ownership of the descriptor.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
