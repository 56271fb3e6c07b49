import Glibc
import Pacing
import ImageTypes
import Viewer
import Grid

/// What the program says of itself.
enum Help {
    static let version = "0.1.0"

    static let text = """
        Usage: vitrine [OPTIONS] PATH…
               vitrine formats

        Shows pictures, under the fingers. A folder stands for the pictures in it, on a grid that
        zooms; - reads a picture from standard input.

        The window:
          --grid, --viewer           start with all pictures, or with one (default: the grid for
                                     a folder)
          --fullscreen, --windowed   start so (default: windowed)
          --size WxH                 the window's size where the compositor leaves the choice
          --reduced-motion           no animation lasts longer than a frame
          --set KEY=VALUE            a setting for this run:
        \((ViewerSettings.names + GridSettings.names + Options.collectionNames + Options.decodeNames + FrameSettings.names).map { "                               \($0.name)=\($0.values)" }
            .joined(separator: "\n"))

        For tests and reports:
          --headless WxH[@SCALE]     no compositor: paints into memory
          --script FILE              headless: plays a gesture script on a virtual clock
          --refresh HZ               headless: frames a second of that clock (default: 60)
          --async-decode             headless: does not wait for pictures
          --shot FILE.png            headless: writes the last frame
          --shot-at MS:FILE.png      headless: writes a frame on the way; repeatable
          --trace FILE               a JSON object a frame (-: standard output)
          --timings                  headless: measured times in the trace too
          --hud                      a graph of frame times over the picture, in a window
          --record FILE              writes the input received as a gesture script
          --log-level LEVEL          error, warning, info, debug
          --verbose                  as --log-level info; with --version, how the decoder is
                                     locked in on this machine
          --version, --help

        Keys: arrows, Space, Backspace, Home, End: turn pages, or move what is zoomed;
        + - zoom, 0 fit, 1 one to one, 2 fill; r R rotate; p pauses an animation, . shows its
        next frame; b puts a checkerboard under what is clear; f or F11 fullscreen; Return shows the
        bar; Menu the menu; i tells of the picture; g the grid; Escape goes one level up; q
        leaves.

        """

    /// Writes to standard output; false when that failed.
    static func print(_ text: String) -> Bool {
        var output = OutputFile(standardOutput: ())
        return output.write(text) && output.flush()
    }
}
