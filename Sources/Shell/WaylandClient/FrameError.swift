import Glibc

/// Why there is no memory to paint into.
package enum FrameError: Error, Hashable, CustomStringConvertible {
    /// The system gave none; `errno` says why.
    case noMemory(errno: Int32)
    /// A buffer of that many bytes is more than a pool may have (2 GiB).
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .noMemory(let code): "no memory for the window: \(String(cString: strerror(code)))"
        case .tooLarge(let bytes): "a window of \(bytes) bytes is too large for the compositor"
        }
    }
}
