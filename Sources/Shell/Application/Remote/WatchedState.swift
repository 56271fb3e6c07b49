import Browser
import JSON
import Motion
import SceneModel
import Viewer

/// What `vitrine msg watch` reports: a line whenever one of these changes.
struct WatchedState: Equatable {
    var mode = ""
    var path = ""
    var index = 0
    var count = 0
    /// Nil without a picture, and while it moves.
    var zoom: Double?
    /// Degrees clockwise; nil without a picture, and while it moves.
    var rotation: Int?
    var isFullscreen = false
    var isLocked = false
    /// Nil without a kiosk.
    var screenIsOn: Bool?
    /// When a person last did something, in Unix seconds; nil before.
    var touched: Int?
    var slideshow = false
    /// The name of the output; nil where the compositor has placed the window.
    var output: String?

    /// Follows a frame; a zoom counts once it is at rest.
    mutating func follow(_ frame: BrowserFrame, path: String) {
        let changesPicture = path != self.path || frame.mode.rawValue != mode
        mode = frame.mode.rawValue
        self.path = path
        (index, count) = (frame.viewer.index, frame.viewer.count)
        if changesPicture { (zoom, rotation) = (nil, nil) }
        guard frame.mode == .viewer, frame.viewer.phase == .idle else { return }
        zoom = frame.viewer.placement?.zoom
        rotation = frame.viewer.placement.map {
            let turns = Int(($0.rotation / (.pi / 2)).rounded())
            return (turns % 4 + 4) % 4 * 90
        }
    }

    var line: String {
        var line = JSONLine()
        line.add("event", "state")
        line.add("mode", mode)
        line.add("path", path)
        line.add("index", index)
        line.add("count", count)
        if let zoom { line.add("zoom", zoom, places: 8) } else { line.add("zoom", nil) }
        if let rotation { line.add("rotation", rotation) } else { line.add("rotation", nil) }
        line.add("fullscreen", isFullscreen)
        line.add("locked", isLocked)
        if let screenIsOn { line.add("screen", screenIsOn) } else { line.add("screen", nil) }
        if let touched { line.add("touched", touched) } else { line.add("touched", nil) }
        line.object("slideshow") { $0.add("on", slideshow) }
        if let output { line.add("output", output) }
        return line.close()
    }
}

/// What peers of the control socket hear of a window.
struct WindowReport {
    var state = WatchedState()
    /// What the window has shown.
    var history = ShownHistory()
    /// The state that was published last; nil before.
    private(set) var published: WatchedState?

    /// Takes the state as published; returns whether it is news.
    mutating func publish() -> Bool {
        defer { published = state }
        return published != state
    }
}
