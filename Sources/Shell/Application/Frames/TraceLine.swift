import Browser
import Geometry
import JSON
import SceneModel
import Viewer
import Grid

/// One line of the trace: a JSON object with the state that a frame shows.
enum TraceLine {
    /// Measurements of a frame; times are in milliseconds.
    struct Timings {
        var paint: Double?
        /// From the oldest input that this frame shows first to its commit.
        var inputToCommit: Double?
        /// From the newest input that this frame shows to its commit.
        var newestInputToCommit: Double?
        /// How long the start of the frame was delayed, so that it shows newer input.
        var held: Double?
        /// From commit to presentation, of the last frame with a presentation time.
        var commitToPresent: Double?
        /// The number of frames in motion so far that were presented late.
        var lateFrames: Int?
        /// Buffer pixels per device pixel, along each side.
        var resolution: Double?
        /// The light of the frame, on a screen with headroom; nil on others.
        var light: Light?
    }

    /// The light of a frame.
    struct Light {
        /// How many times as bright as white the screen can be.
        var headroom: Double
        /// The largest share of a picture's gain that counts.
        var gain: Double
        /// Whether the frame has deep pixels.
        var isDeep: Bool
    }

    static func text(
        _ shown: BrowserFrame, path: (Int) -> String, at milliseconds: Double,
        buffer: PixelSize, damage: [PixelRect], timings: Timings?
    ) -> String {
        let frame = shown.viewer
        var line = JSONLine()
        line.add("t", milliseconds)
        line.add("mode", shown.mode.rawValue)
        line.add("path", path(frame.index))
        line.add("index", frame.index)
        line.add("count", frame.count)
        let view = frame.viewport
        line.add("view", [view.size.width, view.size.height, view.scale], places: 6)
        if shown.mode == .grid, let grid = shown.grid {
            addGrid(grid, path: path, &line)
        } else {
            addPicture(frame, &line)
            line.add("phase", frame.phase.rawValue)
            line.add("gesture", frame.activity.rawValue)
            line.add("dim", frame.scene.backdrop)
            if let number = shown.animationFrame { line.add("frame", number) }
        }
        line.add("dismiss", shown.mode == .grid ? 0 : frame.dismissProgress)
        if frame.isDismissed { line.add("dismissed", true) }
        line.object("ui") { ui in
            ui.add("chrome", frame.showsChrome)
            ui.add("menu", shown.showsMenu)
            ui.add("info", frame.showsInformation)
            ui.add("message", shown.mode == .grid ? nil : frame.message)
            ui.add("help", shown.showsHelp)
            if shown.showsSettings { ui.add("settings", true) }
            if let toast = shown.toast { ui.add("toast", toast) }
            if let focus = shown.focus { ui.add("focus", focus) }
            if let grid = shown.grid, shown.mode == .grid { ui.add("selection", grid.selected) }
        }
        if let slideshow = frame.slideshow, shown.mode == .viewer {
            line.object("slideshow") { object in
                object.add("on", true)
                if let transition = slideshow.transition { object.add("transition", transition) }
                object.add("from", path(slideshow.from))
                if let next = slideshow.to { object.add("to", path(next)) }
            }
        }
        line.add("damage", damage.map { [$0.x, $0.y, $0.width, $0.height] })
        line.add("buffer", [Double(buffer.width), Double(buffer.height)])
        if let timings { add(timings, &line) }
        return line.close()
    }

    private static func addPicture(_ frame: ViewerFrame, _ line: inout JSONLine) {
        guard let size = frame.picture, let placement = frame.placement, let limits = frame.limits
        else {
            line.add("image", nil)
            return
        }
        let rect = placement.unrotatedRect(of: size)
        line.add("image", [Double(size.width), Double(size.height)])
        line.add("rect", [rect.x, rect.y, rect.width, rect.height])
        line.add("zoom", placement.zoom, places: 8)
        line.add("rotation", degrees(placement.rotation))
        line.object("limits") { object in
            object.add("fit", limits.fit, places: 8)
            object.add("min", limits.min, places: 8)
            object.add("max", limits.max, places: 8)
        }
    }

    private static func addGrid(
        _ grid: GridFrame, path: (Int) -> String, _ line: inout JSONLine
    ) {
        line.add("phase", grid.phase.rawValue)
        line.add("gesture", grid.activity.rawValue)
        line.object("grid") { object in
            object.add("columns", grid.columns)
            object.add("scale", grid.scale, places: 8)
            object.add("scroll", [grid.scroll.x, grid.scroll.y])
            object.add("content", [grid.content.width, grid.content.height])
            guard let held = grid.held else {
                object.add("anchor", nil)
                return
            }
            object.object("anchor") { anchor in
                anchor.add("index", held.index)
                anchor.add("fraction", [held.fraction.dx, held.fraction.dy], places: 6)
                anchor.add("point", [held.point.x, held.point.y])
            }
        }
        guard let lifted = grid.lifted else { return }
        line.object("peek") { peek in
            peek.add("path", path(lifted.index))
            peek.add("scale", lifted.scale, places: 6)
            let rect = lifted.rect
            peek.add("rect", [rect.x, rect.y, rect.width, rect.height])
            peek.add("dim", lifted.dim, places: 6)
        }
    }

    /// Converts radians to degrees, 0 up to but not including 360, clockwise.
    private static func degrees(_ radians: Double) -> Double {
        let degrees = (radians * 180 / .pi).truncatingRemainder(dividingBy: 360)
        return degrees < 0 ? degrees + 360 : degrees
    }

    private static func add(_ timings: Timings, _ line: inout JSONLine) {
        if let time = timings.paint { line.add("paint_ms", time) }
        if let time = timings.inputToCommit { line.add("input_to_commit_ms", time) }
        if let time = timings.newestInputToCommit {
            line.add("newest_input_to_commit_ms", time)
        }
        if let time = timings.held { line.add("held_ms", time) }
        if let time = timings.commitToPresent { line.add("commit_to_present_ms", time) }
        if let count = timings.lateFrames { line.add("late_frames", count) }
        if let resolution = timings.resolution { line.add("resolution", resolution) }
        guard let light = timings.light else { return }
        line.object("light") { object in
            object.add("headroom", light.headroom)
            object.add("gain", light.gain)
            object.add("format", light.isDeep ? "XBGR2101010" : "ARGB8888")
            object.add("space", "srgb")
        }
    }
}
