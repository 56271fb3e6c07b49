import Geometry
import ViewerCore

/// What the command line asks for.
struct Options {
    /// What to do besides showing pictures.
    enum Action: Equatable {
        case show, version, help, formats
    }

    struct Shot: Equatable {
        var milliseconds: Double
        var path: FilePath
    }

    var action = Action.show
    var paths: [FilePath] = []
    var isFullscreen = false
    var windowSize: Size?
    /// Set for `--headless`: the surface, no compositor.
    var headless: Viewport?
    var script: FilePath?
    var trace: FilePath?
    var hasTimings = false
    var shot: FilePath?
    var shotsAt: [Shot] = []
    var record: FilePath?
    var refresh = 60.0
    var waitsForDecoding = true
    var settings = ViewerSettings()
    var logLevel = Diagnostics.Level.warning
}

/// Why the command line cannot be followed, in words for a person.
struct UsageError: Error, Equatable {
    var reason: String
}
