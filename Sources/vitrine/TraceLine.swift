import Geometry
import SceneModel
import ViewerCore

/// One line of the trace: what a frame showed, in the contract's words.
enum TraceLine {
    /// What is measured of a frame, in milliseconds.
    struct Timings {
        var paint: Double?
        var inputToCommit: Double?
        /// Of the last frame of which the compositor said when it was seen.
        var commitToPresent: Double?
    }

    static func text(
        _ frame: ViewerFrame, path: String, at milliseconds: Double, damage: [PixelRect],
        timings: Timings?
    ) -> String {
        var line = JSONLine()
        line.add("t", milliseconds)
        line.add("mode", "viewer")
        line.add("path", path)
        line.add("index", frame.index)
        line.add("count", frame.count)
        let view = frame.viewport
        line.add("view", [view.size.width, view.size.height, view.scale], places: 6)
        addPicture(frame, &line)
        line.add("phase", frame.phase.rawValue)
        line.add("gesture", frame.activity.rawValue)
        line.add("dim", frame.scene.backdrop)
        line.add("dismiss", frame.dismissProgress)
        if frame.isDismissed { line.add("dismissed", true) }
        line.object("ui") { ui in
            ui.add("chrome", frame.showsChrome)
            ui.add("menu", frame.showsMenu)
            ui.add("message", frame.message)
        }
        line.add("damage", damage)
        let buffer = frame.scene.pixelSize
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

    /// 0…360, clockwise.
    private static func degrees(_ radians: Double) -> Double {
        let degrees = (radians * 180 / .pi).truncatingRemainder(dividingBy: 360)
        return degrees < 0 ? degrees + 360 : degrees
    }

    private static func add(_ timings: Timings, _ line: inout JSONLine) {
        if let time = timings.paint { line.add("paint_ms", time) }
        if let time = timings.inputToCommit { line.add("input_to_commit_ms", time) }
        if let time = timings.commitToPresent { line.add("commit_to_present_ms", time) }
    }
}
