import Folders
import Browser
import Geometry
import Motion
import SystemCalls

/// The trace of a live session: one line per frame, flushed after each line.
struct FrameTrace: ~Copyable {
    private var file: OutputFile?
    /// The moment of the first frame, which is time 0 of the trace.
    private var start: Moment?

    init(_ path: FilePath?) throws(RunFailure) {
        guard let path else { return }
        do throws(SystemError) {
            file = try OutputFile(path)
        } catch { throw RunFailure(path, "cannot be written: \(error)") }
    }

    mutating func write(
        _ frame: BrowserFrame, at moment: Moment, buffer: PixelSize, damage: [PixelRect],
        path: (Int) -> String, timings: TraceLine.Timings
    ) {
        let start = start ?? moment
        self.start = start
        guard file != nil else { return }
        let line = TraceLine.text(
            frame, path: path, at: moment.seconds(since: start) * 1000, buffer: buffer,
            damage: damage, timings: timings)
        // Flush each line, because other programs read the trace while it grows.
        if file?.write(line) == false || file?.flush() == false {
            Diagnostics.error("the trace cannot be written any more")
            file = nil
        }
    }

    mutating func finish() { _ = file?.flush() }
}
