import Glibc

/// Why there is no memory for a frame.
package enum FrameError: Error, Hashable, CustomStringConvertible {
    /// The system refused the memory; `errno` of the call.
    case noMemory(errno: Int32)
    /// A buffer of `bytes` bytes exceeds the limit of a pool (2 GiB).
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .noMemory(let code): "no memory for the window: \(String(cString: strerror(code)))"
        case .tooLarge(let bytes): "a window of \(bytes) bytes is too large for the compositor"
        }
    }
}
