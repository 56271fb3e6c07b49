import Folders
import Browser
import Geometry
import Localization
import Motion
import SystemCalls

/// The trace of a live session: one line per frame, flushed after each line.
struct FrameTrace: ~Copyable {
    private var file: OutputFile?
    /// Time 0 of the trace: when the record of the input begins, or else the moment of the first frame.
    private var start: Moment?
    /// The last frame, for `vitrine msg state`.
    private var last: Line?

    private struct Line {
        var frame: BrowserFrame
        /// In milliseconds.
        var time: Double
        var buffer: PixelSize
        var damage: [PixelRect]
        var timings: TraceLine.Timings

        func text(_ path: (Int) -> String) -> String {
            TraceLine.text(
                frame, path: path, at: time, buffer: buffer, damage: damage, timings: timings)
        }
    }

    init(_ path: FilePath?) throws(RunFailure) {
        guard let path else { return }
        file = try OutputFile.make(path)
    }

    /// Makes a moment before the first frame time 0.
    mutating func begin(at moment: Moment) { start = moment }

    mutating func write(
        _ frame: BrowserFrame, at moment: Moment, buffer: PixelSize, damage: [PixelRect],
        path: (Int) -> String, timings: TraceLine.Timings
    ) {
        let start = start ?? moment
        self.start = start
        let line = Line(
            frame: frame, time: moment.seconds(since: start) * 1000, buffer: buffer,
            damage: damage, timings: timings)
        last = line
        guard file != nil else { return }
        // Flush each line, because other programs read the trace while it grows.
        if file?.write(line.text(path)) == false || file?.flush() == false {
            Diagnostics.error(localized("the trace cannot be written any more"))
            file = nil
        }
    }

    /// The line of the last frame; nil before the first one.
    func lastLine(path: (Int) -> String) -> String? { last?.text(path) }

    mutating func finish() { _ = file?.flush() }
}
