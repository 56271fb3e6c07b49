import CDesktop

/// A main loop of GLib, which one thread runs and any thread wakes.
///
/// `@unchecked Sendable`: other threads than that of the loop only call `wake` and `quit`, which GLib
/// allows every thread; only the thread of the loop touches `woken`.
final class MainLoop: @unchecked Sendable {
    private let loop: OpaquePointer
    private var woken: Callback?

    /// Opens GIO on the first call; nil without GIO.
    init?() {
        guard let loop = cdesktop_loop_make() else { return nil }
        self.loop = loop
    }

    deinit { cdesktop_loop_free(loop) }

    /// Makes the calling thread that of the loop; `run` calls `woken` after each `wake`.
    func begin(woken: @escaping () -> Void) {
        let callback = Callback(woken)
        self.woken = callback
        cdesktop_loop_begin(
            loop, { Callback.at($0).call() }, Unmanaged.passUnretained(callback).toOpaque())
    }

    /// Calls handlers, and sleeps in between, until `quit`.
    func run() { cdesktop_loop_run(loop) }

    /// Calls the handlers that are due; the loop cannot be used any more afterwards.
    func end() {
        cdesktop_loop_end(loop)
        woken = nil
    }

    func wake() { cdesktop_loop_wake(loop) }

    /// Ends `run`, also if it has not begun yet.
    func quit() { cdesktop_loop_quit(loop) }
}

/// A closure behind the context pointer of a C function.
final class Callback {
    let call: () -> Void

    init(_ call: @escaping () -> Void) { self.call = call }

    /// The callback at a context pointer.
    static func at(_ context: UnsafeMutableRawPointer?) -> Callback {
        guard let context else { preconditionFailure("callbacks are registered with a context") }
        return Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
    }
}
