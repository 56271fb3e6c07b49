package import ImageWire
import Synchronization

/// Hears the sandbox report of each decoder, which the decoder sends before it reads any input.
///
/// A decoder that a file has taken over can lie only after its report.
package enum SandboxWatch {
    private struct State {
        var handler: (@Sendable (SandboxReport) -> Void)?
        /// Whether a report was passed on; one is enough, since all decoders have the same kernel.
        var hasReported = false
    }

    private static let state = Mutex(State())

    /// Calls `handler` once, on any thread, for the first decoder that lacks a measure.
    package static func onLack(_ handler: @escaping @Sendable (SandboxReport) -> Void) {
        state.withLock { $0 = State(handler: handler) }
    }

    static func note(_ report: SandboxReport) {
        guard !report.lacking.isEmpty else { return }
        let handler = state.withLock { state in
            defer { state.hasReported = true }
            return state.hasReported ? nil : state.handler
        }
        handler?(report)
    }
}
