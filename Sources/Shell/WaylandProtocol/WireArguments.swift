package import CWayland
import Glibc

/// The arguments of an incoming message, by index.
///
/// libwayland has checked them against the signature. They are valid while the message is handled.
package struct WireArguments {
    private let raw: UnsafeMutablePointer<wl_argument>?

    package init(_ raw: UnsafeMutablePointer<wl_argument>?) {
        self.raw = raw
    }

    /// The raw argument.
    package subscript(index: Int) -> wl_argument {
        guard let raw else { preconditionFailure("a message without arguments was asked for one") }
        return raw[index]
    }

    package func int(_ index: Int) -> Int32 { self[index].i }

    package func uint(_ index: Int) -> UInt32 { self[index].u }

    package func fixed(_ index: Int) -> Double { WireFixed.decode(self[index].f) }

    package func string(_ index: Int) -> String { optionalString(index) ?? "" }

    package func optionalString(_ index: Int) -> String? {
        self[index].s.map { String(cString: $0) }
    }

    package func array(_ index: Int) -> WireArray {
        guard let array = self[index].a?.pointee, let data = array.data else {
            return WireArray(bytes: [])
        }
        return WireArray(bytes: Array(UnsafeRawBufferPointer(start: data, count: array.size)))
    }

    /// A descriptor, which the receiver must close.
    package func descriptor(_ index: Int) -> Int32 { self[index].h }

    /// Closes a descriptor that nobody receives.
    package func closeDescriptor(_ index: Int) { close(self[index].h) }
}

extension WireArguments {
    /// The Swift object that an event refers to; nil if there is none, or if it is destroyed.
    func object<T: Proxy>(_ index: Int) -> T? {
        self[index].o.flatMap(Proxy.find) as? T
    }

    /// Takes ownership of the object that an event creates.
    func newObject<T: Proxy>(_ index: Int, of parent: Proxy) -> T {
        guard let raw = self[index].o else {
            preconditionFailure("libwayland rejects events without their new object")
        }
        return T(adopting: raw, display: parent.display)
    }
}
