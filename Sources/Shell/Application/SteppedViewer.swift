package import Browser
package import Motion
package import WaylandClient

/// The viewer in a window, driven turn by turn by a caller that owns the loop and the clock: tests play
/// gestures with it without waiting for real time.
///
/// The code is that of the program, from the socket to the commit.
package final class SteppedViewer {
    private let run: WaylandRun

    /// Why there is no viewer, in words for a person.
    package struct Failure: Error {
        package let text: String
    }

    /// Starts the viewer with arguments as on the command line.
    ///
    /// `connection` has heard what the compositor offers, and its clock is `clock`; `onFrame` is given
    /// every frame that is painted, and the moment that it shows.
    package init(
        _ arguments: [String], connection: Connection, clock: @escaping () -> Moment,
        onFrame: @escaping (BrowserFrame, Moment) -> Void
    ) throws(Failure) {
        let options: Options
        do throws(UsageError) {
            options = try Options(arguments.map { Array($0.utf8) })
        } catch { throw Failure(text: error.reason) }
        do throws(RunFailure) {
            guard let session = try Program.session(options, clock: clock) else {
                throw RunFailure("there is nothing to show")
            }
            run = try WaylandRun(session, options, connection: connection, clock: clock)
        } catch { throw Failure(text: error.text) }
        run.onFrame = onFrame
        run.start()
    }

    /// Does what is due and takes what has come, without waiting; false once the viewer was left.
    package func turn() throws(ConnectionError) -> Bool {
        guard !run.isOver else { return false }
        try run.turn(waits: false)
        return !run.isOver
    }

    /// When the next turn has something to do although nothing comes.
    package var nextTurn: Moment? { run.nextTurn }

    /// Whether pixels are still to come.
    package var isLoading: Bool { run.isLoading }
}
