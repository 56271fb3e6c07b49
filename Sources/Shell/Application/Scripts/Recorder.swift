import Folders
import Geometry
import Input
import Motion
import SystemCalls

/// Writes the input of a live session as a gesture script for replay.
final class Recorder {
    private var file: OutputFile
    private let start: Moment
    private var last = 0.0

    /// The script begins with the surface's size and scale.
    init(_ path: FilePath, start: Moment, size: Size, scale: Double) throws(SystemError) {
        file = try OutputFile(path)
        self.start = start
        record(.scale(scale), at: start)
        record(.resize(size), at: start)
    }

    func record(_ event: InputEvent, at moment: Moment) {
        // Event times may be slightly before time 0 and slightly out of order between devices; times
        // in a script never decrease.
        last = max(last, milliseconds(at: moment))
        let entry = GestureScript.Entry(moment: Moment(milliseconds: last), event: event)
        _ = file.write(entry.line + "\n")
    }

    /// Milliseconds since the start, rounded to whole microseconds.
    private func milliseconds(at moment: Moment) -> Double {
        (moment.seconds(since: start) * 1_000_000).rounded() / 1000
    }

    /// Completes the script.
    func finish(at moment: Moment) {
        last = max(last, milliseconds(at: moment))
        let end = GestureScript(entries: [], end: Moment(milliseconds: last))
        _ = file.write(end.text)
        _ = file.flush()
    }
}
