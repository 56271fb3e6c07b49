import Glibc

/// An open descriptor, which is closed when nobody needs it any more.
package final class OwnedDescriptor: Sendable {
    package let descriptor: Int32
    private let closing: @Sendable (Int32) -> Void

    /// Takes ownership of the descriptor; `closing` closes the descriptor.
    package init(
        _ descriptor: Int32, closing: @escaping @Sendable (Int32) -> Void = { close($0) }
    ) {
        (self.descriptor, self.closing) = (descriptor, closing)
    }

    deinit { closing(descriptor) }
}
