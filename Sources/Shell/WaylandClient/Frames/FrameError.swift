import Localization
package import SystemCalls

/// Why there is no memory for a frame.
package enum FrameError: Error, Hashable, CustomStringConvertible {
    /// The system refused the memory.
    case noMemory(SystemError)
    /// A buffer of `bytes` bytes exceeds the limit of a pool (2 GiB).
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .noMemory(let cause): localized("no memory for the window: \(cause)")
        case .tooLarge(let bytes):
            localized("a window of \(bytes) bytes is too large for the compositor")
        }
    }
}
