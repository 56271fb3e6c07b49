package import Browser
import Localization
package import Motion
import Folders
import Thumbnails
package import WaylandClient

/// The viewer in a window, driven turn by turn by a caller that owns the loop and the clock.
///
/// Tests play gestures with it without waiting for real time. It runs the program's own code, from the
/// socket to the commit.
package final class SteppedViewer {
    private let run: WaylandRun

    /// The viewer could not start; `text` is the message for the user.
    package struct Failure: Error {
        package let text: String
    }

    /// Starts the viewer with arguments as on the command line.
    ///
    /// `connection` must have received the compositor's globals, and must use `clock`. Thumbnails are
    /// stored below `cacheFolder`, or not at all, and so is state below `stateFolder`. `onFrame` is called with every frame and the moment
    /// that the frame shows.
    package init(
        _ arguments: [String], connection: Connection, cacheFolder: String?,
        stateFolder: String? = nil,
        clock: @escaping () -> Moment,
        onFrame: @escaping (BrowserFrame, Moment) -> Void
    ) throws(Failure) {
        var options: Options
        do throws(UsageError) {
            options = try Options(arguments.map { Array($0.utf8) })
            options.stateFolder = stateFolder.map { FilePath($0) }
        } catch { throw Failure(text: error.reason) }
        do throws(RunFailure) {
            let thumbnails = cacheFolder.map {
                ThumbnailCache(cacheFolder: Array($0.utf8), program: Program.thumbnailProgram)
            }
            guard
                let (session, factory) = try Program.session(
                    options, thumbnails: thumbnails, clock: clock)
            else {
                throw RunFailure(localized("there is nothing to show"))
            }
            run = try WaylandRun(
                session, options, connection: connection, sessionFactory: factory, clock: clock)
        } catch { throw Failure(text: error.text) }
        run.waitsForThreads = false
        run.onFrame = { [unowned run] window, frame, moment in
            if window === run.windows[0] { onFrame(frame, moment) }
        }
        run.start()
    }

    /// Runs one turn of the loop without waiting; returns the exit code once the viewer has ended.
    package func turn() -> Int32? {
        do throws(ConnectionError) {
            if !run.isOver { try run.turn(waits: false) }
        } catch {
            run.finish()
            return RunFailure(error).code.rawValue
        }
        guard run.isOver else { return nil }
        run.finish()
        return run.exitCode.rawValue
    }

    /// When the next turn has work even without events.
    package var nextTurn: Moment? { run.nextTurn }

    /// Whether anything is under way that takes real time: pixels, the listing, state on the disk.
    ///
    /// False while decoding waits for the size of the surface.
    package var isLoading: Bool {
        run.isLoading || run.windows.contains { $0.session.usesDisk }
    }
}
