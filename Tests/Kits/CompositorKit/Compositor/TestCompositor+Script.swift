package import Input
import Motion

extension TestCompositor {
    /// Plays a gesture script at its times to a window, or to the only one, on the first seat or on `seat`.
    ///
    /// Returns after the last event is sent, or false if there is no window.
    @discardableResult
    package func play(
        _ script: GestureScript, by seat: TestSeat? = nil, on window: TestWindow? = nil
    ) -> Bool {
        guard let surface = window?.surface ?? surface, let seat = seat ?? seats.first else {
            return false
        }
        let start = now
        for entry in script.entries {
            schedule(at: start.advanced(byMilliseconds: entry.moment.milliseconds)) {
                seat.send(entry.event, to: surface)
            }
        }
        var isOver = false
        schedule(at: start.advanced(byMilliseconds: script.end.milliseconds)) { isOver = true }
        return run(seconds: script.end.milliseconds / 1000 + 5) { isOver }
    }

    /// Plays the text of a gesture script.
    @discardableResult
    package func play(
        _ text: String, by seat: TestSeat? = nil
    ) throws(GestureScriptError) -> Bool {
        play(try GestureScript(parsing: text), by: seat)
    }
}
